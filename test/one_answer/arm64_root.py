# SPDX-License-Identifier: MIT
"""The packages of another architecture of Debian 12, unpacked and not installed, for programs that QEMU runs."""
import glob
import os
import subprocess

SUITE = "bookworm"


def unpack(folder, architecture, packages):
    """Downloads packages with all that they depend on, and unpacks them. Returns the root, or the reason why there is none."""
    mirrors = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Codename: " + SUITE],
                             text=True, stdout=subprocess.PIPE, check=True).stdout.split()
    there, root = os.path.join(folder, "download"), os.path.join(folder, "root")
    said = subprocess.run(["debootstrap", "--download-only", "--variant=minbase", "--arch=" + architecture,
                           "--include=" + ",".join(packages), SUITE, there, mirrors[0] if mirrors else "http://deb.debian.org/debian"],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if said.returncode:
        return "", "debootstrap: " + said.stdout.strip().split("\n")[-1]
    for deb in glob.glob(os.path.join(there, "var/cache/apt/archives/*.deb")):
        subprocess.run(["dpkg", "-x", deb, root], check=True)
    return root, ""
