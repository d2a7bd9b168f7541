"""The one settings file: everything that differs between installations comes from the environment (docs/operations.md)."""

import logging
from pathlib import Path

from celery.schedules import crontab

from taki_project import environment, local_secret

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environment.text("VAR_DIR", str(BASE_DIR / "var")))

# Who we are
SECRET_KEY = environment.text("SECRET_KEY") or local_secret.kept(VAR_DIR)
DEBUG = environment.flag("DEBUG")
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS")

# Database: `owner` changes the schema, `application` runs the service and may only add to the log
DATABASE_URL = environment.text("DATABASE_URL", "postgresql://taki_app@localhost:5432/taki")
DATABASE_OWNER_URL = environment.text("DATABASE_OWNER_URL", DATABASE_URL)
DATABASE_ROLE = environment.text("DATABASE_ROLE", "application")
DATABASE_APPLICATION_ROLE = environment.database(DATABASE_URL)["USER"]
DATABASES = {
    "default": environment.database(DATABASE_OWNER_URL if DATABASE_ROLE == "owner" else DATABASE_URL)
    | {"CONN_MAX_AGE": environment.whole_number("DATABASE_CONN_MAX_AGE", 600)}
}
DATABASES["default"]["OPTIONS"] |= {
    "connect_timeout": environment.whole_number("DATABASE_CONNECT_TIMEOUT", 3),
    # A machine that is gone without a word is noticed after about ten seconds (over TCP; sockets have no such thing).
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    # PgBouncer before 1.21 cannot hold prepared statements in transaction mode.
    "prepare_threshold": 5 if environment.flag("DATABASE_PREPARED_STATEMENTS", "on") else None,
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis protocol: broker and counters, never the truth
REDIS_URL = environment.text("REDIS_URL", "redis://localhost:6379/0")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "eventlog",
    "httpapi",
    "accounts",
    "games",
    "tournaments",
]
AUTH_USER_MODEL = "accounts.Player"
ROOT_URLCONF = "taki_project.urls"
WSGI_APPLICATION = "taki_project.wsgi.application"
ASGI_APPLICATION = "taki_project.asgi.application"
APPEND_SLASH = False

