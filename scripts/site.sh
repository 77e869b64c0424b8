#!/usr/bin/env bash
# SPDX-FileCopyrightText: heddle contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the web site of README.md, docs/ and, where doxygen is installed, the reference of the headers: build/site, a folder that any
# web server serves. A link to a page or heading that is not there is an error. The first call fetches mkdocs-material from PyPI.
#
#   scripts/site.sh [--no-reference] [--serve]
#
#   --no-reference   takes the reference that scripts/reference.sh made before, if it did
#   --serve          shows the site on http://127.0.0.1:8000 until Ctrl-C

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

with_reference=true serve=false
for argument in "$@"; do
  case $argument in
    --no-reference) with_reference=false ;;
    --serve) serve=true ;;
    -h | --help) sed -n '5,11s/^# \{0,1\}//p' "$0" && exit 0 ;;
    *) echo "scripts/site.sh: unknown argument '$argument' (see --help)" >&2 && exit 2 ;;
  esac
done

scripts/dependencies.sh site
if $with_reference && command -v doxygen > /dev/null; then
  scripts/reference.sh
fi
# Not --quiet, which would keep warnings from counting.
NO_MKDOCS_2_WARNING=1 PYTHONPATH=build/deps/site/python python3 -B -m mkdocs build --strict
echo "Site: $PWD/build/site/index.html"
! $serve || python3 -m http.server --bind 127.0.0.1 --directory build/site 8000
