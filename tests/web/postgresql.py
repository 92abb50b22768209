# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A PostgreSQL server of the tests' own: in a temporary folder, behind a socket in it, ended with the process.

What a test writes need not survive a power failure, so nothing is synced. The server refuses to run as root: there it
runs as the user that its package has made.
"""
import atexit
import functools
import glob
import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile

import psycopg2

USER = "postgres"


class Server:
    """A server, begun at once; `variables`, of its folder, gives more for its environment."""

    def __init__(self, variables=lambda folder: {}):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/pg_ctl"), key=lambda path: int(path.split("/")[4]))
        self.control = found[-1] if found else shutil.which("pg_ctl")
        self.as_user = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-postgresql-"))
        self.numbers = itertools.count()
        if self.as_user:
            shutil.chown(self.folder, USER)
        self.environment = {**os.environ, **variables(self.folder)}
        self.tell("initdb", "-o", f"-A trust -U {USER} -E UTF8 --locale=C -N")
        self.begin()

    def begin(self):
        """Starts it, also after a stop."""
        self.tell("start", "-w", "-l", self.folder / "log", "-o",
                  f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off -c max_connections=500")

    def tell(self, *words):
        """pg_ctl with these words."""
        subprocess.run([*self.as_user, self.control, *words, "-s", "-D", self.folder / "data"], check=True, cwd="/",
                       env=self.environment, capture_output=True, timeout=180)

    def url(self, name):
        """The address of one of its databases."""
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def new_database(self):
        """The address of a new, empty database."""
        name = f"assay{next(self.numbers)}"
        connection = psycopg2.connect(self.url(USER))
        connection.autocommit = True
        connection.cursor().execute(f"CREATE DATABASE {name}")
        connection.close()
        return self.url(name)

    def end(self):
        """No database outlives the tests."""
        self.tell("stop", "-m", "immediate")
        shutil.rmtree(self.folder)


@functools.cache
def server():
    """The server of this process."""
    one = Server()
    atexit.register(one.end)
    return one


class Connection:
    """What of sqlite3's connection the tests use."""

    def __init__(self, url):
        self.connection = psycopg2.connect(url)

    def execute(self, sql, values=()):
        cursor = self.connection.cursor()
        cursor.execute(sql.replace("%", "%%").replace("?", "%s"), values)
        return cursor

    def close(self):
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, _value, _trace):
        self.connection.rollback() if kind else self.connection.commit()
