"""The codes of faults that any HTTP interface meets, and the status each comes with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "locale"

# Codes of a whole answer.
PROBLEMS: Final[Mapping[str, int]] = {
    "bad_request": 400,
    "malformed_json": 400,
    "invalid_request": 400,
    "invalid_header": 400,
    "idempotency_key_invalid": 400,
    "unknown_host": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "body_too_slow": 408,
    "conflict": 409,
    "idempotency_key_in_progress": 409,
    "version_conflict": 412,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "content_encoding_unsupported": 415,
    "idempotency_key_reused": 422,
    "too_many_requests": 429,
    "internal_error": 500,
    "database_away": 503,
    "too_many_slow_bodies": 503,
}

# Codes of one fault inside `errors` of an answer with status 400.
FIELD_FAULTS: Final[Mapping[str, int]] = {
    "unknown_field": 400,
    "missing_field": 400,
    "duplicate_field": 400,
    "wrong_type": 400,
    "out_of_range": 400,
    "too_short": 400,
    "too_long": 400,
    "wrong_pattern": 400,
    "not_a_choice": 400,
    "invalid_value": 400,
    "nested_too_deeply": 400,
    "nul_character": 400,
    "lone_surrogate": 400,
    "forbidden_character": 400,
    "blank_text": 400,
    "invalid_cursor": 400,
}
