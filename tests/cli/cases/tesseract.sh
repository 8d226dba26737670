# SPDX-License-Identifier: BSD-2-Clause
# What five programs that call tesseract ask for, in their words, and what they make of the answer.
. "$CASES/_lib.sh"
mkdir bin
ln -s "$(dirname "$PLATEN")/platen-tesseract" bin/tesseract
PATH=$PWD/bin:$PATH
cp "$SOURCE/samples/pages/letter.png" page.png
"$PLATEN" -q -p 'gray,rotate:angle=-90' -f png -o left.png page.png
"$PLATEN" -q -p 'gray,rotate:angle=-3:expand=no' -f png -o askew.png page.png
blank blank.pgm 300 200
python3 - <<'PY'
import csv, io, math, os, re, subprocess
import xml.etree.ElementTree as ET

def run(*args, rc=0, env=None, **more):
    r = subprocess.run(["tesseract", *args], capture_output=True, env={**os.environ, **(env or {})}, **more)
    if r.returncode != rc:
        print("status", r.returncode, "of", args, r.stderr.decode())
    return r.stdout.decode(), r.stderr.decode()

def read(path):
    with open(path) as f:
        text = f.read()
    os.remove(path)
    return text

text = run("page.png", "stdout")[0]
words = text.split()
print("text:", words[:3], len(words) > 150, text.count("\f"))

print("== pytesseract")
out = run("--version")[0]
print(out.partition(" ")[0], out.split("\n")[0].split())
print([l for l in run("--list-langs")[0].split("\n") if re.match("^[a-z_]+$", l)])
run("page.png", "o", "-l", "eng", "txt")
print("txt:", read("o.txt") == text)
run("page.png", "o", "-c", "tessedit_create_tsv=1")
tsv = read("o.tsv")
rows = list(csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE))
print(tsv.split("\n")[0].split("\t"))
print("tsv:", [r["text"] for r in rows if r["level"] == "5"] == words, not os.path.exists("o.txt"))
run("page.png", "o", "-c", "tessedit_create_hocr=1", "hocr")
print("hocr:", read("o.hocr")[:5])
run("page.png", "o", "-c", "tessedit_create_alto=1")
print("alto:", [e.get("CONTENT") for e in ET.fromstring(read("o.xml")).iter() if e.get("CONTENT")] == words)
run("page.png", "o", "-c", "tessedit_create_boxfile=1", "batch.nochop", "makebox")
boxes = [l.split(" ") for l in read("o.box").strip().split("\n")]
print("box:", "".join(b[0] for b in boxes) == "".join(words), all(len(b) == 6 and b[5] == "0" for b in boxes),
      all(0 <= int(b[1]) < int(b[3]) <= 1654 and 0 <= int(b[2]) < int(b[4]) <= 2339 for b in boxes))
run("page.png", "o", "-c", "tessedit_create_hocr=1", "tessedit_create_tsv=1", "tessedit_create_alto=1", "txt", "hocr")
print("several:", [len(read("o." + e)) > 900 for e in ("hocr", "tsv", "xml", "txt")])
run("left.png", "o", "-l", "osd", "--psm", "0")
osd = read("o.osd")
print(re.sub(r"\d+\.\d\d", "N", osd).split("\n"))
print("nothing:", run("none.png", "o", "txt", rc=1)[1].split("\n"))

print("== OCRmyPDF")
run("-l", "eng+deu", "--oem", "1", "page.png", "h", "hocr", "txt", env={"OMP_THREAD_LIMIT": "1"})
tree = ET.fromstring(read("h.hocr"))
ns = tree.tag[:-len("html")]
page = tree.find(f".//{ns}div[@class='ocr_page']")
found = [w.text for p in page.iterfind(f".//{ns}p[@class='ocr_par']") for l in p.iterfind(f".//{ns}span[@class='ocr_line']")
         for w in l.iterfind(f".//{ns}span[@class='ocrx_word']")]
