#!/bin/sh
# Makes the folder secrets/ with a file for each secret that docker-compose.yml names, and keeps those that are there.
# Passwords are random; what is not ours to choose is taken from .env, or left empty, which counts as not set.
# Never makes a data key beside data that may have one: `--new-data-key` says that this database has none yet.
set -eu
new_key=
if [ "${1:-}" = --new-data-key ]; then new_key=1; shift; fi
cd "${1:-$(dirname "$0")/..}"
umask 077
# What an installation leaves behind: secrets of an earlier run, or the volume of its database.
has_data() {
  for file in postgres_password database_url database_owner_url; do [ ! -s "secrets/$file" ] || return 0; done
  docker volume inspect leadwell_postgres >/dev/null 2>&1
}

random() { head -c 24 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
# The value of a setting in .env, without quotes around it.
given() { if [ -f .env ]; then sed -n "s/^$1=//p" .env | tail -n 1 | sed "s/^\([\"']\)\(.*\)\1\$/\2/"; fi; }
# The folder is closed to other users of this machine. The containers' own users must be able to read each file.
write() {
  [ -e "secrets/$1" ] || { printf '%s\n' "$2" >"secrets/$1" && echo "secrets/$1"; }
  chmod 0444 "secrets/$1"
}
if [ ! -s secrets/data_key ] && [ -z "$(given DATA_KEY)" ] && [ -z "$new_key" ] && has_data; then
  echo "secrets/data_key is missing, and this installation has a database. Nothing was made." >&2
  echo "Put the key of that database into secrets/data_key; it is kept apart from the dumps. With another key, people who asked not to be contacted would be contacted." >&2
  echo "Only for a database from before there was a DATA_KEY: sh ops/secrets.sh --new-data-key" >&2
  exit 1
fi
mkdir -p secrets
or_random() { if [ -n "$1" ]; then printf %s "$1"; else random; fi; }

write postgres_password "$(or_random "$(given POSTGRES_PASSWORD)")"
write database_owner_url "postgres://leadwell_owner:$(random)@postgres:5432/leadwell"
write database_url "postgres://leadwell_app:$(random)@postgres:5432/leadwell"
write redis_url "redis://:$(random)@redis:6379"
data_key=$(given DATA_KEY)
# An empty one counts as missing.
[ -s secrets/data_key ] || rm -f secrets/data_key
write data_key "${data_key:-$(head -c 32 /dev/urandom | base64)}"
write grafana_password "$(or_random "$(given GRAFANA_PASSWORD)")"
for name in ADMIN_PASSWORD OIDC_CLIENT_SECRET SMTP_URL INBOX_URL WORDPRESS_APP_PASSWORD CRM_WEBHOOK_SECRET HUBSPOT_TOKEN CRM_INBOUND_SECRET; do
  write "$(echo $name | tr '[:upper:]' '[:lower:]')" "$(given $name)"
done
[ ! -s secrets/smtp_password ] || echo "secrets/smtp_password is no longer read: put the password into the address in secrets/smtp_url, and delete it." >&2
