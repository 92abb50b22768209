#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# probe.sh portals|mpi: asks the compiler what <portals.h> or <mpi.h> has, and prints a line for make:
# MISSING_portals := -DNO_name ... Needs CC and FLAGS in the environment, and LIBS, to link with. Most headers have all
# constants, so all are tried at once first. Names of later texts are asked for the other way round: -DHAS_name, and nothing is said of a header
# without them. Functions that take other arguments than the document's, types and members that are missing, are named;
# handles that are integers of several sizes are taken as such.
#
# Which revision of Portals it is, and how the header is called, is found out too: -DPORTALS_LATER=32 or 33 stands for
# Portals 3.2 and 3.3, -DPORTALS_HEADER=<portals3.h> for another name. REVISION_portals is the folder of portals/ that goes with it.
#
# What a header declares and its library does not have, the linker tells. Functions without which the interpreter can be
# built are left out; the others are printed as GAPS_portals := name ..
#
# probe.sh gaps NAME..: C that defines these functions, so that each does nothing and returns PTL_FAIL.
#
# probe.sh list [3.2|3.3]: all functions, types, members and constants of the header that the interpreter uses.

library=$1
case $library in
portals)
    names='PTL_FAIL PTL_NOINIT PTL_SEGV PTL_NOSPACE PTL_INIT_DUP PTL_INIT_INV PTL_INV_PSIZE PTL_INV_ASIZE PTL_INV_NI PTL_INV_ME
    PTL_INV_MD PTL_INV_EQ PTL_INV_HANDLE PTL_INV_PROC PTL_INV_PTINDEX PTL_PT_INV_INDEX PTL_AC_INV_INDEX PTL_INV_SR_INDX
    PTL_INV_SR_INDEX PTL_INV_REG PTL_ILL_MD PTL_ML_TOOLONG PTL_NOUPDATE PTL_EQ_EMPTY PTL_EQ_DROPPED PTL_ADDR_UNKNOWN PTL_MD_NONE'
    later='PTL_INUSE PTL_MD_INUSE'
    help='set PORTALS_CFLAGS (for example -I/opt/portals/include)' ;;
list | gaps) ;;
mpi)
    names='MPI_SIGNED_CHAR MPI_LONG_LONG_INT MPI_LONG_LONG MPI_UNSIGNED_LONG_LONG MPI_UB MPI_LB MPI_COMPLEX
    MPI_DOUBLE_COMPLEX MPI_2REAL MPI_2DOUBLE_PRECISION MPI_TAG_UB MPI_HOST MPI_IO MPI_WTIME_IS_GLOBAL
    IMPI_CLIENT_SIZE IMPI_CLIENT_COLOR IMPI_HOST_SIZE IMPI_HOST_COLOR'
    later=
    help='set MPICC to your compiler for MPI programs (for example /opt/mpi/bin/mpicc), or MPI_CFLAGS' ;;
esac

# functions: result, name, arguments by the document; a line for each
functions='int PtlInit(void)
void PtlFini(void)
int PtlGetId(ptl_process_id_t *, ptl_id_t *)
int PtlTransId(ptl_process_id_t *)
int PtlNIInit(ptl_interface_t, ptl_pt_index_t, ptl_ac_index_t, ptl_handle_ni_t *)
int PtlNIFini(ptl_handle_ni_t)
int PtlNIBarrier(ptl_handle_ni_t)
int PtlNIStatus(ptl_handle_ni_t, ptl_sr_index_t, ptl_sr_value_t *)
int PtlNIDist(ptl_handle_ni_t, ptl_process_id_t, double *)
int PtlNIHandle(ptl_handle_any_t, ptl_handle_ni_t *)
int PtlMEAttach(ptl_handle_ni_t, ptl_pt_index_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_handle_me_t *)
int PtlMEInsert(ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_ins_pos_t, ptl_handle_me_t, ptl_handle_me_t *)
int PtlMEUnlink(ptl_handle_me_t)
int PtlMDAttach(ptl_handle_me_t, ptl_md_t, ptl_unlink_t, ptl_handle_md_t *)
int PtlMDInsert(ptl_md_t, ptl_unlink_t, ptl_ins_pos_t, ptl_handle_md_t, ptl_handle_md_t *)
int PtlMDBind(ptl_handle_ni_t, ptl_md_t, ptl_handle_md_t *)
int PtlMDUnlink(ptl_handle_md_t)
int PtlMDUpdate(ptl_handle_md_t, ptl_md_t *, ptl_md_t *, ptl_handle_eq_t)
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, ptl_handle_eq_t *)
int PtlEQFree(ptl_handle_eq_t)
int PtlEQCount(ptl_handle_eq_t, ptl_size_t *)
int PtlEQGet(ptl_handle_eq_t, ptl_event_t *)
int PtlEQWait(ptl_handle_eq_t, ptl_event_t *)
int PtlACEntry(ptl_handle_ni_t, ptl_ac_index_t, ptl_process_id_t, ptl_pt_index_t)
int PtlPut(ptl_handle_md_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t)
int PtlGet(ptl_handle_md_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t)'

