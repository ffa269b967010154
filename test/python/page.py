#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The programs of docs/python.md, one after the other.

    page.py SOURCE BUILD
"""
import contextlib
import io
import os
import re
import tempfile

import numpy as np

import direct
from tap import done, ok

with open(os.path.join(direct.SOURCE, "docs", "python.md"), encoding="utf-8") as f:
    BLOCKS = re.findall(r"^\n((?:    .*\n|\n(?=    ))+)", f.read(), re.M)
# Names that the page assumes.
names = {"weights": np.ones((4, 8), "f4"), "b": np.ones(8, "f4"), "u8": np.ones((3, 4), "u1")}
ran = 0
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    os.chdir(work)
    for block in BLOCKS:
        if re.match(r" +(python3|ISAKERN_|apt-get)", block):
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(re.sub(r"^    ", "", block, flags=re.M), names)
            failed = ""
        except Exception as reason:  # any exception fails the test
            failed = "%s: %s\n%s" % (type(reason).__name__, reason, block)
        ran += 1
        ok(not failed, "program %d of docs/python.md" % ran, failed)
    ok(ran >= 2 and names["y"].shape == (1, 16, 16, 8), "programs were found, and gave images")
    os.chdir("/")
done()
