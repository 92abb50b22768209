/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The tool information interface: chapter 14.3 of MPI-3. This library has no control variables, no performance
 * variables and no categories, and says so: each number of them is 0, so every index is invalid, every name unknown,
 * and there is no handle. A tool may begin and end it as often as it likes, also outside MPI_Init and MPI_Finalize.
 * Sessions can be had, for a tool makes one before it asks what there is.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "ref-impl/mpi/api/call.h"

struct assay_mpi_t_session {
    SLIST_ENTRY(assay_mpi_t_session) link;
};

static SLIST_HEAD(, assay_mpi_t_session) sessions = SLIST_HEAD_INITIALIZER(sessions);
static int opened; /* as often as MPI_T_init_thread was called and MPI_T_finalize was not */

static bool find(MPI_T_pvar_session session)
{
    struct assay_mpi_t_session *at;

    SLIST_FOREACH(at, &sessions, link)
    {
        if (at == session) {
            return true;
        }
    }
    return false;
}

static void drop(MPI_T_pvar_session session)
{
    SLIST_REMOVE(&sessions, session, assay_mpi_t_session, link);
    free(session);
}

/* What a call returns that has nothing to give: that nobody began the interface comes before all else. */
static int refuse(int code)
{
    return opened > 0 ? code : MPI_T_ERR_NOT_INITIALIZED;
}

/* How many there are. */
static int tell(int *number)
{
    int code = refuse(number ? MPI_SUCCESS : MPI_T_ERR_INVALID);

    if (code == MPI_SUCCESS) {
        *number = 0;
    }
    return code;
}

API int MPI_T_init_thread(int required, int *provided)
{
    if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE || !provided) {
        return MPI_T_ERR_INVALID;
    }
    *provided = MPI_THREAD_SERIALIZED;
    opened++;
    return MPI_SUCCESS;
}

API int MPI_T_finalize(void)
{
    int code = refuse(MPI_SUCCESS);

    if (code == MPI_SUCCESS && --opened == 0) {
        while (!SLIST_EMPTY(&sessions)) {
            drop(SLIST_FIRST(&sessions));
        }
    }
    return code;
}

API int MPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    (void)enumtype;
    (void)num;
    (void)name;
    (void)name_len;
    return refuse(MPI_T_ERR_INVALID_HANDLE);
}

API int MPI_T_enum_get_item(MPI_T_enum enumtype, int index, int *value, char *name, int *name_len)
{
    (void)enumtype;
    (void)index;
    (void)value;
    (void)name;
    (void)name_len;
    return refuse(MPI_T_ERR_INVALID_HANDLE);
}

API int MPI_T_cvar_get_num(int *num_cvar)
{
    return tell(num_cvar);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                            MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope)
{
    (void)cvar_index;
    (void)name;
    (void)name_len;
    (void)verbosity;
    (void)datatype;
    (void)enumtype;
    (void)desc;
    (void)desc_len;
    (void)bind;
    (void)scope;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_cvar_get_index(const char *name, int *cvar_index)
{
    (void)cvar_index;
    return refuse(name ? MPI_T_ERR_INVALID_NAME : MPI_T_ERR_INVALID);
}

API int MPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count)
{
    (void)cvar_index;
    (void)obj_handle;
    (void)handle;
    (void)count;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    (void)handle;
    return refuse(MPI_T_ERR_INVALID_HANDLE);
}

API int MPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf)
{
    (void)handle;
    (void)buf;
    return refuse(MPI_T_ERR_INVALID_HANDLE);
}

API int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf)
{
    (void)handle;
    (void)buf;
    return refuse(MPI_T_ERR_INVALID_HANDLE);
}

API int MPI_T_pvar_get_num(int *num_pvar)
{
    return tell(num_pvar);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                            MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                            int *readonly, int *continuous, int *atomic)
{
    (void)pvar_index;
    (void)name;
    (void)name_len;
    (void)verbosity;
    (void)var_class;
    (void)datatype;
    (void)enumtype;
    (void)desc;
    (void)desc_len;
    (void)bind;
    (void)readonly;
    (void)continuous;
    (void)atomic;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index)
{
    (void)var_class;
    (void)pvar_index;
    return refuse(name ? MPI_T_ERR_INVALID_NAME : MPI_T_ERR_INVALID);
}

API int MPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    struct assay_mpi_t_session *made;
    int code = refuse(session ? MPI_SUCCESS : MPI_T_ERR_INVALID);

    if (code != MPI_SUCCESS) {
        return code;
    }
    made = malloc(sizeof(*made));
    if (!made) {
        return MPI_T_ERR_OUT_OF_SESSIONS;
    }
    SLIST_INSERT_HEAD(&sessions, made, link);
    *session = made;
    return MPI_SUCCESS;
}

API int MPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    int code = refuse(session && find(*session) ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION);

    if (code == MPI_SUCCESS) {
        drop(*session);
        *session = MPI_T_PVAR_SESSION_NULL;
    }
    return code;
}

API int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                                int *count)
{
    (void)pvar_index;
    (void)obj_handle;
    (void)handle;
    (void)count;
    return refuse(find(session) ? MPI_T_ERR_INVALID_INDEX : MPI_T_ERR_INVALID_SESSION);
}

API int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    (void)handle;
    return refuse(find(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION);
}

/* All handles of a session are none. */
static int turn(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    if (!find(session)) {
        return refuse(MPI_T_ERR_INVALID_SESSION);
    }
    return refuse(handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE);
}

API int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return turn(session, handle);
}

API int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return turn(session, handle);
}

API int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    (void)handle;
    (void)buf;
    return refuse(find(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION);
}

API int MPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
    (void)handle;
    (void)buf;
    return refuse(find(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION);
}

API int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    (void)handle;
    return refuse(find(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION);
}

API int MPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    (void)handle;
    (void)buf;
    return refuse(find(session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION);
}

API int MPI_T_category_get_num(int *num_cat)
{
    return tell(num_cat);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                                int *num_pvars, int *num_categories)
{
    (void)cat_index;
    (void)name;
    (void)name_len;
    (void)desc;
    (void)desc_len;
    (void)num_cvars;
    (void)num_pvars;
    (void)num_categories;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_category_get_index(const char *name, int *cat_index)
{
    (void)cat_index;
    return refuse(name ? MPI_T_ERR_INVALID_NAME : MPI_T_ERR_INVALID);
}

API int MPI_T_category_get_cvars(int cat_index, int len, int indices[])
{
    (void)cat_index;
    (void)len;
    (void)indices;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_category_get_pvars(int cat_index, int len, int indices[])
{
    (void)cat_index;
    (void)len;
    (void)indices;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_category_get_categories(int cat_index, int len, int indices[])
{
    (void)cat_index;
    (void)len;
    (void)indices;
    return refuse(MPI_T_ERR_INVALID_INDEX);
}

API int MPI_T_category_changed(int *stamp)
{
    return tell(stamp);
}
