# SPDX-License-Identifier: MIT
"""A folder for LD_LIBRARY_PATH in which programs find our library by the name of any BLAS."""
import contextlib
import os
import tempfile


@contextlib.contextmanager
def folder(library, isakern):
    with tempfile.TemporaryDirectory(prefix="isakern-test-") as path:
        os.symlink(os.path.abspath(library), os.path.join(path, "libblas.so.3"))
        os.symlink(os.path.abspath(isakern), os.path.join(path, "libisakern.so.0"))
        yield path
