#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh %p <archive folder> %f
# Ends with 0 only once the whole segment is on disk under its name. A segment that is there with the same content is
# kept (PostgreSQL asks again after a crash); one with other content is never overwritten: PostgreSQL then keeps its
# own, tries again and says so in its log.
set -eu
segment=$1 archive=$2 name=$3
if [ -e "$archive/$name" ]; then
  exec cmp -s "$segment" "$archive/$name"
fi
cp "$segment" "$archive/.$name.part"
sync "$archive/.$name.part"
mv "$archive/.$name.part" "$archive/$name"
sync "$archive"
