"""The progress bar, watched and unwatched."""

from io import StringIO

from django.core.management.base import OutputWrapper

from eventlog.progress import Progress


class Terminal(StringIO):
    """Somebody watches."""

    def isatty(self) -> bool:
        return True


def test_without_a_terminal_every_tenth_is_a_line_of_its_own() -> None:
    output = StringIO()
    progress = Progress(OutputWrapper(output), 1000, "events")

    for _ in range(1000):
        progress.advance(1)
    progress.interrupt()

    lines = output.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0] == "[###...........................]  10 %  100 of 1,000 events"
    assert lines[-1] == "[##############################] 100 %  1,000 of 1,000 events"
    assert "\r" not in output.getvalue()
    assert "\033" not in output.getvalue()


def test_on_a_terminal_one_line_is_drawn_again_and_cleared() -> None:
    output = Terminal()
    progress = Progress(OutputWrapper(output), 2, "events")

    progress.advance(2)
    progress.interrupt()

    assert output.getvalue() == "\r[##############################] 100 %  2 of 2 events\r\033[K"


def test_an_empty_log_divides_by_nothing() -> None:
    output = StringIO()

    Progress(OutputWrapper(output), 0, "events").advance(0)

    assert output.getvalue() == ""
