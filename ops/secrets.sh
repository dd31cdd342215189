#!/bin/sh
# Makes the folder secrets/ with a file for each secret that docker-compose.yml names, and keeps those that are there.
# Passwords are random; what is not ours to choose is taken from .env, or left empty, which counts as not set.
set -eu
cd "${1:-$(dirname "$0")/..}"
umask 077
mkdir -p secrets

random() { head -c 24 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
# The value of a setting in .env, without quotes around it.
given() { if [ -f .env ]; then sed -n "s/^$1=//p" .env | tail -n 1 | sed "s/^\([\"']\)\(.*\)\1\$/\2/"; fi; }
# The folder is closed to other users of this machine. The containers' own users must be able to read each file.
write() {
  [ -e "secrets/$1" ] || { printf '%s\n' "$2" >"secrets/$1" && echo "secrets/$1"; }
  chmod 0444 "secrets/$1"
}
or_random() { if [ -n "$1" ]; then printf %s "$1"; else random; fi; }

write postgres_password "$(or_random "$(given POSTGRES_PASSWORD)")"
write database_owner_url "postgres://leadwell_owner:$(random)@postgres:5432/leadwell"
write database_url "postgres://leadwell_app:$(random)@postgres:5432/leadwell"
write redis_url "redis://:$(random)@redis:6379"
data_key=$(given DATA_KEY)
write data_key "${data_key:-$(head -c 32 /dev/urandom | base64)}"
write grafana_password "$(or_random "$(given GRAFANA_PASSWORD)")"
for name in ADMIN_PASSWORD OIDC_CLIENT_SECRET SMTP_PASSWORD WORDPRESS_APP_PASSWORD CRM_WEBHOOK_SECRET CRM_WEBHOOK_SECRET_OLD HUBSPOT_TOKEN \
  CRM_INBOUND_SECRET DKIM_PRIVATE_KEY; do
  write "$(echo $name | tr '[:upper:]' '[:lower:]')" "$(given $name)"
done