types='ptl_size_t ptl_id_t ptl_interface_t ptl_pt_index_t ptl_ac_index_t ptl_sr_index_t ptl_sr_value_t ptl_match_bits_t
ptl_handle_ni_t ptl_handle_me_t ptl_handle_md_t ptl_handle_eq_t ptl_handle_any_t
ptl_addr_kind_t ptl_process_id_t ptl_unlink_t ptl_ins_pos_t ptl_md_t ptl_event_t ptl_ack_req_t'

members='ptl_process_id_t.addr_kind ptl_process_id_t.nid ptl_process_id_t.pid ptl_process_id_t.gid ptl_process_id_t.rid
ptl_md_t.start ptl_md_t.length ptl_md_t.threshold ptl_md_t.options ptl_md_t.user_ptr ptl_md_t.eventq
ptl_event_t.type ptl_event_t.initiator ptl_event_t.portal ptl_event_t.match_bits ptl_event_t.rlength ptl_event_t.mlength
ptl_event_t.offset ptl_event_t.mem_desc'

# Return codes of later revisions that some of their headers lack.
codes_32='PTL_INIT_DUP PTL_INV_REG PTL_INV_SR_INDX PTL_PT_FULL PTL_INUSE PTL_MD_INUSE PTL_ML_TOOLONG PTL_SEGV'
codes_33='PTL_PT_FULL PTL_IFACE_DUP PTL_UNKNOWN_ERROR PTL_PID_INVALID PTL_ME_LIST_TOO_LONG PTL_ME_IN_USE PTL_MD_IN_USE PTL_SEGV'

# Functions of later revisions that some of their libraries lack: the cases that need them are skipped.
functions_32='PtlGetUid PtlMEAttachAny'
functions_33="$functions_32 PtlGetJid PtlNIFailStr PtlHandleIsEqual PtlEQPoll PtlPutRegion PtlGetRegion PtlGetPut"

# Constants that no header may lack.
needed='PTL_OK PTL_IFACE_DEFAULT PTL_SR_DROP_COUNT PTL_ID_ANY PTL_PT_INDEX_ANY PTL_EQ_NONE PTL_MD_THRESH_INF
PTL_ADDR_NID PTL_ADDR_GID PTL_ADDR_BOTH PTL_UNLINK PTL_RETAIN PTL_INS_BEFORE PTL_INS_AFTER PTL_ACK_REQ PTL_NOACK_REQ
PTL_MD_OP_PUT PTL_MD_OP_GET PTL_MD_MANAGE_REMOTE PTL_MD_TRUNCATE PTL_MD_ACK_DISABLE
PTL_EVENT_GET PTL_EVENT_PUT PTL_EVENT_REPLY PTL_EVENT_ACK PTL_EVENT_SENT'

