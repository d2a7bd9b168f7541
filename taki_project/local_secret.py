"""The secret key of a local run: made once, kept readable to its owner alone."""

import os
import secrets
from pathlib import Path


def kept(folder: Path) -> str:
    """The key kept in this folder, made there if it is the first time."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = folder / f"secret_key.{os.getpid()}"
        draft.write_text(secrets.token_urlsafe(50))
        draft.chmod(0o600)
        try:
            os.link(draft, path)  # never replaces a key that another process made meanwhile
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()
