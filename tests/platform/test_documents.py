"""The documents tell the truth: settings, targets, packages and the containers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
# Where the default follows from the place or from another setting.
DERIVED = {"SECRET_KEY", "DATABASE_OWNER_URL", "VAR_DIR"}


def text(name: str) -> str:
    return (ROOT / name).read_text()


def documented_settings() -> dict[str, str]:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) ?\| ", text("docs/operations.md"), re.MULTILINE)
    return {name: default.strip("`") for name, default in rows}


def settings_in_code() -> set[str]:
    calls = re.compile(r"environment\.(?:text|flag|whole_number|words)\(\s*[\"']([A-Z_]+)")
    return {name for path in (ROOT / "taki_project").rglob("*.py") for name in calls.findall(path.read_text())}


def test_every_setting_is_documented_and_every_documented_setting_is_read() -> None:
    assert set(documented_settings()) == settings_in_code()


def test_the_documented_defaults_are_the_real_ones() -> None:
    program = (
        "import json, taki_project.settings; from taki_project import environment;"
        "from taki_project.local import web, home; from pathlib import Path;"
        "where = web.address(); web.entry(home.Home(Path('.')), where, {}); print(json.dumps(environment.READ))"
    )
    clean = {"PATH": os.environ["PATH"], "SECRET_KEY": "only for this test"}
    read = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=clean, capture_output=True, check=True).stdout
    found = {name: default for name, default in json.loads(read).items() if name not in DERIVED}
    documented = documented_settings()
    assert found == {name: documented[name] for name in found}


def test_with_the_settings_of_production_django_finds_nothing_to_warn_of() -> None:
    production = {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "a" * 25 + "bcdefghijklmnopqrstuvwxyz",
        "ALLOWED_HOSTS": "taki.example.org",
        "DATABASE_URL": "postgresql://taki_app@db.example.org/taki",
        "SECURE_HSTS_SECONDS": "31536000",
        **dict.fromkeys(("SECURE_COOKIES", "SECURE_SSL_REDIRECT"), "on"),
        **dict.fromkeys(("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"), "on"),
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level=WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=production, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_make_target_is_explained() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", text("Makefile"), re.MULTILINE))
    assert targets == set(re.findall(r"^\| `make ([a-z-]+)", text("CONTRIBUTING.md"), re.MULTILINE))


def test_every_package_is_explained_with_the_version_that_is_locked() -> None:
    asked = {
        re.split(r"[\[<>=~ ]", line)[0].lower()
        for name in ("requirements.in", "requirements-dev.in")
        for line in text(name).splitlines()
        if line[:1].isalpha()
    }
    locked = dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", text("requirements-dev.lock"), re.MULTILINE))
    uv = re.search(r'UV = "uv==(.+)"', text("taki_project/local/make_environment.py"))
    assert uv is not None
    explained = dict(
        re.findall(r"^\| ([a-z0-9-]+) \| ([0-9][^ ]*) \| \d{4}-\d\d \| ", text("docs/dependencies.md"), re.MULTILINE)
    )
    assert explained == {name: locked[name] for name in asked} | {"uv": uv[1]}


def test_the_lock_files_name_no_host() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        assert "://" not in text(name)
        options = re.findall(r"^ *(-[^ =:]+)", text(name), re.MULTILINE)
        assert set(options) == {"--hash"}


def services() -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = yaml.safe_load(text("docker-compose.yml"))["services"]
    return found


def test_the_containers_are_told_only_settings_that_exist_and_no_secret() -> None:
    for name in ("web", "migrate"):
        environment = services()[name]["environment"]
        assert isinstance(environment, dict)
        assert set(environment) <= settings_in_code()
    secrets = re.findall(r"^\s+(\w*(?:PASSWORD|SECRET|AUTH)\w*): (.*)$", text("docker-compose.yml"), re.MULTILINE)
    assert secrets
    assert all(value.startswith("${") and ":?" in value for _, value in secrets)


@pytest.mark.parametrize("name", sorted(services()))
def test_each_container_says_whether_it_is_well(name: str) -> None:
    assert "healthcheck" in services()[name] or "build" in services()[name]


def test_the_image_holds_every_package_of_the_service_and_the_compose_file_asks_for_what_the_example_offers() -> None:
    for package in ("eventlog", "httpapi", "accounts", "games", "tournaments", "taki_project"):
        assert f"COPY {package} {package}\n" in text("Dockerfile")
    asked = set(re.findall(r"\$\{(\w+)", text("docker-compose.yml")))
    offered = set(re.findall(r"^#?([A-Z_]+)=", text(".env.example"), re.MULTILINE))
    assert offered <= asked
    assert {name for name in asked if f"${{{name}:?" in text("docker-compose.yml")} <= offered


def test_the_problems_that_nginx_answers_by_itself_are_those_of_the_catalog() -> None:
    titles = json.loads(text("httpapi/locale/en.json"))
    answers = re.findall(r"return (\d+) '(.+)';", text("docker/nginx/taki.conf"))
    assert answers
    for status, body in answers:
        problem = json.loads(body)
        assert problem["status"] == int(status)
        assert problem["type"] == f"/problems/{problem['code']}"
        assert problem["title"] == titles[problem["code"]]["title"]