# The same of Portals 3.2 and 3.3. What one of them has alone stands behind a mark; "text" is a const char *.
later_functions='int PtlInit(int *)
void PtlFini(void)
int PtlNIInit(ptl_interface_t, ptl_pid_t, ptl_ni_limits_t *, ptl_ni_limits_t *, ptl_handle_ni_t *)
int PtlNIFini(ptl_handle_ni_t)
int PtlNIStatus(ptl_handle_ni_t, ptl_sr_index_t, ptl_sr_value_t *)
int PtlNIDist(ptl_handle_ni_t, ptl_process_id_t, unsigned long *)
int PtlNIHandle(ptl_handle_any_t, ptl_handle_ni_t *)
int PtlGetId(ptl_handle_ni_t, ptl_process_id_t *)
int PtlGetUid(ptl_handle_ni_t, ptl_uid_t *)
int PtlMEAttach(ptl_handle_ni_t, ptl_pt_index_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_ins_pos_t, ptl_handle_me_t *)
int PtlMEAttachAny(ptl_handle_ni_t, ptl_pt_index_t *, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_handle_me_t *)
int PtlMEInsert(ptl_handle_me_t, ptl_process_id_t, ptl_match_bits_t, ptl_match_bits_t, ptl_unlink_t, ptl_ins_pos_t, ptl_handle_me_t *)
int PtlMEUnlink(ptl_handle_me_t)
32: int PtlMDAttach(ptl_handle_me_t, ptl_md_t, ptl_unlink_t, ptl_unlink_t, ptl_handle_md_t *)
32: int PtlMDBind(ptl_handle_ni_t, ptl_md_t, ptl_handle_md_t *)
33: int PtlMDAttach(ptl_handle_me_t, ptl_md_t, ptl_unlink_t, ptl_handle_md_t *)
33: int PtlMDBind(ptl_handle_ni_t, ptl_md_t, ptl_unlink_t, ptl_handle_md_t *)
int PtlMDUnlink(ptl_handle_md_t)
int PtlMDUpdate(ptl_handle_md_t, ptl_md_t *, ptl_md_t *, ptl_handle_eq_t)
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, void (*)(ptl_event_t *), ptl_handle_eq_t *)
int PtlEQFree(ptl_handle_eq_t)
int PtlEQGet(ptl_handle_eq_t, ptl_event_t *)
int PtlEQWait(ptl_handle_eq_t, ptl_event_t *)
32: int PtlACEntry(ptl_handle_ni_t, ptl_ac_index_t, ptl_process_id_t, ptl_uid_t, ptl_pt_index_t)
33: int PtlACEntry(ptl_handle_ni_t, ptl_ac_index_t, ptl_process_id_t, ptl_uid_t, ptl_jid_t, ptl_pt_index_t)
int PtlPut(ptl_handle_md_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t, ptl_hdr_data_t)
int PtlGet(ptl_handle_md_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t)
33: int PtlGetJid(ptl_handle_ni_t, ptl_jid_t *)
33: text PtlNIFailStr(ptl_handle_ni_t, ptl_ni_fail_t)
33: int PtlHandleIsEqual(ptl_handle_any_t, ptl_handle_any_t)
33: int PtlEQPoll(ptl_handle_eq_t *, int, ptl_time_t, ptl_event_t *, int *)
33: int PtlPutRegion(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t, ptl_hdr_data_t)
33: int PtlGetRegion(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t)
33: int PtlGetPut(ptl_handle_md_t, ptl_handle_md_t, ptl_process_id_t, ptl_pt_index_t, ptl_ac_index_t, ptl_match_bits_t, ptl_size_t, ptl_hdr_data_t)'

later_types='ptl_size_t ptl_nid_t ptl_pid_t ptl_uid_t ptl_interface_t ptl_pt_index_t ptl_ac_index_t ptl_sr_index_t ptl_sr_value_t
ptl_match_bits_t ptl_hdr_data_t ptl_handle_ni_t ptl_handle_me_t ptl_handle_md_t ptl_handle_eq_t ptl_handle_any_t
ptl_process_id_t ptl_unlink_t ptl_ins_pos_t ptl_md_t ptl_event_t ptl_ack_req_t ptl_ni_limits_t'
types_32=
types_33='ptl_jid_t ptl_ni_fail_t ptl_time_t'

