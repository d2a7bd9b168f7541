"""The service's settings on servers for tests: those that `make servers` keeps, else own ones that start when first needed."""

import os

from taki_project.local.servers_for_tests import home_for_tests

HOME = home_for_tests()
DATABASE_NAME = f"test_{os.getpid()}"

os.environ |= {
    "DATABASE_URL": HOME.database_url("taki_app", DATABASE_NAME),
    "DATABASE_OWNER_URL": HOME.database_url("taki_owner", DATABASE_NAME),
    # Runs that share kept servers differ by process number, so mostly by database number too.
    "REDIS_URL": HOME.redis_url.replace("db=0", f"db={os.getpid() % 64}"),
    "SECRET_KEY": "only for tests",
    # A stall of the machine is no database that is away.
    "DATABASE_CONNECT_TIMEOUT": "60",
    "CHECKPOINT_KEYS": "11" * 32,
}

from taki_project.settings import *  # noqa: E402, F403 (after the environment is set)

# Hashing is slow on purpose; tests need not wait for it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
