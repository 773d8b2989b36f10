#!/usr/bin/env bash
# The container of action/Containerfile, built and run without an engine: buildah in a chroot, as
# root, the base image made of Debian's packages. Then the action's script with takt in the
# container: one expectation holds, one does not.
set -euo pipefail
cd "$(dirname "$0")/../.."
.ci/install buildah mmdebstrap git
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
folder=$(mktemp -d)
base=docker.io/library/debian:bookworm-slim
if ! buildah inspect --type image $base >"$folder/base" 2>&1; then
    mmdebstrap --quiet --variant=minbase bookworm "$folder/base.tar"
    container=$(buildah from scratch)
    buildah add -q "$container" "$folder/base.tar" /
    buildah commit -q "$container" $base
    buildah rm "$container"
fi
git clone -q . "$folder/takt" # without what has been built here
buildah bud --layers --network host --pull-never -t takt -f action/Containerfile "$folder/takt"
container=$(buildah from --pull-never takt)
trap 'buildah rm "$container"; rm -rf "$folder"' EXIT
cp examples/mncore2/fma.vsm examples/mncore2/reduce.vsm "$folder/"
cd "$folder"
export TAKT_COMMAND="buildah run -v $folder:/work --workingdir /work $container -- /usr/bin/takt"
PROGRAMS="fma.vsm reduce.vsm" EXPECTATIONS="cycles <= 1300" "$folder/takt/action/expect.sh"
code=0
PROGRAMS=fma.vsm EXPECTATIONS="cycles <= 1200" "$folder/takt/action/expect.sh" || code=$?
[ $code = 1 ] || { echo "exit $code where an expectation does not hold" >&2; exit 1; }
for report in fma.vsm.xml fma.vsm.sarif reduce.vsm.xml reduce.vsm.sarif; do
    [ -s "takt-reports/$report" ] || { echo "no report $report" >&2; exit 1; }
done
echo "the container and the action's script: as expected"