later_members='ptl_process_id_t.nid ptl_process_id_t.pid
ptl_md_t.start ptl_md_t.length ptl_md_t.threshold ptl_md_t.options ptl_md_t.user_ptr
ptl_event_t.type ptl_event_t.initiator ptl_event_t.uid ptl_event_t.match_bits ptl_event_t.rlength ptl_event_t.mlength ptl_event_t.offset
ptl_event_t.md_handle ptl_event_t.hdr_data ptl_event_t.link ptl_event_t.ni_fail_type ptl_event_t.sequence'
members_32='ptl_md_t.max_offset ptl_md_t.eventq ptl_event_t.portal ptl_event_t.mem_desc ptl_ni_limits_t.max_match_entries
ptl_ni_limits_t.max_mem_descriptors ptl_ni_limits_t.max_event_queues ptl_ni_limits_t.max_atable_index ptl_ni_limits_t.max_ptable_index'
members_33='ptl_md_t.max_size ptl_md_t.eq_handle ptl_event_t.pt_index ptl_event_t.md ptl_event_t.jid ptl_ni_limits_t.max_mes
ptl_ni_limits_t.max_mds ptl_ni_limits_t.max_eqs ptl_ni_limits_t.max_ac_index ptl_ni_limits_t.max_pt_index ptl_ni_limits_t.max_me_list
ptl_ni_limits_t.max_getput_md'

later_needed='PTL_OK PTL_FAIL PTL_EQ_EMPTY PTL_EQ_DROPPED PTL_IFACE_DEFAULT PTL_SR_DROP_COUNT PTL_NID_ANY PTL_PID_ANY PTL_UID_ANY
PTL_PT_INDEX_ANY PTL_EQ_NONE PTL_MD_THRESH_INF PTL_UNLINK PTL_RETAIN PTL_INS_BEFORE PTL_INS_AFTER PTL_ACK_REQ PTL_NOACK_REQ PTL_NI_OK
PTL_MD_OP_PUT PTL_MD_OP_GET PTL_MD_MANAGE_REMOTE PTL_MD_TRUNCATE PTL_MD_ACK_DISABLE PTL_EVENT_GET_START PTL_EVENT_GET_END
PTL_EVENT_PUT_START PTL_EVENT_PUT_END PTL_EVENT_REPLY_START PTL_EVENT_REPLY_END PTL_EVENT_SEND_START PTL_EVENT_SEND_END
PTL_EVENT_ACK PTL_EVENT_UNLINK'
needed_32='PTL_NOINIT PTL_NOSPACE PTL_INIT_INV PTL_INV_HANDLE PTL_INV_NI PTL_INV_ME PTL_INV_MD PTL_INV_EQ PTL_ILL_MD PTL_INV_PROC
PTL_INV_PTINDEX PTL_AC_INV_INDEX PTL_NOUPDATE'
needed_33='PTL_NO_INIT PTL_NO_SPACE PTL_IFACE_INVALID PTL_HANDLE_INVALID PTL_NI_INVALID PTL_ME_INVALID PTL_MD_INVALID PTL_EQ_INVALID
PTL_MD_ILLEGAL PTL_PROCESS_INVALID PTL_PT_INDEX_INVALID PTL_AC_INDEX_INVALID PTL_SR_INDEX_INVALID PTL_MD_NO_UPDATE PTL_MD_IOVEC
PTL_MD_MAX_SIZE PTL_MD_EVENT_START_DISABLE PTL_MD_EVENT_END_DISABLE PTL_EVENT_GETPUT_START PTL_EVENT_GETPUT_END'

# of_revision: the functions, types, members and constants of the revision take the place of those of 3.0
of_revision() {
    functions=$(echo "$later_functions" | sed -n "/^3[23]: /!p; s/^$revision: //p")
    eval "types=\"\$later_types \$types_$revision\" members=\"\$later_members \$members_$revision\" needed=\"\$later_needed \$needed_$revision\""
}

