"""Makes `.venv` from the locked requirements; runs on a bare Python and does nothing when nothing changed."""

import fcntl
import hashlib
import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

UV = "uv==0.13.9"
OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-dev.lock")
READY = VENV / "ready"


def wanted() -> str:
    """Two lines that name everything the environment follows from: what it is built on, and what is in it."""
    ground = hashlib.sha256(f"{UV} {sys.version} {VENV}".encode()).hexdigest()
    content = hashlib.sha256(b"".join(lock.read_bytes() for lock in LOCKS)).hexdigest()
    return f"{ground}\n{content}\n"


def made() -> str:
    """The same of the environment that stands; empty if none was finished."""
    return READY.read_text() if READY.exists() else ""


def make() -> None:
    """Bring the environment up to date; a half-made or moved one, or one of another Python, is made anew."""
    if made().partition("\n")[0] != wanted().partition("\n")[0]:
        shutil.rmtree(VENV, ignore_errors=True)
        run(sys.executable, "-m", "venv", str(VENV))
        run(str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", UV)
    READY.unlink(missing_ok=True)
    run(
        str(VENV / "bin" / "uv"), "pip", "sync", "--quiet", "--require-hashes", "--compile-bytecode",
        "--python", str(VENV / "bin" / "python"), str(LOCKS[1]),
    )  # fmt: skip
    READY.write_text(wanted())


def trusted() -> dict[str, str]:
    """Where the certificates are that this machine trusts, a proxy's own too: uv knows only those it brings along."""
    paths = ssl.get_default_verify_paths()
    found = {"SSL_CERT_FILE": paths.cafile, "SSL_CERT_DIR": paths.capath}
    return {name: path for name, path in found.items() if path and (Path(path).is_file() or any(Path(path).iterdir()))}


def run(*command: str) -> None:
    """Run one step; what it printed is shown only if it failed."""
    done = subprocess.run(
        command, cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**trusted(), **os.environ},
    )  # fmt: skip
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
            if made() != wanted():
                make()
    except OSError as error:
        fail(f"cannot write {error.filename or VENV}: {os.strerror(error.errno or 0)}")
    except KeyboardInterrupt:
        fail("stopped; the next one begins anew")


if __name__ == "__main__":
    main()
