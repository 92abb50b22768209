# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The program `assay` in tests: with cases of the test's own, against a fake or the reference."""

import itertools
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 1800


class Outcome:
    """What a run of `assay run` came to."""

    def __init__(self, process, report):
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr
        self.folder = report
        self.report = json.loads((report / "report.json").read_text()) if (report / "report.json").exists() else None

    def case(self, name):
        found = [case for case in self.report["cases"] if case["id"] == name]
        assert found, (f"{name} was not judged", self.out, self.err)
        return found[0]


class Assay:
    """The program, with a folder of cases."""

    def __init__(self, bin_dir, root, folder):
        self.program, self.bin_dir, self.folder = bin_dir / "assay", bin_dir, folder
        self.cases = folder / "cases"
        (self.cases / "portals-3.0").mkdir(parents=True)
        (self.cases / "lib").symlink_to(root / "tester" / "cases" / "lib")
        self.numbers = itertools.count(1)  # runs may begin in several threads

    def write(self, text, name="cases.lua"):
        path = self.cases / "portals-3.0" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def environment(self, cases=None, **more):
        """How busy this machine is says nothing, unless a test says so."""
        return {**os.environ, "ASSAY_CASES": str(cases or self.cases), "ASSAY_LOADAVG": os.devnull, **more}

    def call(self, *arguments, cases=None, environment=None, **options):
        return subprocess.run([self.program, *arguments], env=self.environment(cases, **(environment or {})), text=True,
                              capture_output=True, timeout=PATIENCE, check=False, **options)

    def run(self, *arguments, template, **options):
        """`assay run` with a report folder of its own."""
        report = self.folder / f"report-{next(self.numbers)}"
        process = self.call("run", "--report", str(report), *arguments, "--", *template, **options)
        return Outcome(process, report)

    def fake(self, behaviour, *arguments, **options):
        """The same against the fake."""
        return self.run(*arguments, template=self.fake_template(behaviour), **options)

    @staticmethod
    def fake_template(behaviour):
        return [sys.executable, str(HERE / "fake.py"), behaviour, "{np}", "{args}"]

    def reference_template(self):
        """The bundled reference."""
        return [str(self.bin_dir / "portalsrun"), "-np", "{np}", str(self.bin_dir / "interp-portals"), "{args}"]
