#!/bin/sh
# PostgreSQL takes a private key from a file of its own user alone, whose number the machine that made it does not know:
# the container, which begins as root, gives that user a copy in memory.
set -e
install -o postgres -g postgres -m 600 /run/tls/server.pem /run/tls/server.key /run/own-tls/
exec "$@"
