"""Calls made to be shown: each answer is compared with the description and kept as an example."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from httpapi.description.examples import Example
from tests.description import conformity
from tests.description.masks import Masks

Json = dict[str, Any]


class Recorder:
    """Makes calls and remembers those that have a name."""

    def __init__(self) -> None:
        self.examples: list[Example] = []
        self._masks = Masks()

    def call(self, method: str, path: str, body: object = None, *, token: str | None = None, **how: str) -> Any:
        """Call the service; `name` keeps the answer as an example, every other word is a header."""
        name = how.pop("name", None)
        headers = {word.replace("_", "-"): value for word, value in how.items()}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        kind = headers.pop("content-type", "application/json" if sent else "")
        answer = Client().generic(method, f"/api/v1/{path}", sent, kind, headers=headers)
        conformity.check(method, f"/api/v1/{path}", answer)
        if name is not None:
            self._keep(name, method, path, body, answer)
        return answer

    def ok(self, method: str, path: str, body: object = None, *, token: str | None = None, **how: str) -> Json:
        """The body of an answer that must be a success."""
        answer = self.call(method, path, body, token=token, **how)
        assert answer.status_code < 300, answer.content
        found: Json = json.loads(answer.content or b"{}")
        return found

    def refused(self, code: str, method: str, path: str, body: object = None, **how: str) -> None:
        """A call that must be refused with this code, or with this fault; kept under its name."""
        token = how.pop("token", None)
        answer = self.call(method, path, body, token=token, **how)
        problem = json.loads(answer.content)
        assert answer.status_code >= 400, f"{code}: {problem}"
        said = {problem["code"], *(fault["code"] for fault in problem.get("errors", ()))}
        assert code in said, problem
        self._keep(code, method, path, None if isinstance(body, bytes) else body, answer)

    def _keep(self, name: str, method: str, path: str, body: object, answer: Any) -> None:
        found = conformity.operation_of(method, f"/api/v1/{path.partition('?')[0]}")
        text = json_body = code = None
        if answer.headers.get("Content-Type", "").endswith("json") and "ndjson" not in answer.headers["Content-Type"]:
            json_body = self._masks.still(json.loads(answer.content))
            json_body = shortened(json_body) if name.endswith("_in_part") else json_body
            code = json_body["code"] if answer.status_code >= 400 else None
        elif answer.content:
            text = self._masks.body(answer.content.decode(), answer.headers["Content-Type"])
        self.examples.append(
            Example(
                call=found[0] if found else "",
                name=name,
                status=answer.status_code,
                query=self._masks.text(path.partition("?")[2]),
                request=self._masks.still(body) if isinstance(body, dict) else None,
                answer=json_body,
                text=text,
                code=code,
            )
        )


def shortened(value: Any) -> Any:
    """The first two of every list: of the rules and the options nobody needs all as an example."""
    if isinstance(value, list):
        return [shortened(each) for each in value[:2]]
    return {name: shortened(each) for name, each in value.items()} if isinstance(value, dict) else value
