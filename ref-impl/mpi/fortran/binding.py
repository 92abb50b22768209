#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Writes the Fortran 77 binding of MPI from mpi.h: mpif.h, and a subroutine in C for each function.

A parameter is carried over by its type and, where one type means several things, by its name; what no rule knows ends
the build. What is not carried over by rule is in f77.c.
"""

import argparse
import re
import sys

HANDLES = {"MPI_Comm": "Comm", "MPI_Group": "Group", "MPI_Datatype": "Type", "MPI_Op": "Op",
           "MPI_Errhandler": "Errhandler", "MPI_Request": "Request", "MPI_Info": "Info", "MPI_Win": "Win",
           "MPI_Message": "Message", "MPI_File": "File"}
BY_HAND = {"MPI_Init", "MPI_Dup_fn", "MPI_Keyval_create", "MPI_Attr_put", "MPI_Attr_get", "MPI_Address", "MPI_Pcontrol",
           "MPI_Buffer_detach", "MPI_Status_f2c", "MPI_Status_c2f", "MPI_Win_get_attr", "MPI_Alloc_mem",
           "MPI_Get_address", "MPI_Init_thread", "MPI_Comm_create_keyval", "MPI_Comm_set_attr", "MPI_Comm_get_attr",
           "MPI_Info_get", "MPI_Alltoallw", "MPI_Ialltoallw",
           "MPI_Type_dup_fn", "MPI_Win_dup_fn", "MPI_Type_create_keyval", "MPI_Type_set_attr", "MPI_Type_get_attr",
           "MPI_Win_create_keyval", "MPI_Win_set_attr", "MPI_Type_get_contents", "MPI_Win_allocate",
           "MPI_Grequest_start", "MPI_Neighbor_alltoallw", "MPI_Ineighbor_alltoallw", "MPI_Win_allocate_shared",
           "MPI_Win_shared_query", "MPI_Info_get_string", "MPI_Comm_spawn", "MPI_Comm_spawn_multiple",
           "MPI_Register_datarep"}
# In functions of MPI-2 an address is INTEGER(KIND=MPI_ADDRESS_KIND)
WIDE = re.compile(r"MPI_(R?(put|get|accumulate|get_accumulate)|Put|Get|Accumulate|Get_accumulate|Fetch_and_op"
                  r"|Compare_and_swap|Win_\w+|File_\w+|Type_create_\w+|Type_get_(true_)?extent"
                  r"|(Unp|P)ack_external(_size)?)")
ADDRESS_KIND = 8
# What a pointer to it is in both languages
AS_IT_IS = {"int", "void", "MPI_Count", "MPI_Offset", "MPI_File_errhandler_fn",
            "MPI_User_function", "MPI_Handler_function", "MPI_Win_errhandler_fn"}
STATUS_SIZE = 8


class Subroutine:
    """The binding of one function: its parameters, and what comes before and after the call."""

    def __init__(self, name, parameters):
        self.name = name
        self.parameters, self.behind = [], []
        self.before, self.arguments, self.after = [], [], []
        names = [split(text)[1] for text in parameters]
        self.count = next((name for name in ("count", "incount") if name in names), None)
        for text in parameters:
            self.carry(*split(text))

    def add(self, parameter, argument, before=(), after=()):
        """A parameter in Fortran, and what it is for the function."""
        self.parameters.append(parameter)
        self.arguments.append(argument)
        self.before += before
        self.after += after

    def carry(self, kind, name):
        """Finds the rule for one parameter."""
        const, base = kind.startswith("const "), kind.replace("const ", "").rstrip(" *")
        pointer = kind.endswith("*")
        if base == "MPI_Aint" and WIDE.fullmatch(self.name):
            self.add(f"{kind}{name}" if pointer else f"const MPI_Aint *{name}", name if pointer else f"*{name}")
        elif base in ("MPI_Count", "MPI_Offset") and not pointer:
            self.add(f"const {base} *{name}", f"*{name}")
        elif base in ("int", "MPI_Aint") and not pointer:
            self.add(f"const MPI_Fint *{name}", f"*{name}")
        elif base in HANDLES and not pointer:
            self.add(f"const MPI_Fint *{name}", f"MPI_{HANDLES[base]}_f2c(*{name})")
        elif name in ("requests", "types", "statuses") or kind == "const MPI_Aint *":
            self.carry_array(base, const, name)
        elif base in HANDLES:
            letter = HANDLES[base]
            self.add(f"MPI_Fint *{name}", f"&c_{name}", [f"{base} c_{name} = MPI_{letter}_f2c(*{name});"],
                     [f"*{name} = MPI_{letter}_c2f(c_{name});"])
        elif base == "MPI_Status":
            self.carry_status(const, name)
        elif kind == "MPI_Aint *":
            self.add(f"MPI_Fint *{name}", f"&c_{name}", [f"MPI_Aint c_{name} = 0;"],
                     [f'code = f77_integer("{self.name}", code, c_{name}, {name});'])
        elif kind == "int *" and name in ("index", "outcount") and self.name != "MPI_Graph_get":
            above = f" + (c_{name} >= 0)" if name == "index" else ""
            self.add(f"MPI_Fint *{name}", f"&c_{name}", [f"int c_{name} = MPI_UNDEFINED;"],
                     [f"*{name} = c_{name}{above};"])
        elif kind == "int *" and name == "indices":
            self.add(f"MPI_Fint *{name}", name, (), ["for (int i = 0; i < *outcount; i++) {", f"    {name}[i]++;", "}"])
        elif kind == "const char *":
            self.add(f"const char *{name}", f"c_{name}", [f"char *c_{name} = f77_string({name}, {name}_octets);"],
                     [f"free(c_{name});"])
            self.behind.append(f"size_t {name}_octets")
        elif kind == "char *":
            self.add(f"char *{name}", f"c_{name}", [f"char c_{name}[F77_TEXT] = \"\";"],
                     [f"f77_text(c_{name}, {name}, {name}_octets);"])
            self.behind.append(f"size_t {name}_octets")
        elif name in ("sendbuf", "recvbuf"):
            self.add(f"{kind}{name}", f"f77_place({name})")
        elif name in ("weights", "sourceweights", "destweights"):
            self.add(f"{kind}{name}", f"f77_weights({name})")
        elif base in AS_IT_IS and pointer:
            self.add(f"{kind}{name}", name)
        elif kind == "int [][3]":
            self.add(f"int {name}[][3]", name)
        else:
            sys.exit(f"binding.py: {self.name}: no rule carries over '{kind} {name}'")

    def carry_status(self, const, name):
        """One status."""
        if const:
            self.add(f"const MPI_Fint *{name}", f"&c_{name}",
                     [f"MPI_Status c_{name};", f"(void)MPI_Status_f2c({name}, &c_{name});"])
        else:
            self.add(f"MPI_Fint *{name}", f"&c_{name}",
                     [f"MPI_Status c_{name};", f"(void)MPI_Status_f2c({name}, &c_{name});"],
                     [f"f77_status_end(&c_{name}, 1, {name});"])

    def carry_array(self, base, const, name):
        """Handles, addresses or statuses, `count` of each."""
        room = f"f77_room(*{self.count}, sizeof({base}))"
        one = {"MPI_Aint": f"{name}[i]", "MPI_Status": ""}.get(base, f"MPI_{HANDLES.get(base)}_f2c({name}[i])")
        before = [f"{base} *c_{name} = {room};"]
        loop = f"for (int i = 0; c_{name} && i < *{self.count}; i++) {{"
        if base == "MPI_Status":
            before += [loop, f"    (void)MPI_Status_f2c(f77_status_at({name}, i), &c_{name}[i]);", "}"]
            after = [f"f77_status_end(c_{name}, *{self.count}, {name});"]
        else:
            before += [loop, f"    c_{name}[i] = {one};", "}"]
            after = [] if const else [loop, f"    {name}[i] = MPI_{HANDLES[base]}_c2f(c_{name}[i]);", "}"]
        self.add(("const " if const else "") + f"MPI_Fint *{name}", f"c_{name}", before, [*after, f"free(c_{name});"])

    def text(self):
        """The subroutine, under both of its names."""
        low = self.name.lower()
        parameters = ", ".join([*self.parameters, "MPI_Fint *ierror", *self.behind])
        lines = [f"API void p{low}_({parameters})", "{", *(f"    {line}" for line in self.before),
                 f"    int code = {self.name}({', '.join(self.arguments)});",
                 *(f"    {line}" for line in self.after), "    *ierror = code;", "}",
                 f"F77_SECOND_NAME({low}_, p{low}_, ({parameters}))", ""]
        return "\n".join(lines)


def split(parameter):
    """`const int *ranks` into its type, the star included, and its name."""
    array = re.fullmatch(r"int (\w+)\[\]\[3\]", parameter)
    if array:
        return "int [][3]", array.group(1)
    kind, name = re.fullmatch(r"(.*?)(\w+)", parameter).groups()
    return kind.strip(), name


def subroutines(header):
    """Of each function that gives an error code."""
    for name, parameters in re.findall(r"^int (MPI_\w+)\(([^;]*)\);", header, re.MULTILINE):
        parameters = re.sub(r"\s+", " ", parameters)
        if name not in BY_HAND and not name.startswith("MPI_T_"):  # which is for C only
            yield Subroutine(name, [] if parameters == "void" else parameters.split(", ")).text()


def constants(header):
    """The numbers of mpi.h by their names, those of handles too."""
    kinds = {name: int(value) for name, value in re.findall(r"#define (ASSAY_MPI_\w+)\s+(\d+)\n", header)}
    found = {}
    for name, value in re.findall(r"#define (MPI_\w+|IMPI_\w+)\s+(.*?)\s*(?:/\*.*)?\n", header):
        handle = re.fullmatch(r"ASSAY_MPI_HANDLE\(MPI_\w+, (\w+), (\d+)\)", value)
        if handle:
            found[name] = int(handle.group(2)) << 4 | kinds[handle.group(1)]
        elif re.fullmatch(r"\(?-?\d+\)?", value):
            found[name] = int(value.strip("()"))
        elif value in found:
            found[name] = found[value]
    return found | {"MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ERROR": 3, "MPI_STATUS_SIZE": STATUS_SIZE,
                    "MPI_ADDRESS_KIND": ADDRESS_KIND, "MPI_OFFSET_KIND": 8, "MPI_COUNT_KIND": 8, "MPI_INTEGER_KIND": 4}


def mpif(header):
    """mpif.h, for fixed and for free form."""
    lines = ["! SPDX-License-Identifier: BSD-2-Clause", "! Copyright (c) 2026 The Assay authors", "!",
             "! mpif.h: the names of MPI 1.2, and those of MPI-2 that are there, for Fortran 77, made from mpi.h,",
             "! which explains them.", "!"]
    for name, value in constants(header).items():
        lines += [f"      INTEGER {name}", f"      PARAMETER ({name}={value})"]
    lines += ["      INTEGER MPI_BOTTOM", "      COMMON /MPI_ASSAY_BOTTOM/ MPI_BOTTOM",
              "      INTEGER MPI_IN_PLACE", "      COMMON /MPI_ASSAY_PLACE/ MPI_IN_PLACE",
              "      INTEGER MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)",
              "      COMMON /MPI_ASSAY_UNWEIGHTED/ MPI_UNWEIGHTED",
              "      COMMON /MPI_ASSAY_EMPTY/ MPI_WEIGHTS_EMPTY",
              "      CHARACTER MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1,1)",
              "      COMMON /MPI_ASSAY_ARGV/ MPI_ARGV_NULL",
              "      COMMON /MPI_ASSAY_ARGVS/ MPI_ARGVS_NULL",
              "      INTEGER MPI_ERRCODES_IGNORE(1)",
              "      COMMON /MPI_ASSAY_ERRCODES/ MPI_ERRCODES_IGNORE",
              "      INTEGER MPI_STATUS_IGNORE(MPI_STATUS_SIZE)",
              "      INTEGER MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)",
              "      COMMON /MPI_ASSAY_IGNORE/ MPI_STATUS_IGNORE",
              "      COMMON /MPI_ASSAY_IGNORE/ MPI_STATUSES_IGNORE",
              "      DOUBLE PRECISION MPI_WTIME, MPI_WTICK", "      EXTERNAL MPI_WTIME, MPI_WTICK",
              "      INTEGER(KIND=MPI_ADDRESS_KIND) MPI_AINT_ADD, MPI_AINT_DIFF",
              "      EXTERNAL MPI_AINT_ADD, MPI_AINT_DIFF",
              "      EXTERNAL MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, MPI_DUP_FN",
              "      EXTERNAL MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN",
              "      EXTERNAL MPI_COMM_DUP_FN",
              "      EXTERNAL MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN",
              "      EXTERNAL MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN",
              "      EXTERNAL MPI_TYPE_DUP_FN, MPI_WIN_DUP_FN"]
    return "\n".join(lines) + "\n"


def main():
    """Writes the one or the other to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("mpif.h", "subroutines"))
    parser.add_argument("header", help="mpi.h")
    options = parser.parse_args()
    with open(options.header, encoding="utf-8") as file:
        header = file.read()
    if options.what == "mpif.h":
        sys.stdout.write(mpif(header))
    else:
        print('/* Made by binding.py from mpi.h. */\n#include "ref-impl/mpi/fortran/f77.h"\n')
        print("\n".join(subroutines(header)))


if __name__ == "__main__":
    main()
