"""Views whose use case proves the token in its own first statement, so that no statement is sent for the token alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from accounts.api.authentication import JUDGED_ANEW, UNPROVEN, LateBearer
from accounts.api.known import KnownTokens
from accounts.proof import Proof, TokenChangedError
from httpapi.plain import plain
from httpapi.problems import Problem, Unauthenticated
from httpapi.views import ApiView


class LateView(ApiView):
    """A view whose use case takes the proof of the token into its own first statement: `with_proof`.

    Whatever is answered before that, refusals too, is answered only after the token was looked at.
    """

    authentication_classes = (LateBearer,)

    def handle_exception(self, exc: Exception) -> Any:
        """A token that has ended comes before every other refusal; one that has changed is taken as it is now."""
        inner = plain(self.request)
        if isinstance(exc, TokenChangedError):
            inner.__dict__[JUDGED_ANEW] = True
            del inner.__dict__[UNPROVEN]
            return self.dispatch(inner, *self.args, **self.kwargs)
        return super().handle_exception(_looked_at(inner) or exc)

    def finalize_response(  # type: ignore[override]  # as in ApiView
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """The answer, unless the token turns out to have ended before it was proven."""
        if problem := _looked_at(plain(request)):
            response = super().handle_exception(problem)
        return super().finalize_response(request, response, *args, **kwargs)


def with_proof(request: Request) -> Proof | None:
    """What the use case must check; None where the token was looked at already."""
    found: Proof | None = plain(request).__dict__.get(UNPROVEN)
    return found


def _looked_at(request: HttpRequest) -> Problem | None:
    """Make up for a proof that was not asked for; the refusal, if the token does not count."""
    proof: Proof | None = request.__dict__.pop(UNPROVEN, None)
    if proof is None or proof.checked:
        return None
    try:
        KnownTokens.look(proof.digest)
    except Unauthenticated as refused:
        return refused
    return None
