"""How long answers are kept."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from httpapi.management.commands import forget_idempotency_keys
from httpapi.models import IdempotencyKey

pytestmark = pytest.mark.django_db


def keep(hours: float, number: int) -> None:
    IdempotencyKey.objects.create(
        scope_key=number.to_bytes(32, "big"),
        fingerprint=bytes(32),
        status=201,
        sealed=b"x",
        created_at=timezone.now() - timedelta(hours=hours),
    )


def ages() -> set[int]:
    return {int.from_bytes(row.scope_key, "big") for row in IdempotencyKey.objects.all()}


def test_older_answers_are_forgotten(settings: LazySettings) -> None:
    settings.IDEMPOTENCY_KEEP_HOURS = 48
    for hours in (0, 23, 47, 49, 500):
        keep(hours, hours)
    call_command("forget_idempotency_keys")
    assert ages() == {0, 23, 47}


def test_no_setting_breaks_the_promise_of_24_hours(settings: LazySettings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.IDEMPOTENCY_KEEP_HOURS = 0
    keep(23.9, 1)
    keep(24.1, 2)
    call_command("forget_idempotency_keys")
    assert ages() == {1}
    assert capsys.readouterr().out == "1 kept answers forgotten\n"


def test_many_are_forgotten_in_batches(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(forget_idempotency_keys, "BATCH", 2)
    for number in range(5):
        keep(1000, number)
    call_command("forget_idempotency_keys")
    assert capsys.readouterr().out == "5 kept answers forgotten\n"


def test_what_is_old_is_found_by_the_hour_without_reading_the_rest() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {forget_idempotency_keys._FORGET}", (24, 10))
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Bitmap Index Scan on idempotency_keys_by_hour" in plan
