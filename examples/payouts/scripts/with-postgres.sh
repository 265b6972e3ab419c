#!/usr/bin/env bash
# Runs a command with DATABASE_URL pointing to a PostgreSQL server that is made for it and gone afterwards.
# Where DATABASE_URL is set already, that server is used. Installs PostgreSQL with apt-get where there is none.
#   bash scripts/with-postgres.sh npm test
set -euo pipefail

if [ -n "${DATABASE_URL:-}" ]; then exec "$@"; fi

find_binaries() {
  if command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
    dirname "$(readlink -f "$(command -v initdb)")"
    return
  fi
  local candidate
  for candidate in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
    if [ -x "$candidate/initdb" ] && [ -x "$candidate/pg_ctl" ]; then found=$candidate; fi
  done
  echo "${found:-}"
}

binaries=$(find_binaries)
if [ -z "$binaries" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'There is no PostgreSQL server here. Install one (version 13 or later), or set DATABASE_URL.' >&2
    exit 1
  fi
  echo 'Installing PostgreSQL' >&2
  # Debian would start a server of its own; this script needs the programs alone.
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null
  binaries=$(find_binaries)
fi

# A short path: the name of a socket may have no more than about a hundred characters.
folder=$(mktemp -d /tmp/payouts-pg.XXXXXX)
# The server refuses to run as root.
as_server=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as_server=(runuser -u postgres --)
fi
stop_server() {
  "${as_server[@]}" "$binaries/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop_server EXIT
trap 'exit 130' INT TERM

export PAYOUTS_PG_BINARIES="$binaries"
cd "$folder" # The server's user may not be allowed to read the folder we came from.
"${as_server[@]}" "$binaries/initdb" -D "$folder/data" -U payouts -A trust -E UTF8 --locale=C >/dev/null
# On a socket in its own folder, and on no port: nothing outside of this machine reaches it, and no port is in the way.
cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$folder'
max_connections = 200
CONF
"${as_server[@]}" "$binaries/pg_ctl" -D "$folder/data" -w -t 120 -l "$folder/log" start >/dev/null
cd - >/dev/null
export DATABASE_URL="postgresql://payouts@localhost/postgres?host=$folder"
# For those who restart this server on purpose, without a shutdown.
export PAYOUTS_PG_RESTART="${as_server[*]} $binaries/pg_ctl -D $folder/data -w -t 60 -l $folder/log -m immediate restart"
"$@"
