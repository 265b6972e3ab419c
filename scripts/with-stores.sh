#!/usr/bin/env bash
# Runs a command with PGHOST and REDIS_SOCKET pointing to a PostgreSQL and a Redis server that are made for it and
# gone afterwards. Installs what is missing with apt-get.
#   bash scripts/with-stores.sh npx vitest run --mode stores
set -euo pipefail

# Debian keeps the programs of PostgreSQL out of PATH.
for candidate in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin; do
  if [ -x "$candidate/initdb" ]; then PATH="$PATH:$candidate"; fi
done
missing=()
command -v redis-server >/dev/null || missing+=(redis-server)
command -v initdb >/dev/null || missing+=(postgresql)
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "These programs are missing: ${missing[*]}. Install PostgreSQL 13 or later and Redis 6 or later." >&2
    exit 1
  fi
  echo "Installing ${missing[*]}" >&2
  # Debian would start a server of its own; this script needs the programs alone.
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  for candidate in /usr/lib/postgresql/*/bin; do PATH="$PATH:$candidate"; done
fi

# A short path: the name of a socket may have no more than about a hundred characters.
folder=$(mktemp -d /tmp/stores.XXXXXX)
# PostgreSQL refuses to run as root.
as_server=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as_server=(runuser -u postgres --)
fi
redis_pid=
stop_servers() {
  "${as_server[@]}" "$(command -v pg_ctl)" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  if [ -n "$redis_pid" ]; then kill "$redis_pid" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop_servers EXIT
trap 'exit 130' INT TERM

# On sockets in a folder of their own, and on no port: nothing outside of this machine reaches them.
redis-server --port 0 --unixsocket "$folder/redis.sock" --save '' --appendonly no --daemonize no >"$folder/redis.log" 2>&1 &
redis_pid=$!
cd "$folder" # The server's user may not be allowed to read the folder we came from.
"${as_server[@]}" "$(command -v initdb)" -D "$folder/data" -U stores -A trust -E UTF8 --locale=C >/dev/null
"${as_server[@]}" "$(command -v pg_ctl)" -D "$folder/data" -w -t 120 -l "$folder/log" \
  -o "-c listen_addresses='' -c unix_socket_directories='$folder'" start >/dev/null
cd - >/dev/null
export PGHOST="$folder" PGUSER=stores PGDATABASE=postgres REDIS_SOCKET="$folder/redis.sock"
"$@"
