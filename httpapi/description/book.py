"""All chapters together: which call a view's method is, and the components that calls refer to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import yaml

from httpapi.description import refusals
from httpapi.description.calls import Call, Chapter, Demands, Described, Reply, Schema, SignIn
from httpapi.description.examples import Examples
from httpapi.description.headers import HEADERS, PARAMETERS
from httpapi.description.shapes import Shapes, Words, worded

_WORDS: Final = Path(__file__).parent / "words.yaml"


class Book:
    """What the service tells of itself."""

    def __init__(self, chapters: Sequence[Chapter], examples: Examples) -> None:
        self.chapters = chapters
        self.examples = examples
        self.sign_in = next((each.sign_in for each in chapters if each.sign_in.token), SignIn())
        self.places: Mapping[str, Schema] = {name: place for each in chapters for name, place in each.places.items()}

        self.further = tuple(further for each in chapters for further in each.further)

    def find(self, view: type, method: str) -> tuple[Call, str] | None:
        """The call that a method of a view is, and its tag."""
        for chapter in self.chapters:
            if call := chapter.calls.get((view, method)):
                return call, chapter.tag
        return None

    def calls(self) -> Iterable[Call]:
        """Every call."""
        return (call for chapter in self.chapters for call in chapter.calls.values())

    @cached_property
    def asked(self) -> Shapes:
        """The shapes of bodies and queries."""
        types = [type_ for call in self.calls() for type_ in (call.body, call.query) if type_ is not None]
        return self._shapes(types)

    @cached_property
    def answered(self) -> Shapes:
        """The shapes of answers."""
        replies = (reply for call in self.calls() for reply in call.replies.values())
        types = [reply.type for reply in replies if reply.type is not None and not isinstance(reply.type, str)]
        more = [type_ for chapter in self.chapters for type_ in chapter.types]
        shapes = self._shapes([*types, *more, *refusals.TYPES])
        shapes.always_there()
        return shapes

    def _shapes(self, types: list[Any]) -> Shapes:
        names = {type_: name for chapter in self.chapters for type_, name in chapter.names.items()}
        custom = {type_: schema for chapter in self.chapters for type_, schema in chapter.shapes.items()}
        return Shapes(types, names, custom)

    def schema_of(self, reply: Reply) -> Schema:
        """The schema of an answer's body."""
        if isinstance(reply.type, str):
            return {"$ref": f"#/components/schemas/{reply.type}"}
        return self.answered.of(reply.type)

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """Every schema, with its words."""
        asked, answered = self.asked.components, self.answered.components
        if torn := [name for name in asked.keys() & answered.keys() if asked[name] != answered[name]]:
            raise LookupError(f"these names stand for one shape asked and another answered: {sorted(torn)}")
        schemas = {**asked, **answered}
        for chapter in self.chapters:
            schemas |= chapter.components()
        worded(schemas, self._words(), {**self.asked.lineage(), **self.answered.lineage()})
        refusals.narrowed(schemas)
        return schemas

    def _words(self) -> Words:
        words: dict[str, dict[str, Any]] = {}
        for path in (_WORDS, *(chapter.words for chapter in self.chapters if chapter.words)):
            for name, fields in yaml.safe_load(path.read_text()).items():
                words.setdefault(name, {}).update(fields)
        return words

    def components(self) -> dict[str, Schema]:
        """Everything that calls refer to."""
        return {
            "schemas": dict(sorted(self.schemas.items())),
            "responses": refusals.shared_answers(self.sign_in),
            "parameters": PARAMETERS | {further.name: further.parameter for further in self.further},
            "headers": HEADERS,
            "examples": self.examples.problems(refusals.problem_codes(), refusals.fault_codes()),
        }

    def described(self, found: tuple[Call, str], path: str, method: str, demands: Demands) -> Described:
        """A call with what its view demands."""
        call, tag = found
        further = tuple(each for each in self.further if f"{path}/".startswith(f"{each.below}/"))
        return Described(call, path, method, tag, demands, self.sign_in, further)
