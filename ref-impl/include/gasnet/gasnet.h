/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * gasnet.h: GASNet 1, core and extended API, over Portals 3.3 (libassay-gasnet, `pkg-config --cflags --libs
 * assay-gasnet`). A program defines GASNET_SEQ (one thread calls the library), GASNET_PARSYNC (several may, in turns;
 * here the same as the next) or GASNET_PAR (several may) before it includes this. What each call means, GASNet's
 * specification says; here stands what this library adds or bounds.
 *
 *  - Segments are of the FAST kind: gasnet_attach makes one on each node, and puts and gets reach nothing else.
 *  - An error that a program cannot mend ends the process with a line on stderr that says what and where.
 *  - A handler runs in the thread that polls. Request handlers run one at a time; they may reply once, and neither send
 *    requests nor poll.
 */
#ifndef GASNET_H
#define GASNET_H

#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

//= GASN-038 GASN-039
#if defined GASNET_SEQ + defined GASNET_PARSYNC + defined GASNET_PAR != 1
#error "define GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR before gasnet.h is included"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
#define GASNET_VERSION            1
#define GASNET_SEGMENT_FAST       1
#define GASNET_ALIGNED_SEGMENTS   0
#define GASNET_PAGESIZE           4096
#define GASNET_MAXNODES           65536
#define GASNET_CONDUIT_PORTALS    1
#define GASNET_CONDUIT_NAME_STR   "PORTALS"
#define GASNET_BEGIN_FUNCTION()   ((void)0)
#define GASNET_POST_THREADINFO(i) ((void)(i))
#define GASNET_GET_THREADINFO()   NULL
#ifdef GASNET_SEQ
#define GASNET_CONFIG_STRING "RELEASE=1,SPEC=1.8,CONDUIT=PORTALS,THREADMODEL=SEQ,SEGMENT=FAST,PTR=64bit"
#elif defined GASNET_PARSYNC
#define GASNET_CONFIG_STRING "RELEASE=1,SPEC=1.8,CONDUIT=PORTALS,THREADMODEL=PARSYNC,SEGMENT=FAST,PTR=64bit"
#else
#define GASNET_CONFIG_STRING "RELEASE=1,SPEC=1.8,CONDUIT=PORTALS,THREADMODEL=PAR,SEGMENT=FAST,PTR=64bit"
#endif

/* ---- types and codes --------------------------------------------------------------------------------------------- */

enum {
    GASNET_OK = 0,
    GASNET_ERR_NOT_INIT = 10001, /* before gasnet_init or gasnet_attach */
    GASNET_ERR_RESOURCE,         /* memory, or Portals, gives no more */
    GASNET_ERR_BAD_ARG,          /* an argument or a variable of the environment has no legal value */
    GASNET_ERR_NOT_READY,        /* not yet: of the calls that try */
    GASNET_ERR_BARRIER_MISMATCH  /* the nodes named different barriers */
};

typedef uint32_t gasnet_node_t;
typedef uint8_t gasnet_handler_t;
typedef int32_t gasnet_handlerarg_t;
typedef uintptr_t gasnet_register_value_t;
typedef struct gasnet_token *gasnet_token_t;
typedef struct gasnet_op *gasnet_handle_t;
typedef struct gasnet_op *gasnet_valget_handle_t;

typedef struct {
    void *addr;
    uintptr_t size;
} gasnet_seginfo_t;

typedef struct {
    gasnet_handler_t index; /* 128 to 255; 0: the library chooses and stores it here */
    void (*fnptr)();
} gasnet_handlerentry_t;

/* Octets of a gasnet_register_value_t, for the preprocessor. */
#if UINTPTR_MAX > 0xffffffffu
#define SIZEOF_GASNET_REGISTER_VALUE_T 8
#else
#define SIZEOF_GASNET_REGISTER_VALUE_T 4
#endif

#define GASNET_INVALID_HANDLE ((gasnet_handle_t)0)

const char *gasnet_ErrorName(int code);
const char *gasnet_ErrorDesc(int code);

/* ---- the job ----------------------------------------------------------------------------------------------------- */

int gasnet_init(int *argc, char ***argv);
int gasnet_attach(gasnet_handlerentry_t *table, int entries, uintptr_t segment_size, uintptr_t min_heap_offset);

/* gasnet_exit - ends the job, from any node; exit(), and returning from main, do the same. */
void gasnet_exit(int code) __attribute__((noreturn));

gasnet_node_t gasnet_mynode(void);
gasnet_node_t gasnet_nodes(void);
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);
int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int entries);
char *gasnet_getenv(const char *name);

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

enum { GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK };
int gasnet_set_waitmode(int mode);

int gasnet_AMPoll(void);

/* gasnetc_wait_poll does what has come, and sleeps a little where nothing has. */
void gasnetc_wait_poll(void);
#define GASNET_BLOCKUNTIL(condition)                                                                                   \
    do {                                                                                                               \
        while (!(condition)) {                                                                                         \
            gasnetc_wait_poll();                                                                                       \
        }                                                                                                              \
    } while (0)

