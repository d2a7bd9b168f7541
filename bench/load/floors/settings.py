"""Settings of the floors; FLOOR names the one that is served."""

import os

from taki_project import environment

FLOOR = os.environ.get("FLOOR", "a")
SECRET_KEY = "floors are served to nobody"  # noqa: S105 (for the time of a measurement)
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": environment.database(os.environ["FLOORS_DATABASE_URL"]) | {"CONN_MAX_AGE": 600}}
DATABASES["default"]["OPTIONS"] |= {"prepare_threshold": 5}
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "rest_framework",
    "rest_framework.authtoken",
    "bench.load.floors",
]
ROOT_URLCONF = f"bench.load.floors.floor_{FLOOR}"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# (a) keeps what `startproject` writes; (b) the two that an API gains from; (c) none.
MIDDLEWARE = {
    "a": [
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    "b": ["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    "c": [],
}[FLOOR]
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
}
USE_TZ = True
LOGGING_CONFIG = None