if [ "$library" = gaps ]; then
    shift
    [ $# -eq 0 ] || printf '#define %s gap_%s\n' $(for name; do echo "$name" "$name"; done)
    printf '#ifndef PORTALS_HEADER\n#define PORTALS_HEADER <portals.h>\n#endif\n#include PORTALS_HEADER\n'
    for name; do
        printf '\n#undef %s\nint %s(void);\nint %s(void)\n{\n    return PTL_FAIL;\n}\n' "$name" "$name" "$name"
    done
    exit 0
fi

if [ "$library" = list ]; then
    revision=$(echo "$2" | tr -d .)
    case $2 in
    '' | 3.0) ;;
    3.2 | 3.3) of_revision ;;
    *) echo "probe.sh list: $2 is none of 3.0, 3.2 and 3.3" >&2; exit 2 ;;
    esac
    echo "$functions"
    printf '%s\n' $types $members $needed
    exit 0
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# compiles TEXT: whether the header and then TEXT is a C program
header=$library.h
warnings=-w
network=
compiles() {
    printf '#include <%s>\n%s\n#include <stddef.h>\n%s\n' "$header" "$network" "$1" > "$folder/probe.c"
    $CC $FLAGS $warnings -c -o "$folder/probe.o" "$folder/probe.c" 2> "$folder/errors"
}

# unlinked NAME..: those of the functions that the library does not have. Nothing is said where it cannot be linked at all,
# or lacks what is none of them: then make will say so.
unlinked() {
    lost=
    while :; do
        uses= values=0
        for name; do
            case " $lost " in
            *" $name "*) continue ;;
            esac
            uses="$uses$(printf '\n#ifndef %s\nvoid (*volatile probe_%s)(void) = (void (*)(void))%s;\n#else\nint probe_%s;\n#endif' "$name" "$name" "$name" "$name")"
            values="$values + !probe_$name"
        done
        compiles "$uses
            int main(void) { return $values; }" || break
        # shellcheck disable=SC2086 # words of their own
        ! $CC $FLAGS -o "$folder/probe" "$folder/probe.o" $LIBS -lpthread 2> "$folder/errors" || break
        before=$lost
        for name; do
            case " $lost " in
            *" $name "*) continue ;;
            esac
            ! grep -i undefined "$folder/errors" | grep -qw "$name" || lost="$lost $name"
        done
        [ "$lost" != "$before" ] || break
    done
    echo "$lost"
}

# look_at_library NAME..: leaves out, or fills the gap of, each of these functions that the library does not have
look_at_library() {
    gaps= spares= optional=
    [ -z "$revision" ] || eval "optional=\" \$functions_$revision \""
    for name in $(unlinked "$@"); do
        case $optional in
        *" $name "*) spares="$spares $name" flags="$flags -DNO_$name" ;;
        *) gaps="$gaps $name" ;;
        esac
    done
    [ -z "$spares" ] || echo "note: the library lacks$spares; the cases that need them are skipped" >&2
    [ -z "$gaps" ] || echo "note: the library lacks$gaps; what stands in their place returns PTL_FAIL, and cases will say so" >&2
    echo "GAPS_portals :=$gaps"
}

# absent USE NAME..: prints each name of which "USE NAME" prints no C; asks for all at once, and for halves where one fails
absent() {
    [ $# -gt 1 ] || return 0
    ! compiles "$(how=$1; shift; for name; do "$how" "$name"; done)" || return 0
    if [ $# -eq 2 ]; then
        printf ' %s' "$2"
        return 0
    fi
    (
        how=$1
        shift
        left=$(($# / 2))
        first=
        while [ "$left" -gt 0 ]; do
            first="$first $1"
            left=$((left - 1))
            shift
        done
        absent "$how" $first
        absent "$how" "$@"
    )
}

# use NAME: a use of the constant
use() {
    case $1 in
    PTL_MD_NONE) echo "ptl_handle_md_t probe_$1(void) { ptl_handle_md_t x = $1; return x; }" ;;
    PTL_*) echo "long long probe_$1 = (long long)$1;" ;;
    MPI_TAG_UB | MPI_HOST | MPI_IO | MPI_WTIME_IS_GLOBAL | IMPI_*) echo "int probe_$1(void) { int x = $1; return x; }" ;;
    *) echo "MPI_Datatype probe_$1(void) { MPI_Datatype x = $1; return x; }" ;;
    esac
}

