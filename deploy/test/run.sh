#!/usr/bin/env bash
# Tests what is in deploy/: the chart without a cluster, then the image, run as the chart's pod. On Debian, as root.
#   deploy/test/run.sh [--update]     --update writes deploy/helm/snapshots anew instead of comparing
set -euo pipefail
cd "$(dirname "$0")/../.."
tools="$PWD/target/ci-tools"
work="$PWD/target/deploy"
mkdir -p "$work"
here=deploy/test
source $here/tools.sh
source $here/chart.sh
source $here/files.sh
source $here/image.sh

deploy_tools
chart "${1:-}"
files
image
