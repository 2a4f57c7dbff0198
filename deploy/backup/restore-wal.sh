#!/bin/sh
# PostgreSQL's restore_command: restore-wal.sh <archive folder> %f %p
# Ends with 1 for a segment that is not in the archive, which PostgreSQL takes for the end of it.
set -eu
[ -e "$1/$2" ] || exit 1
exec cp "$1/$2" "$3"