print("hocr:", found == words == read("h.txt").split())
lines = [l.get("title") for l in page.iter(f"{ns}span") if l.get("class") == "ocr_line"]
print("baselines:", all(re.search(r"baseline ([\-\+]?\d*\.?\d*)\s+([\-\+]?\d+)(;|$)", t) for t in lines))
run("-l", "eng", "-c", "textonly_pdf=1", "page.png", "s", "pdf", "txt")
os.remove("s.txt")
fonts = subprocess.run(["qpdf", "--qdf", "--object-streams=disable", "s.pdf", "-"], capture_output=True).stdout
print("pdf:", b"/f-0-0 " in fonts, b"/XObject" in fonts, b"/FontFile2" in fonts)
print("pdf text:", subprocess.run(["pdftotext", "s.pdf", "-"], capture_output=True).stdout.decode().split() == words)
osd = dict(l.split(":") for l in run("-l", "osd", "--psm", "0", "left.png", "stdout")[0].split("\n") if l)
print("turned:", osd["Orientation in degrees"], osd["Rotate"], float(osd["Orientation confidence"]) > 14)
skew = dict(l.split(":") for l in run("-l", "eng", "--psm", "2", "askew.png", "stdout")[0].split("\n") if l)
print("skew:", round(math.degrees(float(skew["Deskew angle"]))))
blank = run("-l", "osd", "--psm", "0", "blank.pgm", "stdout", rc=1)
print("blank:", blank[0] == "", "Too few characters" in blank[1], run("blank.pgm", "stdout"))

print("== paperless-ngx")
print("languages:", {"eng", "deu", "fra"} <= set(run("--list-langs")[0].splitlines()[1:]))

print("== docling")
print("two words:", len(run("--version")[0].splitlines()[0].split()))
table = list(csv.DictReader(io.StringIO(run("--tessdata-dir", "/x", "page.png", "stdout", "tsv")[0]), delimiter="\t"))
print("tsv:", [r["text"] for r in table if r["text"]] == words, all(0 <= float(r["conf"]) / 100 <= 1 for r in table if r["text"]))
print("script:", osd["Script"])

print("== Tika")
run("page.png", "o", "--psm", "1", "-l", "eng", "-c", "page_separator=", "-c", "preserve_interword_spaces=0", "txt")
print("txt:", read("o.txt") == text)
run("page.png", "o", "--psm", "1", "-l", "eng", "-c", "page_separator=", "-c", "preserve_interword_spaces=1", "hocr")
print("hocr:", len(read("o.hocr")) > 900)
run("page.png", "o", "-c", "preserve_interword_spaces=1", "txt")
print("spaces:", "     " in read("o.txt"))

print("== lists, standard input, settings")
open("list", "w").write("page.png\nblank.pgm\npage.png\n")
print("list:", run("list", "-")[0] == text + "\f\f" + text, run("list", "-", "-c", "page_separator=##")[0] == text + "####" + text)
print("list from a file and a pipe:", run("-", "-", stdin=open("list"))[0] == text + "\f\f" + text,
      run("-", "-", input=b"page.png\nblank.pgm\n")[0] == text + "\f",
      run("-", "-", input=open("page.png", "rb").read())[0] == text)
os.mkfifo("pipe")
with subprocess.Popen(["cp", "page.png", "pipe"]):
    print("pipe with a name:", run("pipe", "-", timeout=60)[0] == text)
open("marked", "w", encoding="utf-8-sig").write("page.png\n")
print("marked list:", run("marked", "-")[0] == text)
print("stdin:", run("-", "-", stdin=open("page.png"))[0] == text, run("stdin", "stdout", stdin=open("page.png"))[0] == text)
print("digits:", set(run("page.png", "-", "digits")[0]) <= set("0123456789-. \n"))
black = run("page.png", "-", "-c", "tessedit_char_blacklist=-^eo0")[0]
print("blacklist:", not set(black) & set("-^eo0"), len(black) > 900)
both = run("page.png", "-", "-c", "tessedit_char_whitelist=abc^-", "-c", "tessedit_char_blacklist=b-")[0]
print("both:", set("ac") <= set(both) <= set("ac^ \n"), run("page.png", "-", "-c", "tessedit_char_whitelist=a", "-c", "tessedit_char_blacklist=a", rc=1)[1], end="")
for psm in "5", "9", "11", "12":
    out = run("page.png", "-", "--psm", psm)
    print("psm", psm, out[0] == text, out[1].strip())
open("page.uzn", "w").write("0 0 100 100 Text\n")
for psm in "3", "4", "11":
    print("zones", psm, run("page.png", "-", "--psm", psm)[1].strip())
