"""Keys from the settings or a file, the two commands that use them, and the task of every hour."""

from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.conf import settings as configured
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from eventlog import checkpoint_rows, keyring
from eventlog.checkpoints import chain_faults
from eventlog.tasks import make_checkpoint
from taki_project.celery import app
from tests.eventlog.keys import FIRST, PUBLIC, SECOND, SECOND_PUBLIC, THIRD

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def file(settings: LazySettings, tmp_path: Path) -> Path:
    settings.CHECKPOINT_KEYS = []
    settings.CHECKPOINT_KEYS_FILE = tmp_path / "var" / "checkpoint_keys"
    return tmp_path / "var" / "checkpoint_keys"


def said(command: str, *options: str) -> str:
    output = StringIO()
    call_command(command, *options, stdout=output)
    return output.getvalue()


def test_on_the_first_run_a_key_is_made_kept_to_its_owner_and_shown(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = said("make_checkpoint")

    (text,) = file.read_text().split()
    (public,) = keyring.opened().publics
    assert file.stat().st_mode & 0o777 == 0o600
    assert told == f"checkpoint 1: 0 games, signed by {public}\n"
    assert f"kept in {file}; public: {public}" in caplog.text
    assert text not in caplog.text


def test_the_kept_key_signs_from_then_on(file: Path) -> None:
    first, second = said("make_checkpoint"), said("make_checkpoint")

    assert first.split()[-1] == second.split()[-1]
    assert [path.name for path in file.parent.iterdir()] == ["checkpoint_keys"], "no draft is left"


def test_a_key_that_another_process_made_meanwhile_stays(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(FIRST)
    (file.parent / "draft").write_text(SECOND)

    keyring._put(file.parent / "draft", file, replacing=False)

    assert keyring.opened().publics == (PUBLIC,)


def test_keys_of_the_settings_come_before_kept_ones(file: Path, settings: LazySettings) -> None:
    said("make_checkpoint")
    settings.CHECKPOINT_KEYS = [FIRST, SECOND]

    assert keyring.opened().publics == (PUBLIC, SECOND_PUBLIC)
    assert keyring.opened().newest.public == SECOND_PUBLIC


def test_a_setting_that_is_no_key_is_told_without_being_shown(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = ["secret"]
    with pytest.raises(ImproperlyConfigured, match=r"CHECKPOINT_KEYS: a signing key is 64 hex digits$"):
        keyring.opened()


def test_without_a_setting_the_rotation_makes_the_new_key(file: Path) -> None:
    old = said("make_checkpoint").split()[-1]

    told = said("rotate_checkpoint_key")
    new = said("make_checkpoint").split()[-1]

    assert told == f"from checkpoint 3 on {new} signs\n"
    assert old != new
    assert keyring.opened().publics == (old, new)
    assert list(chain_faults(checkpoint_rows.everything(), [old])) == []


def test_with_a_setting_the_rotation_hands_over_to_its_last_key(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = [FIRST]
    said("make_checkpoint")
    with pytest.raises(CommandError, match="the newest key signs already"):
        said("rotate_checkpoint_key")

    settings.CHECKPOINT_KEYS = [FIRST, SECOND]
    assert said("make_checkpoint").endswith(f"signed by {PUBLIC}\n"), "a new key counts from the rotation on"
    assert said("rotate_checkpoint_key") == f"from checkpoint 4 on {SECOND_PUBLIC} signs\n"
    settings.CHECKPOINT_KEYS = [SECOND]
    assert said("make_checkpoint").endswith(f"signed by {SECOND_PUBLIC}\n")


def test_a_lost_key_stops_checkpoints_until_it_is_said_to_be_lost(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = [FIRST]
    said("make_checkpoint")
    settings.CHECKPOINT_KEYS = [THIRD]

    for command in ("make_checkpoint", "rotate_checkpoint_key"):
        with pytest.raises(CommandError, match=f"names {PUBLIC} as the key of the next one"):
            said(command)

    told = said("rotate_checkpoint_key", "--lost")
    assert told.startswith("from checkpoint 2 on")
    assert said("make_checkpoint").startswith("checkpoint 3: 0 games")


def test_before_the_first_checkpoint_there_is_nothing_to_rotate() -> None:
    with pytest.raises(CommandError, match="no checkpoint yet"):
        said("rotate_checkpoint_key")


def test_the_task_of_every_hour_goes_to_the_workers_queue_and_makes_one(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = [FIRST]

    make_checkpoint()

    assert checkpoint_rows.newest_first(None, 1)[0].header.number == 1
    entry = app.conf.beat_schedule["make_checkpoint"]
    assert (entry["task"], entry["options"]["queue"]) == ("make_checkpoint", "celery")
    assert entry["schedule"].minute == {0}
    assert entry["schedule"].hour == set(range(24))


def test_the_keys_lie_beside_the_secret_key() -> None:
    kept = Path(configured._wrapped.default_settings.CHECKPOINT_KEYS_FILE)

    assert kept == Path(configured.VAR_DIR) / "checkpoint_keys"
