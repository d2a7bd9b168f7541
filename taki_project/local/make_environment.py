"""Makes `.venv` from the locked requirements; runs on a bare Python and does nothing when nothing changed."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

UV = "uv==0.13.9"
OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-dev.lock")
READY, AT_WORK = VENV / "ready", VENV / "at-work"


def wanted() -> str:
    """Names everything that the environment follows from."""
    digest = hashlib.sha256(f"{UV} {sys.version} {ROOT}".encode())
    for lock in LOCKS:
        digest.update(lock.read_bytes())
    return digest.hexdigest()


def make() -> None:
    """Bring the environment up to date; one that a killed set-up left half made is made anew."""
    if AT_WORK.exists() or not (VENV / "bin" / "uv").exists():
        shutil.rmtree(VENV, ignore_errors=True)
        VENV.mkdir()
        AT_WORK.touch()
        run(sys.executable, "-m", "venv", str(VENV))
        run(str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", UV)
    READY.unlink(missing_ok=True)
    AT_WORK.touch()
    run(
        str(VENV / "bin" / "uv"), "pip", "sync", "--quiet", "--require-hashes", "--compile-bytecode",
        "--python", str(VENV / "bin" / "python"), str(LOCKS[1]),
    )  # fmt: skip
    READY.write_text(wanted())
    AT_WORK.unlink()


def run(*command: str) -> None:
    """Run one step; what it printed is shown only if it failed."""
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        fail(f"{' '.join(command[:3])} … failed: {' '.join(said[-2:])[:400]}")


def fail(reason: str) -> None:
    """One line and exit status 1."""
    sys.exit(f"make setup: {reason}")


def main() -> None:
    """Hold the folder against a second set-up, then make what is missing."""
    if sys.version_info[:2] < OLDEST:
        fail(f"Python {'.'.join(map(str, OLDEST))} or newer is needed, this is {sys.version.split()[0]}: make PYTHON=…")
    try:
        (ROOT / "var").mkdir(mode=0o700, exist_ok=True)
        with (ROOT / "var" / "setup.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not READY.exists() or READY.read_text() != wanted():
                make()
    except OSError as error:
        fail(f"cannot write {error.filename or VENV}: {os.strerror(error.errno or 0)}")
    except KeyboardInterrupt:
        fail("stopped; the next one begins anew")


if __name__ == "__main__":
    main()
