/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a process sees of a file, and where it is in that: chapters 9.3, 9.4.3 and 9.5 of MPI-2.
 */
#include "ref-impl/mpi/files/view.h"

#include <string.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/files/view.h"
#include "ref-impl/mpi/api/types/type_make.h"
#include "ref-impl/mpi/files/pointer.h"
#include "ref-impl/mpi/types/external.h"
#include "ref-impl/mpi/types/runs.h"
#include "ref-impl/mpi/types/tree.h"

/* How data are in files. */
static const struct representation {
    const char *name;
    enum type_form form;
} representations[] = {{"native", TYPE_NATIVE}, {"internal", TYPE_NATIVE}, {"external32", TYPE_EXTERNAL}};

/* How far the octets of a type go that have been seen. */
struct ascent {
    ptrdiff_t reached;
    bool may_overlap;
};

/* Whether a run begins where the ones before it have ended, or not before the last of them: see runs_visit. */
static bool ascends(void *context, ptrdiff_t offset, size_t octets)
{
    struct ascent *ascent = context;
    bool good = offset >= ascent->reached;

    ascent->reached = ascent->may_overlap ? offset : offset + (ptrdiff_t)octets;
    return good;
}

/* What a type shows in a file goes on from 0 and never back; where the file is written it shows nothing twice. */
static void check_order(struct mpi_call *call, const struct mpi_type *type, const char *what)
{
    struct ascent ascent = {.may_overlap = call->file && call->file->mode & MPI_MODE_RDONLY};

    if (type && !runs_visit(type, 1, ascends, &ascent)) {
        call_fail(call, MPI_ERR_IO, "the displacements of %s are less than 0, go back or overlap", what);
    }
}

static const struct representation *find_representation(struct mpi_call *call, const char *name)
{
    for (size_t i = 0; call->code == MPI_SUCCESS && i < sizeof(representations) / sizeof(representations[0]); i++) {
        if (strcmp(name, representations[i].name) == 0) {
            return &representations[i];
        }
    }
    call_fail(call, MPI_ERR_UNSUPPORTED_DATAREP, "datarep is none of \"native\", \"internal\" and \"external32\"");
    return NULL;
}

/* A type as it lies in a file, held once more; NULL: the call has failed. */
static struct mpi_type *in_file(struct mpi_call *call, struct mpi_type *type, enum type_form form)
{
    struct mpi_type *shown = NULL;

    if (call->code != MPI_SUCCESS) {
        return NULL;
    }
    if (form == TYPE_NATIVE) {
        type_hold(type);
        return type;
    }
    shown = type_external(type);
    if (!shown) {
        call_fail(call, MPI_ERR_TYPE, "the datatype takes more in the file than memory has");
    }
    return shown;
}

/* A file type has whole elementary types, and the next one does not begin before it. */
static void check_types(struct mpi_call *call, const struct file_view *view)
{
    struct mpi_type *element = in_file(call, view->element, view->form);
    size_t octets = element ? type_octets(element, 1, TYPE_NATIVE) : 0;

    check_order(call, element, "etype");
    check_order(call, view->shown, "filetype");
    if (element && octets == 0) {
        call_fail(call, MPI_ERR_TYPE, "etype has no octets");
    } else if (element && view->shown && type_octets(view->shown, 1, TYPE_NATIVE) % octets != 0) {
        call_fail(call, MPI_ERR_ARG, "filetype is not a whole number of etypes");
    } else if (view->shown && type_octets(view->shown, 1, TYPE_NATIVE) > 0 && type_extent(view->shown) <= 0) {
        call_fail(call, MPI_ERR_TYPE, "the extent of filetype is not above 0");
    }
    type_release(element);
}

/* Whether the view begins where the pointer that the processes share is: so it must where the file is sequential, and
 * nowhere else can it. */
static bool begins_here(struct mpi_call *call, MPI_Offset begin)
{
    bool here = begin == MPI_DISPLACEMENT_CURRENT, sequential = call->file && call->file->mode & MPI_MODE_SEQUENTIAL;

    if (call->file && here != sequential) {
        call_fail(call, MPI_ERR_ARG, "disp is%s MPI_DISPLACEMENT_CURRENT, and the file is%s sequential",
                  here ? "" : " not", sequential ? "" : " not");
    } else if (!here && begin < 0) {
        call_fail(call, MPI_ERR_ARG, "disp is %lld, less than 0", begin);
    }
    return here;
}

/* Where in the file the shared pointer is. Waits for the others. */
static MPI_Offset place_of_pointer(struct mpi_call *call)
{
    const struct file_view *view = &call->file->view;
    MPI_Offset octets = view_element_octets(view), now = 0, place = -1;
    int code = pointer_look(call->file, &now);

    if (code != MPI_SUCCESS) {
        call_fail(call, code, "the shared pointer cannot be read");
    } else if (__builtin_mul_overflow(now, octets, &now) || (place = view_place(view, now)) < 0) {
        call_fail(call, MPI_ERR_IO, "the shared pointer is farther than a file reaches");
    }
    return place;
}

