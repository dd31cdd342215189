#!/bin/sh
# Runs roles.sql in the container of PostgreSQL. The image does it by itself when it makes the database.
set -eu
password_of() { sed -n 's|^postgres://[^:]*:\([^@]*\)@.*|\1|p' "/run/secrets/$1"; }
psql --quiet --username=leadwell --dbname=leadwell --file=/usr/local/share/leadwell/roles.sql \
  -v owner_password="$(password_of database_owner_url)" -v app_password="$(password_of database_url)" >/dev/null
