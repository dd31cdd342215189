#!/bin/sh
# Stands in for the entrypoint of the image of PostgreSQL: makes the database the first time, and runs its scripts.
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
export PATH="$bin:$PATH" PGDATA=/var/lib/postgresql/data
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses='' -c unix_socket_directories=/run/postgresql" start >/dev/null
  [ "$POSTGRES_DB" = "$POSTGRES_USER" ] && createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
  pg_ctl --wait --mode=fast stop >/dev/null
fi
exec "$@" -c listen_addresses='*' -c unix_socket_directories=/run/postgresql