API int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
                          MPI_Info info)
{
    struct mpi_call call = call_on_file("MPI_File_set_view", fh);
    struct file_view view = {.element = call_type(&call, etype), .file_type = call_type(&call, filetype)};
    const struct representation *representation;

    call_output(&call, datarep, "datarep");
    call_info(&call, info);
    bool here = begins_here(&call, disp);
    representation = find_representation(&call, datarep);
    if (representation) {
        view.representation = representation->name;
        view.form = representation->form;
        view.shown = in_file(&call, view.file_type, view.form);
        check_types(&call, &view);
    }
    if (call.code == MPI_SUCCESS) {
        view.begin = here ? place_of_pointer(&call) : disp;
    }
    if (call.code == MPI_SUCCESS) {
        file_set_view(call.file, &view);
    }
    type_release(view.shown);
    return call.code == MPI_SUCCESS ? call_end_with(&call, pointer_reset(call.file)) : call_end(&call);
}

/* A handle for the program: that of a predefined type, or one of a copy, which it frees. */
static void name_type(struct mpi_call *call, const struct mpi_type *type, MPI_Datatype *handle)
{
    struct mpi_type *copy;

    if (type_is_predefined(type)) {
        *handle = type_handle(type);
    } else if ((copy = type_clone(type))) {
        (void)api_type_name(call, copy, handle);
    } else {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    }
}

API int MPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep)
{
    struct mpi_call call = call_on_file("MPI_File_get_view", fh);

    call_output(&call, disp, "disp");
    call_output(&call, etype, "etype");
    call_output(&call, filetype, "filetype");
    call_output(&call, datarep, "datarep");
    if (call.code == MPI_SUCCESS) {
        *disp = call.file->view.begin;
        name_type(&call, call.file->view.element, etype);
        name_type(&call, call.file->view.file_type, filetype);
        memcpy(datarep, call.file->view.representation, strlen(call.file->view.representation) + 1);
    }
    return call_end(&call);
}

API int MPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent)
{
    struct mpi_call call = call_on_file("MPI_File_get_type_extent", fh);
    struct mpi_type *type = call_any_type(&call, datatype), *shown;

    call_output(&call, extent, "extent");
    shown = call.code == MPI_SUCCESS ? in_file(&call, type, call.file->view.form) : NULL;
    if (shown) {
        *extent = type_extent(shown);
        type_release(shown);
    }
    return call_end(&call);
}

/* Elements of the view before the end of the file, one that is cut included. */
static MPI_Offset elements(struct mpi_call *call)
{
    MPI_Offset octets = 0, element = view_element_octets(&call->file->view);
    int code = file_size(call->file, &octets);

    if (code != MPI_SUCCESS) {
        call_fail(call, code, "the size of the file cannot be told");
    }
    return (view_length(&call->file->view, octets) + element - 1) / element;
}

MPI_Offset view_sought(struct mpi_call *call, MPI_Offset now, MPI_Offset offset, int whence)
{
    MPI_Offset from = 0;

    if (whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR && whence != MPI_SEEK_END) {
        call_fail(call, MPI_ERR_ARG, "whence is none of MPI_SEEK_SET, _CUR and _END");
    }
    if (call->code == MPI_SUCCESS && whence != MPI_SEEK_SET) {
        from = whence == MPI_SEEK_CUR ? now : elements(call);
    }
    if (__builtin_add_overflow(from, offset, &from) || from < 0) {
        call_fail(call, MPI_ERR_ARG, "the position would be before the begin of the view");
    }
    return from;
}

API int MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence)
{
    struct mpi_call call = call_on_file("MPI_File_seek", fh);
    MPI_Offset sought = view_sought(&call, call.code == MPI_SUCCESS ? call.file->position : 0, offset, whence);

    if (call.code == MPI_SUCCESS) {
        call.file->position = sought;
    }
    return call_end(&call);
}

API int MPI_File_get_position(MPI_File fh, MPI_Offset *offset)
{
    struct mpi_call call = call_on_file("MPI_File_get_position", fh);

    call_output(&call, offset, "offset");
    if (call.code == MPI_SUCCESS) {
        *offset = call.file->position;
    }
    return call_end(&call);
}

API int MPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp)
{
    struct mpi_call call = call_on_file("MPI_File_get_byte_offset", fh);

    call_output(&call, disp, "disp");
    if (offset < 0) {
        call_fail(&call, MPI_ERR_ARG, "offset is %lld, less than 0", offset);
    }
    if (call.code == MPI_SUCCESS) {
        const struct file_view *view = &call.file->view;
        MPI_Offset octet, place = -1;

        if (!__builtin_mul_overflow(offset, view_element_octets(view), &octet)) {
            place = view_place(view, octet);
        }
        if (place < 0) {
            call_fail(&call, MPI_ERR_ARG, "offset is %lld, farther than a file reaches", offset);
        } else {
            *disp = place;
        }
    }
    return call_end(&call);
}

API int MPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                             MPI_Datarep_conversion_function *write_conversion_fn,
                             MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
    struct mpi_call call = call_without("MPI_Register_datarep");

    (void)read_conversion_fn, (void)write_conversion_fn, (void)dtype_file_extent_fn, (void)extra_state;
    if (call.code == MPI_SUCCESS) {
        call.file = file_null();
    }
    call_output(&call, datarep, "datarep");
    call_fail(&call, MPI_ERR_UNSUPPORTED_OPERATION,
              "native, internal and external32 are the representations of data that there are");
    return call_end(&call);
}
