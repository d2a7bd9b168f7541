"""A leak planted in any way out of a running game is found by the walk of the twins, or in what is logged and published."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
import redis
from django.conf import settings
from django.http import HttpResponse
from msgspec.structs import replace

from eventlog import store
from games import lists, selectors, shown
from games.api import read_views
from games.engine import visibility
from games.engine.cards import CODE
from games.engine.events import CardsDrawn, DeckShuffled, HandDealt, PileReshuffled, PlayerLeft, PositionSet
from games.engine.state import State
from games.engine.templates import PLAIN
from games.engine.visibility import ALL_SEEING, Viewer
from games.services import audit, play
from games.shown import viewer_at
from games.tables import Table
from httpapi.problems import Problem
from tests.description import conformity
from tests.games.hidden_plans import plan_with
from tests.games.people import Json, Person
from tests.games.sandboxes import Sandbox
from tests.games.test_ways_out import FULL_RUNS
from tests.games.twin_walks import Company, last_look
from tests.games.twins import OPTIONS
from tests.games.ways_out import CODES, Seen, differing, everything, logged, seen, told_to_redis
from tournaments import pages

pytestmark = pytest.mark.django_db

TABLE: Final[Json] = {**OPTIONS, **FULL_RUNS, "mode": "tournament"}
Plant = Callable[[pytest.MonkeyPatch], None]
real: Final[dict[str, Any]] = {
    name: getattr(module, name)
    for module, names in {
        shown: ("view_for", "conflict"),
        play: ("_refused", "_moved", "moves_for", "try_out"),
        read_views: ("seen", "unchanged", "json_answer"),
        selectors: ("past", "events", "moves"),
        audit: ("verification", "_lines"),
        pages: ("chart_answer",),
        lists: ("own_entry", "entry"),
    }.items()
    for name in names
}


def state_of(game: UUID | str) -> State:
    table = selectors.table(UUID(str(game)))
    state = table.state()
    assert state is not None
    return state


def betrayed(state: State) -> str:
    """The cards of the pile."""
    return " ".join(CODE[face] for face in state.draw_pile)


def hidden(game: UUID | str) -> int:
    """A number under 1000 that the cards of the pile make."""
    return zlib.crc32(state_of(game).draw_pile) % 1000


def the_view(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shown, "view_for", lambda s, v, n: replace(real["view_for"](s, v, n), top=betrayed(s)))


def an_event(kind: type[Any]) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setitem(visibility.RULES_OF_SIGHT, kind, lambda data, _own: data)

    return plant


def the_feed(patch: pytest.MonkeyPatch) -> None:
    def events(table: Table, player: UUID, after: int, limit: int) -> Any:
        page = real["events"](table, player, after, limit)
        return replace(page, version=page.version + hidden(table.id))

    patch.setattr(selectors, "events", events)


def refusals(patch: pytest.MonkeyPatch) -> None:
    def refused(refusal: Any, before: Any, table: Table, seat: int | None) -> Problem:
        problem: Problem = real["_refused"](refusal, before, table, seat)
        problem.extra = {**problem.extra, "next": betrayed(before.state)}
        return problem

    patch.setattr(play, "_refused", refused)


def the_moves_of_a_refusal(patch: pytest.MonkeyPatch) -> None:
    def moves(state: State, seat: int | None, now: int) -> list[Any]:
        return [*real["moves_for"](state, seat, now), *(PLAIN[face] for face in state.draw_pile)]

    patch.setattr(play, "moves_for", moves)


def a_header(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(read_views, "seen", with_headers(lambda view: {"X-Debug": str(hidden(view.id))}))


def an_etag(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(read_views, "seen", with_headers(lambda view: {"ETag": f'"{hidden(view.id)}"'}))


def with_headers(headers: Callable[[Any], dict[str, str]]) -> Callable[..., HttpResponse]:
    def seen(body: Any, version: int) -> HttpResponse:
        response: HttpResponse = real["seen"](body, version)
        if hasattr(body, "id"):
            for name, value in headers(body).items():
                response.headers[name] = value
        return response

    return seen


def the_size_of_an_answer(patch: pytest.MonkeyPatch) -> None:
    def seen(body: Any, version: int) -> HttpResponse:
        response: HttpResponse = real["seen"](body, version)
        if hasattr(body, "id"):
            response.content += b" " * hidden(body.id)
        return response

    patch.setattr(read_views, "seen", seen)


def what_is_not_modified(patch: pytest.MonkeyPatch) -> None:
    def unchanged(request: Any, table: Table, *version: int) -> HttpResponse | None:
        response: HttpResponse | None = real["unchanged"](request, table, *version)
        if response is not None:
            response.headers["X-Pile"] = str(hidden(table.id))
        return response

    patch.setattr(read_views, "unchanged", unchanged)


def the_missed_events_of_a_conflict(patch: pytest.MonkeyPatch) -> None:
    def conflict(*asked: Any) -> Problem:
        with pytest.MonkeyPatch.context() as within:
            within.setattr(shown, "viewer_at", lambda *_: ALL_SEEING)
            problem: Problem = real["conflict"](*asked)
            return problem

    patch.setattr(play, "conflict", conflict)


def a_dry_run(patch: pytest.MonkeyPatch) -> None:
    def try_out(asked: play.Asked) -> int:
        try:
            return int(real["try_out"](asked)) + hidden(asked.game)
        except Problem as problem:
            problem.extra = {**problem.extra, "pile": hidden(asked.game)}
            raise

    patch.setattr(play, "try_out", try_out)


def the_history_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    def past(table: Table, player: UUID, version: int, whose: str | None) -> Any:
        over = table if whose is None else replace(table, status="finished")
        return real["past"](over, player, version, whose)

    patch.setattr(selectors, "past", past)


def a_record_before_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(audit, "record", early_record)


def early_record(table: Table) -> list[bytes]:
    return [msgspec.json.encode(row.salt.hex() + row.payload.decode()) for row in store.read(table.id)]


def the_verification(patch: pytest.MonkeyPatch) -> None:
    def verification(table: Table) -> bytes:
        return real["verification"](table) + b" " * hidden(table.id)  # type: ignore[no-any-return]

    patch.setattr(audit, "verification", verification)


def the_chart(patch: pytest.MonkeyPatch) -> None:
    def chart_answer(table: Table) -> HttpResponse:
        answer: HttpResponse = real["chart_answer"](table)
        answer.content += f"<!-- {betrayed(state_of(table.id))} -->".encode()
        return answer

    patch.setattr(pages, "chart_answer", chart_answer)


def the_list_of_own_games(patch: pytest.MonkeyPatch) -> None:
    def own_entry(row: lists.OwnRow) -> Any:
        return replace(real["own_entry"](row), you=hidden(row.table.id))

    patch.setattr(lists, "own_entry", own_entry)


def the_answer_to_a_move(patch: pytest.MonkeyPatch) -> None:
    def moved(table: Table, state: State, caused: Any, seat: int | None) -> Any:
        return replace(real["_moved"](table, state, caused, seat), version=zlib.crc32(state.draw_pile))

    patch.setattr(play, "_moved", moved)


def everybody_is_a_reviewer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shown, "viewer_at", lambda state, seat: Viewer(viewer_at(state, seat).seat, sees_all=True))


PLANTED: Final[dict[str, tuple[Plant, str]]] = {
    "the view": (the_view, "GET "),
    "the dealt hands": (an_event(HandDealt), "GET /events"),
    "the cards drawn": (an_event(CardsDrawn), "GET /events"),
    "the shuffled deck": (an_event(DeckShuffled), "GET /events"),
    "the hand of who left": (an_event(PlayerLeft), "GET /events"),
    "the feed": (the_feed, "GET /events"),
    "refusals": (refusals, "refused move"),
    "the moves of a refusal": (the_moves_of_a_refusal, "refused move"),
    "a header": (a_header, "GET "),
    "an etag": (an_etag, "GET "),
    "the size of an answer": (the_size_of_an_answer, "GET "),
    "what is not modified": (what_is_not_modified, "GET  held"),
    "the missed events of a conflict": (the_missed_events_of_a_conflict, "412"),
    "a dry run": (a_dry_run, "dry run of {'type': 'draw'}"),
    "the history of another seat": (the_history_of_another_seat, "GET /history/{version}?seat=all"),
    "a record before the end": (a_record_before_the_end, "GET /record"),
    "the verification": (the_verification, "GET /verification"),
    "the chart": (the_chart, "anonymous /tournaments/ID/stages.svg"),
    "the list of own games": (the_list_of_own_games, "own games"),
    "the answer to a move": (the_answer_to_a_move, "own move"),
    "everybody is a reviewer": (everybody_is_a_reviewer, "GET /history/{version}"),
}


@pytest.mark.parametrize("plant, way", PLANTED.values(), ids=PLANTED)
def test_a_leak_in_an_answer_is_found(plant: Plant, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = plan_with(TABLE, length=4, window=True)
    company = Company.gathered(3)
    monkeypatch.setattr(conformity, "check", lambda *_: None)
    plant(monkeypatch)
    first = last_look(drawn, company, drawn.deck, TABLE)
    second = last_look(drawn, company.alike(), drawn.twin, TABLE)
    assert way in differing(first, second)


def telling(tell: Callable[[State], object]) -> Callable[..., Any]:
    def moved(table: Table, state: State, caused: Any, seat: int | None) -> Any:
        tell(state)
        return real["_moved"](table, state, caused, seat)

    return moved


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO, logging.ERROR])
def test_a_leak_in_a_log_line_is_found(level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("games.services.planted")
    monkeypatch.setattr(play, "_moved", telling(lambda state: log.log(level, "drawn next: %s", betrayed(state))))
    drawn = plan_with(TABLE, length=4, window=True)
    with logged() as lines:
        last_look(drawn, Company.gathered(3), drawn.deck, TABLE)
    assert CODES.search(lines.text)


def test_a_leak_on_a_channel_of_redis_is_found(redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        publish = telling(lambda state: client.publish("game", betrayed(state)))
        monkeypatch.setattr(play, "_moved", publish)
        drawn = plan_with(TABLE, length=4, window=True)
        with told_to_redis(redis_client) as told:
            last_look(drawn, Company.gathered(3), drawn.deck, TABLE)
    assert CODES.search("\n".join(told))


SHORT_PILE: Final[Json] = {
    "players": ["Ada", "Bo"],
    "discard": [*(f"{color}-{number}" for color in ("blue", "green") for number in range(4, 10)), "red-5"],
    "turn": "Ada",
}
IN_ONE: Final[Json] = SHORT_PILE | {
    "hands": {"Ada": ["red-3"], "Bo": ["king", "blue-1"]},
    "draw_pile": ["red-7", "plus3"],
}
IN_OTHER: Final[Json] = SHORT_PILE | {
    "hands": {"Ada": ["red-3"], "Bo": ["red-7", "plus3"]},
    "draw_pile": ["king", "blue-1"],
}


def reshuffled(host: Person, cards: Json) -> list[Seen]:
    """What a spectator sees of a game whose pile is used up and shuffled again."""
    game = Sandbox(host, cards, turn_timeout_seconds=600)
    for turn in range(5):
        game.move(turn % 2, {"type": "draw"}).ok(201)
    events = host.get(f"games/{game.id}/events?limit=100")
    assert "pile_reshuffled" in events.raw.decode()
    return [*everything(host, game.id, game.view(0)["version"]), seen("all of it", events)]


def test_a_placed_position_and_a_reshuffled_pile_look_alike() -> None:
    host = Person()
    assert differing(reshuffled(host, IN_ONE), reshuffled(host, IN_OTHER)) == []


@pytest.mark.parametrize("kind", [PositionSet, PileReshuffled])
def test_a_leak_in_what_becomes_of_the_pile_is_found(kind: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformity, "check", lambda *_: None)
    an_event(kind)(monkeypatch)
    host = Person()
    assert "all of it" in differing(reshuffled(host, IN_ONE), reshuffled(host, IN_OTHER))
