#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# portals.h stands by itself: it compiles as C99 and as C++11 with all warnings, includes nothing of ours, and the compiler
# tells one kind of handle from another. Prints TAP.

header=ref-impl/include
count=0
failed=0
check() { # NAME, EXPECTED (0 or 1), COMMAND...
    name=$1 expected=$2
    shift 2
    count=$((count + 1))
    "$@" >/dev/null 2>&1
    [ $? -ne 0 ] && got=1 || got=0
    if [ $got -eq "$expected" ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        failed=1
    fi
}

place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
cat >"$place/good.c" <<'END'
#include <portals.h>
int main(void)
{
    ptl_md_t md = {0, 0, PTL_MD_THRESH_INF, PTL_MD_OP_PUT | PTL_MD_OP_GET, 0, {0}};
    ptl_handle_any_t any;

    md.eventq = PTL_EQ_NONE;
    any = PTL_HANDLE_ANY(md.eventq);
    return any.value == PTL_HANDLE_ANY(PTL_MD_NONE).value ? 0 : 1;
}
END
cp "$place/good.c" "$place/good.cc"
cat >"$place/bad.c" <<'END'
#include <portals.h>
int main(void)
{
    ptl_handle_md_t md = {0};

    return PtlMEUnlink(md);
}
END
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -I$header"
check 'compiles as C99' 0 ${CC:-cc} -std=c99 $warnings "$place/good.c"
check 'takes one kind of handle for another: refused' 1 ${CC:-cc} -std=c99 $warnings "$place/bad.c"
if command -v g++ >/dev/null; then
    check 'compiles as C++11' 0 g++ -std=c++11 $warnings "$place/good.cc"
else
    count=$((count + 1))
    echo "ok $count - compiles as C++11 # SKIP no g++"
fi
check 'includes only stddef.h and stdint.h' 1 sh -c "grep '#include' $header/portals.h | grep -v -e stddef.h -e stdint.h"
echo "1..$count"
exit $failed
