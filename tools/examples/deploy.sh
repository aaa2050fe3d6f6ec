#!/bin/sh
# A lock around a deployment: one at a time for each target, and a later one is never overwritten by one that was slow.
#
#   ./deploy.sh RELEASE TARGET
#
# TARGET is a folder here; in your case a cluster, a bucket, a database. `holdfast` must be on the path.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 RELEASE TARGET" >&2
  exit 2
fi
release=$1
target=$2

# Started by a person or by CI: once more, under a lease. It is renewed as long as this runs, and released at the end. If it
# is lost, because this machine was cut off for 30 seconds, this script and all that it started are ended.
if [ "${DEPLOY_LOCKED-}" != "$target" ]; then
  DEPLOY_LOCKED=$target exec holdfast run "deploy/$target" --term 30s --wait 10m -- "$0" "$release" "$target"
fi

# A machine that was paused for longer than that does not know it. So what is deployed to remembers the highest fence it
# has seen, and refuses smaller ones.
mkdir -p "$target"
last=$(cat "$target/fence" 2>/dev/null || echo 0)
if [ "$HOLDFAST_FENCE" -lt "$last" ]; then
  echo "refused: a later deployment than this one has been here" >&2
  exit 1
fi
echo "$HOLDFAST_FENCE" >"$target/fence"

echo "deploying $release to $target"
echo "$release" >"$target/release"
echo "$release" >>"$target/log"
