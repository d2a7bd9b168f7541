"""What the calls about the service itself say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from httpapi.description.calls import Call, Chapter, Reply
from taki_project import welcome

CHAPTER: Final = Chapter(
    tag="service",
    text="The way in.",
    calls={
        (welcome.RootView, "GET"): Call(
            name="getRoot",
            summary="Find your way",
            text="The addresses to begin with.",
            replies={200: Reply(type=welcome.Root, text="The links.")},
        )
    },
    words=Path(__file__).with_name("words.yaml"),
)
