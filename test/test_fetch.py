#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/fetch.sh against a local registry: whole, resumed, damaged, missing, and with an unsigned certificate.

    test_fetch.py SOURCE
"""
import functools
import hashlib
import http.server
import io
import os
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import threading

from tap import done, ok, skip, skip_all

SOURCE, = sys.argv[1:]
if not shutil.which("curl"):
    skip_all("no curl (Debian: curl)")
CONTENT = bytes(range(256)) * 400
SUM = hashlib.sha256(CONTENT).hexdigest()


def package():
    text = io.BytesIO()
    with tarfile.open(fileobj=text, mode="w:gz") as tar:
        member = tarfile.TarInfo("package/model/data.bin")
        member.size = len(CONTENT)
        tar.addfile(member, io.BytesIO(CONTENT))
    return text.getvalue()


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Registry:
    """One package, @scope/some@1.2.3, served from a folder."""

    def __init__(self, work, certificate=None):
        folder = os.path.join(work, "registry", "@scope", "some", "-")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "some-1.2.3.tgz"), "wb") as f:
            f.write(PACKAGE)
        handler = functools.partial(Handler, directory=os.path.join(work, "registry"))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = "http%s://127.0.0.1:%d/" % ("s" if certificate else "", self.server.server_port)


def fetch(folder, registry, package_sum, name="@scope/some@1.2.3"):
    """The process of a fetch.sh for that package. PATH has no npm."""
    script = os.path.join(folder, "fetch.sh")
    with open(script, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nset -eu\n. %s/examples/fetch.sh\nfolder some \"$@\"\nway_out='ask a friend'\n"
                "fetch %s %s 1 2 '%s  data.bin' package/model/data.bin\necho \"$dir\"\n" % (SOURCE, name, package_sum, SUM))
    env = {"PATH": "/usr/bin:/bin", "HOME": folder, "npm_config_registry": registry, "no_proxy": "127.0.0.1"}
    return subprocess.run(["sh", script, os.path.join(folder, "out")], capture_output=True, text=True, env=env)


PACKAGE = package()
PACKAGE_SUM = hashlib.sha256(PACKAGE).hexdigest()
with tempfile.TemporaryDirectory(prefix="isakern-test-") as work:
    registry = Registry(work).url

    def folder(name):
        path = os.path.join(work, name)
        os.makedirs(os.path.join(path, "out"))
        return path

    home = folder("whole")
    r = fetch(home, registry, PACKAGE_SUM)
    ok(r.returncode == 0 and r.stdout == os.path.join(home, "out") + "\n", "a package is fetched by curl alone", r)
    with open(os.path.join(home, "out", "data.bin"), "rb") as f:
        ok(f.read() == CONTENT, "and unpacked")
    r = fetch(home, "http://127.0.0.1:1/", PACKAGE_SUM)
    ok(r.returncode == 0 and not r.stderr, "a second time takes no network", r)

    home = folder("begun")
    with open(os.path.join(home, "out", "package.tgz.part"), "wb") as f:
        f.write(PACKAGE[:100])
    r = fetch(home, registry, PACKAGE_SUM)
    ok(r.returncode == 0, "a download that broke off is completed", r)

    r = fetch(folder("other"), registry, "0" * 64)
    ok(r.returncode == 1 and "sha256" in r.stderr and not r.stdout, "another package is refused", r)
    r = fetch(folder("missing"), registry, PACKAGE_SUM, "@scope/some@9.9.9")
    ok(r.returncode == 1 and "404" in r.stderr and "some-9.9.9.tgz" in r.stderr and "ask a friend" in r.stderr,
       "a missing one: the address, the reason and the way out", r)

    if shutil.which("openssl"):
        pem = os.path.join(work, "own.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
                        "-keyout", pem, "-out", pem + ".crt"], check=True, capture_output=True)
        with open(pem, "a", encoding="utf-8") as f, open(pem + ".crt", encoding="utf-8") as certificate:
            f.write(certificate.read())
        r = fetch(folder("unsigned"), Registry(work, pem).url, PACKAGE_SUM)
        ok(r.returncode == 1 and "certificate" in r.stderr, "a certificate that nobody signed is named as the reason", r)
    else:
        skip("a certificate that nobody signed", "no openssl (Debian: openssl)")
done()