# find_revision: the first header that is there, and what it is the header of
revision=
find_revision() {
    for name in portals.h portals3.h p30.h portals/portals3.h portals/p30.h; do
        header=$name
        compiles '' && break
    done
    compiles '' || header=portals.h
    if compiles 'ptl_uid_t probe_user; long long probe_any = (long long)PTL_NID_ANY;'; then
        revision=32
        ! compiles 'long long probe_option = (long long)PTL_MD_EVENT_START_DISABLE;' || revision=33
    fi
}
[ "$library" != portals ] || find_revision

if ! compiles ''; then
    echo "$library.h cannot be compiled; $help:" >&2
    cat "$folder/errors" >&2
    exit 1
fi

# declare NAME: no C unless the header has it, as a function or as a macro
declare() {
    printf '#ifndef %s\nvoid *probe_%s = (void *)%s;\n#endif\n' "$1" "$1" "$1"
}

# declare_type NAME, declare_member TYPE.NAME, need NAME: uses of each
declare_type() {
    echo "extern $1 probe_$1;"
}
declare_member() {
    echo "long probe_${1%.*}_${1#*.}(${1%.*} *x) { return (long)sizeof x->${1#*.}; }"
}
need() {
    [ "$1" = PTL_EQ_NONE ] || echo "long long probe_$1(void) { return (long long)$1; }"
}

# call_of NAME: a call of the function, or macro, with what the revision has it take
call_of() {
    while read -r result rest; do
        [ "${rest%%(*}" = "$1" ] || continue
        rest=${rest#*(}
        echo "$result,${rest%)}" | awk -F, -v name="$1" '{
            out = ($1 == "text" ? "const char *" : $1 " ") "probe_" name "("; given = ""
            for (i = 2; i <= NF; i++) {
                type = $i; sub(/^ /, "", type)
                if (type == "void") { out = out "void"; continue }
                if (!sub(/\(\*\)/, "(*a" i ")", type)) type = type " a" i
                out = out (i > 2 ? ", " : "") type; given = given (i > 2 ? ", " : "") "a" i
            }
            print out ") { " ($1 == "void" ? "" : "return ") name "(" given "); }"
        }'
    done << END
$functions
END
}

# fill_in NAME SUBSTITUTE: what a header may lack and no case depends on
fill_in() {
    flags="$flags -D$1=$2"
    FLAGS="$FLAGS -D$1=$2"
}

# leave_out NOTE NAME..: functions without which the interpreter is built
leave_out() {
    what=$1
    shift
    [ $# -eq 0 ] || echo "note: <$header> has no $*$what; the cases that need them are skipped" >&2
    for name; do
        flags="$flags -DNO_$name"
    done
}

# bridged NAMES: names the functions among them that take other arguments; those that cases can do without are left out
bridged() {
    eval "optional=\" \$functions_$revision \""
    needs= spares=
    for name; do
        case $optional in
        *" $name "*) spares="$spares $name" ;;
        *) needs="$needs $name" ;;
        esac
    done
    leave_out " as Portals 3.${revision#3} has them" $spares
    [ -z "$needs" ] || echo "note: <$header> has other arguments than Portals 3.${revision#3}:$needs; see README.md" >&2
}

# find_network: the interfaces may stand in the header of a network, which programs include as P3_NAL
find_network() {
    for name in P3_NAL '<p3nal_utcp.h>'; do
        network="#include $name"
        if compiles "$(use PTL_IFACE_DEFAULT)"; then
            flags="$flags -DPORTALS_NETWORK='$name'"
            return
        fi
    done
    network=
}

