#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""page.py FILE.png: makes a page of text for ocr, from fonts of Debian (fonts-dejavu-core, fonts-wqy-microhei).

"page.py --text" prints the lines that it has, in the order of reading.
"""
import sys

LATIN = "/usr/share/fonts/truetype/dejavu/%s.ttf"
CHINESE = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
WIDTH, HEIGHT = 900, 1000
# Left and top, pixels of the font, degrees, font, text. The text is article 1 of the Universal Declaration of Human Rights.
LINES = (
    (60, 50, 44, 0, LATIN % "DejaVuSans-Bold", "Universal Declaration"),
    (60, 150, 26, 0, LATIN % "DejaVuSerif", "All human beings are born free and equal"),
    (60, 190, 26, 0, LATIN % "DejaVuSerif", "in dignity and rights. They are endowed with"),
    (60, 230, 26, 0, LATIN % "DejaVuSerif", "reason and conscience and should act towards"),
    (60, 270, 26, 0, LATIN % "DejaVuSerif", "one another in a spirit of brotherhood."),
    (60, 360, 40, 0, CHINESE, "世界人权宣言"),
    (60, 440, 28, 0, CHINESE, "人人生而自由，在尊严和权利上一律平等。"),
    (60, 490, 28, 0, CHINESE, "他们赋有理性和良心，并应以兄弟关系的精神相对待。"),
    (60, 600, 30, 8, LATIN % "DejaVuSans", "This line rises by 8 degrees"),
    (60, 720, 30, 180, LATIN % "DejaVuSans", "and this one is upside down"),
    (60, 800, 18, 0, LATIN % "DejaVuSansMono", "isk_gemm_f32(c, a, packed, 64, 96, 128);"),
    (60, 860, 24, 0, LATIN % "DejaVuSans", "10 December 1948, Paris"),
)


def page():
    from PIL import Image, ImageDraw, ImageFont
    picture = Image.new("L", (WIDTH, HEIGHT), 255)
    for left, top, size, degrees, name, text in LINES:
        font = ImageFont.truetype(name, size)
        right, bottom = font.getbbox(text)[2:]
        ink = Image.new("L", (right + 2, bottom + 2), 0)
        ImageDraw.Draw(ink).text((0, 0), text, fill=255, font=font)
        ink = ink.rotate(degrees, expand=True, resample=Image.BICUBIC)
        picture.paste(20, (left, top), ink)
    return picture.convert("RGB")


if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
    print(__doc__.rstrip())
    sys.exit(0 if len(sys.argv) == 2 else 2)
if sys.argv[1] == "--text":
    print("\n".join(line[-1] for line in LINES))
else:
    page().save(sys.argv[1])
