#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The targets of ninja that the tests outside of the slow suite need.

    needed.py BUILD
"""
import json
import os
import sys

BUILD = os.path.realpath(sys.argv[1])


def introspected(kind):
    with open(os.path.join(BUILD, "meson-info", "intro-%s.json" % kind), encoding="utf-8") as f:
        return json.load(f)


# A suite is named PROJECT:SUITE.
needed = {target for test in introspected("tests") if not any(suite.endswith(":slow") for suite in test["suite"])
          for target in test["depends"]}
for target in introspected("targets"):
    if target["id"] in needed:
        print(os.path.relpath(target["filename"][0], BUILD))