print("quiet zones:", run("page.png", "-", "--psm", "4", "quiet")[1])
print("line:", len(run("page.png", "-", "--psm", "7")[0].splitlines()) <= 1)
run("page.png", "o", "--dpi", "100", "pdf")
print("size:", [l.split()[2:5] for l in subprocess.run(["pdfinfo", "o.pdf"], capture_output=True, text=True).stdout.split("\n") if "Page size" in l])
for side in 32000, 40000:
    open("huge.pgm", "w").write(f"P5 {side} {side} 255\n")
    print("sides of", side, run("huge.pgm", "-", rc=1)[1].splitlines())
open("conf", "w").write("# a file\ntessedit_create_tsv 1\nnothing_that_is_known 7\n")
out = run("page.png", "-", "conf", "-c", "also_unknown=1")
print("file:", out[0][:5], out[1], end="")
open("prose", "w").write("This is no configuration\n")
print("prose:", run("page.png", "-", "prose")[1], end="")
print("quiet:", run("page.png", "-", "-c", "unknown=1", "quiet")[1], run("page.png", "-", "-c", "unknown=1", "--loglevel", "OFF")[1])
print(run("page.png", "-", "no-such-file")[1], end="")

settings = run("--print-parameters")[0].splitlines()
print("settings:", "page_separator" in settings, {"load_freq_dawg", "tessedit_write_unlv"} & set(settings))
subprocess.run([os.environ["PLATEN"], "-q", "-p", "gray", "-f", "tiff", "-o", "two.tif", "blank.pgm", "page.png"])
for page in "0", "1", "-1", "2":
    out, err = run("two.tif", "-", "-c", "tessedit_page_number=" + page, rc=page == "2")
    print("page", page, len(out.split()) == len(words), out.count("\f"), err.splitlines()[:1])
print(run("two.tif", "-", "-c", "tessedit_page_number=x", rc=1)[1], end="")
open("old.txt", "w").write("an older text")
print(run("two.tif", "old", "txt", "page", rc=1)[1], read("old.txt") == "an older text")
print(run("page.png", "-", "--psm", "13", "get.images")[1], end="")
print("not asked for:", run("page.png", "-", "-c", "tessedit_write_unlv=0") == (text, ""))

print("== scripts")
named = run("--list-langs")[0].splitlines()
print([l for l in named if "/" in l], named[1:] == sorted(named[1:]))
for pack in "script/Latin", "Latin", "osd+script/Cyrillic":
    print(pack, run("page.png", "-", "-l", pack) == (text, ""))
for pack in "script/Fraktur", "script", "script/", "script/rus":
    print(pack, run("page.png", "-", "-l", pack, rc=1)[1].splitlines())
for page in "russian", "greek":
    picture = os.path.join(os.environ["SOURCE"], "tests/data/scripts", page + ".png")
    print(page, re.findall("Script: .*", run(picture, "-", "--psm", "0")[0]))

print("== refused")
for name in "lstmbox", "wordstrbox", "unlv", "linebox", "rebox", "box.train", "box.train.stderr", "lstm.train":
    print(name, run("page.png", "o", name, rc=1)[1], os.path.exists("o.txt"))
print(run("page.png", "-", "-l", "chi_sim", rc=1))
print(run("page.png", "-", "-l", "eng+jpn")[1], end="")
for args in (["page.png"], ["page.png", "-", "--psm", "14"], ["page.png", "-", "--oem", "x"], ["page.png", "-", "--dpi", "-1"],
             ["page.png", "-", "-c", "x"], ["page.png", "-", "--what"], ["page.png", "-", "-l"], ["page.png", "none/o"]):
    print(run(*args, rc=1)[1], end="")
with open("page.png", "rb") as f, open("half.png", "wb") as half:
    data = f.read()
    half.write(data[:len(data) // 2])
out, err = run("half.png", "-", rc=1)
print("half a picture:", len(out.split()) > 20, re.sub(r"\d+", "N", err).splitlines())
os.makedirs("pages/below")
os.link("page.png", "pages/below/page.png")
print("directory:", run("pages", "-", rc=1))
print("no word:", run(rc=1)[0].partition(":")[0])
os.rename("list", "list.txt")
print(run("list.txt", "list", rc=1)[1], read("list.txt") == "page.png\nblank.pgm\npage.png\n")
PY