/* ---- handler-safe locks ------------------------------------------------------------------------------------------ */

typedef struct {
    pthread_mutex_t mutex;
} gasnet_hsl_t;

#define GASNET_HSL_INITIALIZER                                                                                         \
    {                                                                                                                  \
        PTHREAD_MUTEX_INITIALIZER                                                                                      \
    }

void gasnet_hsl_init(gasnet_hsl_t *lock);
void gasnet_hsl_destroy(gasnet_hsl_t *lock);
void gasnet_hsl_lock(gasnet_hsl_t *lock);
void gasnet_hsl_unlock(gasnet_hsl_t *lock);
int gasnet_hsl_trylock(gasnet_hsl_t *lock);

/* There are no interrupts to hold. */
#define gasnet_hold_interrupts()   ((void)0)
#define gasnet_resume_interrupts() ((void)0)

/* ---- active messages --------------------------------------------------------------------------------------------- */

/* Sixteen arguments; 952 octets with a medium one, 2^31-1 with a long one. */
size_t gasnet_AMMaxArgs(void);
size_t gasnet_AMMaxMedium(void);
size_t gasnet_AMMaxLongRequest(void);
size_t gasnet_AMMaxLongReply(void);
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *node);

/* What the calls for each number of arguments, gasnet_AMRequestShort0 to gasnet_AMReplyLong16, are made of. */
struct gasnetc_arguments {
    gasnet_handler_t handler;
    unsigned count;
    const gasnet_handlerarg_t *values;
};
struct gasnetc_payload {
    void *source;
    size_t octets;
    void *destination; /* long ones */
};
enum gasnetc_kind { GASNETC_SHORT, GASNETC_MEDIUM, GASNETC_LONG, GASNETC_LONG_ASYNC };
int gasnetc_request(gasnet_node_t node, enum gasnetc_kind kind, const struct gasnetc_arguments *arguments,
                    const struct gasnetc_payload *payload);
int gasnetc_reply(gasnet_token_t token, enum gasnetc_kind kind, const struct gasnetc_arguments *arguments,
                  const struct gasnetc_payload *payload);

#include <gasnet_arguments.h>

/* ---- puts and gets ----------------------------------------------------------------------------------------------- */

void gasnet_put(gasnet_node_t node, void *destination, void *source, size_t octets);
void gasnet_put_bulk(gasnet_node_t node, void *destination, void *source, size_t octets);
void gasnet_get(void *destination, gasnet_node_t node, void *source, size_t octets);
void gasnet_get_bulk(void *destination, gasnet_node_t node, void *source, size_t octets);
void gasnet_memset(gasnet_node_t node, void *destination, int value, size_t octets);

gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void *destination, void *source, size_t octets);
gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void *destination, void *source, size_t octets);
gasnet_handle_t gasnet_get_nb(void *destination, gasnet_node_t node, void *source, size_t octets);
gasnet_handle_t gasnet_get_nb_bulk(void *destination, gasnet_node_t node, void *source, size_t octets);
gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *destination, int value, size_t octets);

void gasnet_wait_syncnb(gasnet_handle_t handle);
int gasnet_try_syncnb(gasnet_handle_t handle);
void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t count);
int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t count);
void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t count);
int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t count);

void gasnet_put_nbi(gasnet_node_t node, void *destination, void *source, size_t octets);
void gasnet_put_nbi_bulk(gasnet_node_t node, void *destination, void *source, size_t octets);
void gasnet_get_nbi(void *destination, gasnet_node_t node, void *source, size_t octets);
void gasnet_get_nbi_bulk(void *destination, gasnet_node_t node, void *source, size_t octets);
void gasnet_memset_nbi(gasnet_node_t node, void *destination, int value, size_t octets);

void gasnet_wait_syncnbi_puts(void);
void gasnet_wait_syncnbi_gets(void);
void gasnet_wait_syncnbi_all(void);
int gasnet_try_syncnbi_puts(void);
int gasnet_try_syncnbi_gets(void);
int gasnet_try_syncnbi_all(void);
void gasnet_begin_nbi_accessregion(void);
gasnet_handle_t gasnet_end_nbi_accessregion(void);

/* Values of 1 to 8 octets. */
void gasnet_put_val(gasnet_node_t node, void *destination, gasnet_register_value_t value, size_t octets);
gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void *destination, gasnet_register_value_t value, size_t octets);
void gasnet_put_nbi_val(gasnet_node_t node, void *destination, gasnet_register_value_t value, size_t octets);
gasnet_register_value_t gasnet_get_val(gasnet_node_t node, void *source, size_t octets);
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *source, size_t octets);
gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle);

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

enum { GASNET_BARRIERFLAG_ANONYMOUS = 1, GASNET_BARRIERFLAG_MISMATCH = 2 };

void gasnet_barrier_notify(int id, int flags);
int gasnet_barrier_wait(int id, int flags);
int gasnet_barrier_try(int id, int flags);

#ifdef __cplusplus
}
#endif

#endif
