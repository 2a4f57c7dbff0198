#!/bin/sh
# bring-back-evidence.sh <bucket> <since, UTC, such as 2026-11-23T23:32:43> [options of aws, such as --endpoint-url …]
# What was removed from the bucket since then is there again, as far as its versions are; for who owns the bucket.
# Needs aws and jq. May be repeated: what is there already is left alone.
set -eu
bucket=$1 since=$2
shift 2
# Stores before 2025 do not know the checksums that newer releases of aws add by themselves.
export AWS_REQUEST_CHECKSUM_CALCULATION=when_required
found=$(mktemp)
trap 'rm -f "$found"' EXIT
# A removal only covers the newest version up: what lies on top is removed.
aws s3api list-object-versions --bucket "$bucket" --output json "$@" \
  --query "DeleteMarkers[?IsLatest && LastModified>='$since'].{Key: Key, VersionId: VersionId}" >"$found"
jq -c '. // [] | range(0; length; 500) as $at | {Objects: .[$at:$at + 500], Quiet: true}' "$found" |
  while read -r some; do
    said=$(aws s3api delete-objects --bucket "$bucket" --delete "$some" --output json "$@")
    # It says nothing but what was refused, and ends well all the same.
    [ -z "$said" ] || { printf '%s\n' "$said" >&2; exit 1; }
  done
printf '%s objects are there again\n' "$(jq '. // [] | length' "$found")"
