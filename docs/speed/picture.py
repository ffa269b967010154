#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""picture.py: draws picture.svg, README's summary of the measurements in this folder.

A dot is the geometric mean of a machine's rows of one kind, relative to the best peer of each row; its line spans the middle
80 % of them. Rows without a peer do not count. A measurement is made by bench/peers/peers --json=FILE and condense.py.
"""
import glob
import json
import os
import statistics

import matplotlib
matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# Kinds of work, and their groups in bench/peers.
KINDS = {
    "matrix products, 16 rows and more": "cube m16 m64 m128 m512 beyond-cache fused-m16 fused-m128",
    "products of networks, 1 and 4 rows": "m1 m4 llama whisper resnet mobilenetv3 bert-large recommendation grouped-scales",
    "tiny and thin products": "tiny one-column few-columns short-k narrow",
    "products of doubles": "doubles",
    "convolutions": "depthwise depthwise-5x5 1x1 3x3 7x7 silero conv-transpose",
    "transposes": "transpose",
    "functions of arrays": "maps",
    "correctly rounded functions": "exact",
    "arithmetic, comparisons": "arithmetic selections",
    "reductions": "reductions columns",
    "softmax, norms": "rows",
    "conversions": "conversions",
    "cells, pools, bags, optimizers": "networks",
}
COLOURS = ["#0b6e99", "#d9730d", "#6940a5"]


def measurements():
    for path in sorted(glob.glob(os.path.join(HERE, "*.json"))):
        with open(path, encoding="utf-8") as f:
            run = json.load(f)
        groups = {}
        for group, _, _, _, _, _, times in run["rows"]:
            groups.setdefault(group, []).append(times)
        yield os.path.basename(path)[:-len(".json")].replace("-", " ").title(), groups


def draw(path):
    pyplot.rcParams.update({"svg.hashsalt": "isakern", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10})
    runs = list(measurements())
    known = {group for groups in KINDS.values() for group in groups.split()}
    missing = {group for _, groups in runs for group in groups} - known
    if missing:
        raise SystemExit("picture.py: no kind has these groups: " + ", ".join(sorted(missing)))
    figure, axes = pyplot.subplots(figsize=(8, 4.2))
    for i, (machine, groups) in enumerate(runs):
        for j, of_kind in enumerate(KINDS.values()):
            rows = sorted(times for group in of_kind.split() for times in groups.get(group, []))
            if not rows:
                continue  # a measurement from before these kernels were there
            y = -j - (i - (len(runs) - 1) / 2) * 0.3
            low, high = rows[len(rows) // 10], rows[-1 - len(rows) // 10]
            axes.plot([low, high], [y, y], color=COLOURS[i], linewidth=1.5, alpha=0.35, solid_capstyle="round")
            axes.plot(statistics.geometric_mean(rows), y, "o", color=COLOURS[i], markersize=5,
                      label=machine if j == 0 else None)
    axes.axvline(1, color="#333333", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_xticks([0.25, 0.5, 1, 2, 4, 8, 16], ["¼", "½", "1", "2", "4", "8", "16"])
    axes.set_yticks([-j for j in range(len(KINDS))], list(KINDS))
    axes.tick_params(length=0)
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("times as fast as the best peer of each row")
    axes.legend(frameon=False, loc="upper right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    draw(os.path.join(HERE, "picture.svg"))