# later_portals: a header of Portals 3.2 or 3.3 needs its revision and its name; a return code that it lacks gets a number
# that no library returns, and a function that it lacks is left out
later_portals() {
    echo "note: <$header> is of Portals 3.${revision#3}" >&2
    of_revision
    flags="-DPORTALS_LATER=$revision -DPORTALS_HEADER='<$header>'"
    compiles "$(use PTL_IFACE_DEFAULT)" || find_network
    compiles "$(use PTL_NOACK_REQ)" || ! compiles "$(use PTL_NO_ACK_REQ)" || fill_in PTL_NOACK_REQ PTL_NO_ACK_REQ
    number=2147483600
    eval "codes=\$codes_$revision"
    for name in $(absent use $codes); do
        number=$((number - 1))
        flags="$flags -D$name=-$number"
    done
    compiles "$(use PTL_MD_NONE)" || flags="$flags -DNO_PTL_MD_NONE"
    [ "$revision" = 32 ] || compiles "$(declare_type ptl_time_t)" || fill_in ptl_time_t int
    compiles "void (*probe_handler(void))(ptl_event_t *) { return PTL_EQ_HANDLER_NONE; }" || fill_in PTL_EQ_HANDLER_NONE 0
    eval "names=\$functions_$revision"
    lacks=$(absent declare $names)
    leave_out '' $lacks
    names=$(echo "$functions" | sed 's/^[^ ]* //; s/(.*//')
    for name in $lacks; do
        names=$(echo "$names" | grep -vx "$name")
    done
    lacks=$(absent declare_type $types; absent declare_member $members; absent need $needed)
    [ -z "$lacks" ] || echo "note: <$header> lacks$lacks, which Portals 3.${revision#3} has; see README.md" >&2
    warnings='-Werror=incompatible-pointer-types -Werror=int-conversion -Werror=implicit-function-declaration'
    bridged=$(absent call_of $names)
    bridged $bridged
    for name in $bridged; do
        names=$(echo "$names" | grep -vx "$name")
    done
    look_at_library $names
    echo "MISSING_portals := $flags"
    echo "REVISION_portals := later"
}
if [ -n "$revision" ]; then
    later_portals
    exit 0
fi

missing=
for name in $(absent use $names); do
    missing="$missing -DNO_$name"
done
[ -z "$missing" ] || echo "note: this $library.h has no$(echo "$missing" | sed 's/-DNO_//g')" >&2

# point_to NAME: a pointer to the function, of the type that the document prints
point_to() {
    while read -r result rest; do
        [ "${rest%%(*}" != "$1" ] || echo "$result (*probe_$1)(${rest#*(} = $1;"
    done << END
$functions
END
}

# look_at_portals: what no switch can make good is named, with what to do
look_at_portals() {
    lacks=$(absent declare_type $types; absent declare_member $members; absent need $needed)
    warnings=-Werror=incompatible-pointer-types
    bridge=$(absent point_to $(echo "$functions" | sed 's/^[^ ]* //; s/(.*//'))
    warnings=-w
    [ -z "$lacks" ] || echo "note: this portals.h lacks$lacks: define them in an adapter header, see README.md" >&2
    [ -z "$bridge" ] || echo "note: not as the document prints them:$bridge; bridge them in an adapter header, see README.md" >&2
    if ! compiles 'char probe_handles[sizeof(ptl_handle_ni_t) == sizeof(ptl_handle_any_t) ? 1 : -1];' &&
        compiles 'ptl_handle_any_t probe_any(ptl_handle_ni_t x) { return x; }'; then
        present="$present -DHANDLES_ARE_INTEGERS"
        echo "note: handles are integers of several sizes; they are converted by assignment (-DHANDLES_ARE_INTEGERS)" >&2
    fi
}

present=
absent_later=$(absent use $later)
for name in $later; do
    case "$absent_later " in
    *" $name "*) ;;
    *) present="$present -DHAS_$name" ;;
    esac
done
[ "$library" = mpi ] || look_at_portals
echo "MISSING_$library :=$missing$present"
[ "$library" = mpi ] || echo "REVISION_portals := first"
[ "$library" = mpi ] || look_at_library $(echo "$functions" | sed 's/^[^ ]* //; s/(.*//')
