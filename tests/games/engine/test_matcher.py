import pytest

from games.engine.commands import CatchLastCard, Command, DrawCards, Leave, Pass, SayLastCard
from games.engine.matcher import fits, matches
from games.engine.templates import CatchMove, DrawMove, PassMove, PlayMove, SayLastMove, Template, legal_moves
from tests.games.engine.tables import A, B, play, table

RUNS = table(a="red-taki red-3 red-3 super-taki change-color blue-3", b="red-4")


@pytest.mark.parametrize(
    "cards,flags,taken",
    [
        ("red-taki red-3 red-3", {}, True),
        ("red-taki red-3 red-3", {"close": True}, True),
        ("red-taki red-3 super-taki red-3", {"close": True}, True),
        ("red-taki red-3 red-3 super-taki", {}, True),
        ("red-taki red-3 red-3 super-taki", {"close": True}, False),
        ("red-taki red-3", {}, False),
        ("red-taki red-3 red-3 red-3", {}, False),
        ("red-taki red-3 blue-3 red-3", {}, False),
        ("red-taki red-3 red-3 change-color", {"color": "green"}, True),
        ("red-taki red-3 red-3 change-color", {}, False),
        ("red-taki red-3 change-color red-3", {"color": "green"}, False),
        ("red-taki red-3 red-3", {"color": "green"}, False),
        ("red-taki red-3 red-3", {"run_color": "red"}, False),
        ("red-taki red-3 red-3", {"answer": True}, False),
        ("change-color", {"color": "green", "close": True}, True),
        ("change-color", {}, False),
        ("blue-3", {}, False),
        ("red-3", {"say_last": True}, True),
        ("red-3 red-3", {}, False),
    ],
)
def test_a_play_fits_its_template_or_none(cards: str, flags: dict[str, bool], taken: bool) -> None:
    assert matches(legal_moves(RUNS, A, 0), play(A, cards, **flags)) is taken  # type: ignore[arg-type]


def test_a_run_turned_by_takis_fits_the_color_of_the_last_one() -> None:
    options = {"taki_on_taki_in_run": "while_only_takis"}
    moves = legal_moves(table(options, a="red-taki blue-taki blue-3 red-4", b="red-3"), A, 0)

    assert matches(moves, play(A, "red-taki blue-taki blue-3"))
    assert matches(moves, play(A, "red-taki red-4"))
    assert not matches(moves, play(A, "red-taki blue-taki red-4"))
    assert not matches(moves, play(A, "red-taki red-4 blue-taki blue-3"))
    assert not matches(moves, play(A, "red-taki blue-taki"))


@pytest.mark.parametrize("command", [DrawCards(A), Pass(A), SayLastCard(A), CatchLastCard(A, B), play(A, "red-3")])
def test_each_command_fits_only_its_own_template(command: Command) -> None:
    templates: list[Template] = [DrawMove(1), PassMove(), SayLastMove(), CatchMove(B), PlayMove("red-3")]

    assert sum(fits(template, command) for template in templates) == 1


def test_a_catch_fits_its_target_alone() -> None:
    assert not fits(CatchMove(B), CatchLastCard(A, A))


def test_an_answer_need_not_be_called_one_and_no_draw_is_one() -> None:
    assert fits(PassMove(answer=True), Pass(A))
    assert not fits(PassMove(), Pass(A, answer=True))
    assert not fits(DrawMove(1), DrawCards(A, answer=True))
    assert not any(fits(template, Leave(A)) for template in (DrawMove(1), PassMove(), SayLastMove()))
