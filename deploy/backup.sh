#!/bin/sh
# Copies a data directory while its server runs, or while it does not: backup.sh DATA COPY. COPY must not exist; it is a data
# directory that a server can be started on. Needs sqlite3 (3.27 or newer), and DATA writable, since links are made in it.
#
# Rows are SQLite's to copy, as of one moment. Payloads are in files that only grow, but files go when what was in them was
# deleted or moved. So each is kept by a link before the rows are copied, and those that came meanwhile by one after it; what
# the copied rows name is then looked for in what was copied, and the whole begins again if some of it is not there.
set -eu

data=${1:?usage: backup.sh DATA COPY}
copy=${2:?usage: backup.sh DATA COPY}
held="$data/backup.$$"
if [ -e "$copy" ]; then
  echo "backup.sh: $copy exists" >&2
  exit 2
fi

# A file that is removed in this very moment is either dead, or missed and found missing below.
hold() {
  for segment in "$data"/segments/*.seg; do
    ln "$segment" "$held/" 2> /dev/null || true
  done
}

# Which segments the copied rows name, and how far each must reach.
named() {
  sqlite3 -readonly -separator ' ' "$copy/sudokud.db" "
    SELECT printf('%08d', segment), max(offset + bytes)
    FROM (SELECT segment, offset, bytes FROM input UNION ALL SELECT segment, offset, bytes FROM result)
    WHERE segment IS NOT NULL GROUP BY segment"
}

boot() { sqlite3 -readonly "$1" "SELECT value FROM meta WHERE key = 'boot'"; }

attempt() {
  rm -rf "$held" "$copy"
  mkdir -p "$held" "$copy/segments"
  hold
  # Not `.backup`: that begins anew whenever the server writes.
  sqlite3 "$data/sudokud.db" "VACUUM INTO '$copy/sudokud.db'"
  hold
  for segment in "$held"/*.seg; do
    [ ! -e "$segment" ] || cp "$segment" "$copy/segments/"
  done
  named > "$held/named"
  while read -r number end; do
    size=$(stat -c %s "$copy/segments/$number.seg" 2> /dev/null || echo 0)
    [ "$size" -ge "$end" ] || return 1
  done < "$held/named"
  # A start cuts off what its own rows do not name.
  [ "$(boot "$data/sudokud.db")" = "$(boot "$copy/sudokud.db")" ]
}

trap 'rm -rf "$held"' EXIT
for try in 1 2 3 4 5; do
  if attempt; then
    sync
    echo "$copy: $(sqlite3 -readonly "$copy/sudokud.db" 'SELECT count(*) FROM job') jobs, $(du -sh "$copy" | cut -f1)"
    exit 0
  fi
  echo "backup.sh: files went while they were copied; once more ($try)" >&2
done
rm -rf "$copy"
echo "backup.sh: the server deletes faster than this copies: stop it, or take a snapshot of the file system" >&2
exit 1
