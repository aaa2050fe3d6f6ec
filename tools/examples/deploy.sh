#!/bin/sh
# A lock around a deployment: one at a time for each target, and a slow deployment never overwrites a later one.
#
#   ./deploy.sh RELEASE TARGET
#
# TARGET is a folder in this example; in practice a cluster, a bucket, a database. `holdfast` must be on the path.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 RELEASE TARGET" >&2
  exit 2
fi
release=$1
target=$2

# First call, by a user or by CI: the script restarts itself under a lease, which is renewed while it runs and released at
# the end. If the lease is lost, because this machine was offline for 30 seconds, holdfast terminates this script and all
# processes that it started.
if [ "${DEPLOY_LOCKED-}" != "$target" ]; then
  DEPLOY_LOCKED=$target exec holdfast run "deploy/$target" --term 30s --wait 10m -- "$0" "$release" "$target"
fi

# A machine that was paused for longer than that does not notice it. So the target remembers the highest fence that it has
# seen, and this script rejects smaller ones.
mkdir -p "$target"
last=$(cat "$target/fence" 2>/dev/null || echo 0)
if [ "$HOLDFAST_FENCE" -lt "$last" ]; then
  echo "rejected: a later deployment has already reached $target" >&2
  exit 1
fi
echo "$HOLDFAST_FENCE" >"$target/fence"

echo "deploying $release to $target"
echo "$release" >"$target/release"
echo "$release" >>"$target/log"
