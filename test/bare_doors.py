#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The front doors of Node and Rust on a bare Debian, from nothing to the first result, timed.

    bare_doors.py SOURCE BUILD MESON

A user has the file that `ninja npm` makes, or the installed library and the crates; nothing of isakern is compiled there. Needs
root, as bare_root.py does, and says what that does.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import bare_root
from tap import done, ok, skip_all

SOURCE, BUILD, MESON = sys.argv[1:]
APT = "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends %s >/tmp/apt.log"
NODE = """const isk = require('isakern'); const x = isk.gelu(Float32Array.of(-2, -1, 0, 1, 2));
console.log(isk.sum(x).toFixed(5), isk.info().isa)"""
MAIN = """fn main() -> Result<(), isakern::Error> {
    let mut x = [-2.0f32, -1.0, 0.0, 1.0, 2.0];
    isakern::gelu_f32_in_place(&mut x);
    println!("{:.5} {}", isakern::sum_f32(&x), isakern::isa());
    Ok(())
}
"""
CRATE = '[package]\nname = "first"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nisakern = { path = "../rust/isakern" }\n'
SESSIONS = {
    "Node": [(APT % "nodejs npm", None),
             ("mkdir /first && cd /first && npm install --offline --silent /isakern/package.tgz && du -sh node_modules/isakern", None),
             ("cd /first && node -e \"%s\"" % NODE, "2.59169")],
    "Rust": [(APT % "cargo rustc pkg-config", None), ("ldconfig", None),
             ("cd /isakern/first && cargo build --offline --release 2>&1 | tail -1", None),
             ("/isakern/first/target/release/first", "2.59169")],
}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    npm, node = shutil.which("npm"), os.path.join(BUILD, "src", "node", "isakern", "isakern.node")
    bare_root.skip_unless_possible(SOURCE)
    if not npm or not os.path.exists(node):
        skip_all("this build has no npm package")
    package = subprocess.run([sys.executable, os.path.join(SOURCE, "src", "node", "pack.py"), MESON, npm, SOURCE, BUILD], text=True,
                             stdout=subprocess.PIPE, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="isakern-bare-") as root:
        bare_root.prepare(SOURCE, root)
        shutil.copy(package, os.path.join(root, "isakern", "package.tgz"))
        shutil.copytree(os.path.join(BUILD, "src", "rust"), os.path.join(root, "isakern", "rust"))
        subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--tags", "runtime,devel", "--destdir", root],
                       stdout=subprocess.DEVNULL, check=True)
        write(os.path.join(root, "isakern/first/Cargo.toml"), CRATE)
        write(os.path.join(root, "isakern/first/src/main.rs"), MAIN)
        for door, commands in SESSIONS.items():
            whole = 0
            for command, wanted in commands:
                said = []
                status, wall, cpu = bare_root.run(root, command + " | tee -a /tmp/said" if wanted else command)
                whole += wall
                if wanted:
                    with open(os.path.join(root, "tmp/said"), encoding="utf-8") as f:
                        said = f.read().split()[-2:]
                ok(status == 0 and (not wanted or said[:1] == [wanted]),
                   "%s: %s: %.1f s, %.1f s of CPU" % (door, command.split("\n")[0][:70], wall, cpu), said)
            print("# %s, from nothing to the first result: %.0f s" % (door, whole), flush=True)
    done()


if __name__ == "__main__":
    main()