MIDDLEWARE = [
    "httpapi.middleware.RequestIdMiddleware",
    "httpapi.middleware.CorsMiddleware",
    "httpapi.middleware.ApiErrorsMiddleware",
    "httpapi.hangs.HangMiddleware",
    "games.api.faults.FaultMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "taki_project.admin_only.AdminMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "taki_project" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["httpapi.parsers.MsgspecParser"],
    "DEFAULT_RENDERER_CLASSES": ["httpapi.renderers.MsgspecRenderer"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.permissions.SignedIn"],
    "EXCEPTION_HANDLER": "taki_project.problem_handler.handle",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "httpapi.renderers.JsonAlways",
    "DEFAULT_METADATA_CLASS": None,
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "taki_project.description.TakiSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "TAKI",
    "VERSION": "1.0.0",
    "DESCRIPTION": (BASE_DIR / "taki_project" / "description.md").read_text(),
    "OAS_VERSION": "3.1.1",
    "SERVERS": [{"url": "/", "description": "This service"}],
    "GET_MOCK_REQUEST": "httpapi.description.inspector.pretended_request",
    "POSTPROCESSING_HOOKS": ["taki_project.description.complete"],
}
# Calls a subject may make in a window of seconds; each of the last three is counted by address, the others by account
RATE_LIMITS = {
    "account": environment.text("LIMIT_ACCOUNT", "6000/60"),
    "verification": environment.text("LIMIT_VERIFICATION", "120/60"),
    "sandbox": environment.text("LIMIT_SANDBOX", "60/3600"),
    "sign_up": environment.text("LIMIT_SIGN_UP", "600/3600"),
    "guest": environment.text("LIMIT_GUEST", "1200/3600"),
    "sign_in": environment.text("LIMIT_SIGN_IN", "120/300"),
}
# What a deadline gets behind an outage that it fell into; 0: an outage changes nothing
OUTAGE_GRACE_SECONDS = environment.whole_number("OUTAGE_GRACE_SECONDS", 30)
# How long a request body may take to arrive; 0: as long as it likes, for where a proxy has read it whole before
BODY_READ_SECONDS = environment.whole_number("BODY_READ_SECONDS", 5)
# How many bodies a process waits for at once; with half its threads, the others always find one
SLOW_BODIES = environment.whole_number("SLOW_BODIES", max(1, environment.whole_number("WEB_THREADS", 4) // 2))
# Networks of proxies whose X-Forwarded-For is believed; `unix` stands for a socket
TRUSTED_PROXIES = environment.words("TRUSTED_PROXIES")
# Ed25519 keys that sign checkpoints, the newest last; without any, one is made and kept
CHECKPOINT_KEYS = environment.words("CHECKPOINT_KEYS")
CHECKPOINT_KEYS_FILE = VAR_DIR / "checkpoint_keys"
IDEMPOTENCY_KEEP_HOURS = environment.whole_number("IDEMPOTENCY_KEEP_HOURS", 48)

# 16 MiB a hash and nothing to install; Argon2 as Django sets it takes 100 MiB for each sign-in under way
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Languages: each text is chosen by the API's own negotiation; times are always UTC
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("he", "עברית"),
    ("gd", "Gàidhlig"),
    ("cy", "Cymraeg"),
    ("lv", "Latviešu"),
    ("ms", "Bahasa Melayu"),
    ("mn", "Монгол"),
]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "taki_project" / "static"]
STATIC_ROOT = VAR_DIR / "static"

# Behind a proxy that ends TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if environment.flag("TRUST_FORWARDED_PROTO") else None
SECURE_SSL_REDIRECT = environment.flag("SECURE_SSL_REDIRECT")
SECURE_HSTS_SECONDS = environment.whole_number("SECURE_HSTS_SECONDS", 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("SECURE_HSTS_INCLUDE_SUBDOMAINS")
SECURE_HSTS_PRELOAD = environment.flag("SECURE_HSTS_PRELOAD")
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = environment.flag("SECURE_COOKIES")

# No line tells of these, and each costs a look at every line.
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "httpapi.request_ids.RequestIdFilter"}},
    "formatters": {
        "line": {
            "class": "taki_project.log_lines.LineFormatter",
            "format": "{asctime} {levelname} {name} {request_id} {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request_id"]}},
    "root": {"handlers": ["stderr"], "level": environment.text("LOG_LEVEL", "INFO")},
}

CELERY_BROKER_URL = environment.broker(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# With the defaults an absent broker held `delay()` for 19 s.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 0.2, "socket_timeout": 0.2, "max_retries": 0}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # with 100 a worker ended after an hour without its broker
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True  # the default of the next release, else a warning
CELERY_DB_REUSE_MAX = 3600  # tasks on one connection; by default each opens its own
# The clock has a queue and a worker process of its own; a sweep that comes too late is dropped, the next one is on its way
CLOCK_INTERVAL_SECONDS = 1
CELERY_TASK_ROUTES = {name: {"queue": "clock"} for name in ("settle_expired_turns", "draw_due_penalties")}
CELERY_BEAT_SCHEDULE = {
    name: {
        "task": name,
        "schedule": CLOCK_INTERVAL_SECONDS,
        "options": {"queue": "clock", "expires": CLOCK_INTERVAL_SECONDS},
    }
    for name in ("settle_expired_turns", "draw_due_penalties")
} | {
    "make_checkpoint": {
        "task": "make_checkpoint",
        "schedule": crontab(minute=0),
        "options": {"queue": "celery", "expires": 3_000},
    },
    "void_expired_sandbox_games": {
        "task": "void_expired_sandbox_games",
        "schedule": 600,
        "options": {"queue": "celery", "expires": 600},
    },
}
CELERY_BEAT_SCHEDULER = "taki_project.beat:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# The checks look for the names of what stands in taki_project/admin_only.py: frames, forms, users, messages, sessions.
SILENCED_SYSTEM_CHECKS = ["security.W002", "security.W003", "admin.E408", "admin.E409", "admin.E410"]
