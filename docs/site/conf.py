# SPDX-License-Identifier: MIT
"""How Sphinx makes a site of the pages that make.py writes."""
project = "isakern"
html_title = "isakern"
extensions = ["myst_parser"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 3
# Our code blocks are C, the output of shells, and tables.
highlight_language = "c"
nitpicky = True
