#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""condense.py JSON: the part of `peers -jJSON` output that a page of speeds shows."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    run = json.load(f)
kept = {key: run[key] for key in ("isakern", "cpu", "isa_current", "capped_to_avx2", "kernel", "peaks", "peers")}
kept["groups"] = [{"group": g["group"], "rows": g["rows"], "lost": g["lost"], "x": g["times_the_best_peer"]}
                  for g in run["summary"]["groups"]]
kept["rows"] = [[r["group"], r["kernel"], r["shape"], round(r["rate"], 3), r["unit"], r["best_peer"],
                 round(r["times_the_best_peer"], 3)] for r in run["rows"] if r.get("times_the_best_peer")]
json.dump(kept, sys.stdout, separators=(",", ":"))
print()
