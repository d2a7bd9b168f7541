#!/bin/sh
# The two roles: the owner changes the schema, the application reads and writes rows. Runs once, on an empty data folder.
set -eu
psql --set=ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" \
    --set=owner_password="$TAKI_OWNER_PASSWORD" --set=app_password="$TAKI_APP_PASSWORD" --set=database="$POSTGRES_DB" <<'SQL'
CREATE ROLE taki_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE taki_app LOGIN PASSWORD :'app_password';
ALTER DATABASE :"database" OWNER TO taki_owner;
SQL
