#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What train/ does before it trains, on data made here: real lines, texts of other languages, the loss.

    train.py ROOT

Exits with 77 (skipped) where Python lacks torch, OpenCV or what else train/ imports: the build needs none of it (train/deps installs them).
"""
import io, os, random, re, shutil, struct, sys, tarfile, tempfile, unittest, unittest.mock, zipfile

try:
    import cv2
    import numpy as np
    import torch
    from fontTools import ttLib  # noqa: F401
    from PIL import ImageFont  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "train"))
sys.dont_write_bytecode = True
import detector, evaluate, fonts, generate, identify, label_orders, label_pages, labels, language_file, languages, line, masks, mean, messages, model, orders, prune, real, technical, text, train, typesetting, words  # noqa: E402

HEADER = "file\ttext\tlang\tdocument\tkind\twidth\theight\tcer_platen\n"


def picture(letters, width=240):
    """A grey line of `letters` black bars on white, as the bytes of a PNG."""
    grey = np.full((40, width), 255, np.uint8)
    for k in range(letters):
        grey[8:32, 10 + 20 * k:20 + 20 * k] = 0
    return cv2.imencode(".png", grey)[1].tobytes()


def write_pack(folder, name, rows):
    """A pack of rows (text, document, error rate), each with the same picture."""
    with open(os.path.join(folder, name + ".tsv"), "w", encoding="utf-8") as f:
        f.write(HEADER)
        for k, (words, document, cer) in enumerate(rows):
            f.write(f"{k}.png\t{words}\teng\t{document}\tprint\t240\t40\t{cer}\n")
    with tarfile.open(os.path.join(folder, name + ".tar.gz"), "w:gz") as archive:
        for k in range(len(rows)):
            entry = tarfile.TarInfo(f"{k}.png")
            entry.size = len(picture(5))
            archive.addfile(entry, io.BytesIO(picture(5)))


class RealLines(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_hard_and_foreign_lines_are_left_out(self):
        write_pack(self.folder.name, "art", [("Hello", "d", 0.1), ("wrong", "d", 0.6), ("ж", "d", 0), ("  two   words ", "d", 0)])
        self.assertEqual([one.text for one in real.read(self.folder.name, "art")], ["Hello", "two words"])

    def test_lines_without_accents_of_today_are_left_out(self):
        write_pack(self.folder.name, "fes", [("Había uno", "d", 0), ("habia", "d", 0), ("No, Habia-", "d", 0), ("á esta está", "d", 0)])
        real.accented.cache_clear()
        self.addCleanup(real.accented.cache_clear)
        with unittest.mock.patch.object(words, "words_of", return_value=["había", "uno", "esta", "está"]):
            self.assertEqual([one.text for one in real.read(self.folder.name, "fes")], ["Había uno", "á esta está"])

    def test_evaluation_documents_are_refused(self):
        write_pack(self.folder.name, "art", [("Hello", "EHRI-JMP020_CZ", 0)])
        with self.assertRaises(ValueError):
            real.read(self.folder.name, "art")

    def test_packs_that_may_not_train_are_not_read(self):
        for name in ("tapus", "argus", "kova", "corse", "expo"):
            self.assertNotIn(name, real.PACKS)
            write_pack(self.folder.name, name, [("Hello", "d", 0)])
        with self.assertRaises(FileNotFoundError):
            real.Maker(self.folder.name, random.Random(1), 600)

    def test_edited_packs_need_a_program(self):
        write_pack(self.folder.name, "ehri", [("edited", "d", 0)])
        write_pack(self.folder.name, "books", [("Hello", "d", 0)])
        self.assertEqual({one.text for one in real.Maker(self.folder.name, random.Random(1), 600).lines}, {"Hello"})

    def test_strips_have_the_height_of_the_network_and_room_for_the_text(self):
        write_pack(self.folder.name, "art", [("Hello", "d", 0)])
        maker = real.Maker(self.folder.name, random.Random(1), 600)
        for _ in range(40):
            grey, words = maker.take()
            self.assertEqual((grey.shape[0], grey.dtype, words), (line.HEIGHT, np.uint8, "Hello"))
            self.assertGreaterEqual(grey.shape[1], line.STRIDE * line.frames_needed(words))

    def test_wide_strips_are_left_out(self):
        self.assertIsNone(real.strip(real.Line(picture(5), "Hello", "eng", []), random.Random(1), 50))

    def test_wide_lines_are_cut_where_the_reading_tells(self):
        one = real.Line(picture(10), "Hello small world", "eng", [(65, 6), (145, 12)])
        found = {made[1] for made in (real.strip(one, random.Random(k), 200) for k in range(60)) if made}
        self.assertEqual(found, {"Hello small", "small", "world"})
        self.assertEqual({real.strip(one, random.Random(k), 600)[1] for k in range(9)}, {"Hello small world"})


    def test_a_network_of_one_kind_of_language_reads_no_other(self):
        write_pack(self.folder.name, "art", [("Hello", "d", 0)])
        self.assertEqual(len(real.Maker(self.folder.name, random.Random(1), 600, languages="english").lines), 1)
        with self.assertRaises(FileNotFoundError):
            real.Maker(self.folder.name, random.Random(1), 600, languages="foreign")


class Towards(unittest.TestCase):
    def test_styles_keep_their_kinds_and_change_their_weights(self):
        self.assertTrue(any("language" not in style.kinds for style in generate.STYLES.values()))
        for style in generate.STYLES.values():
            english, foreign = (generate.towards(style, languages).kinds for languages in ("english", "foreign"))
            self.assertEqual((set(english), set(foreign)), (set(style.kinds), set(style.kinds)))
            if "language" in style.kinds:
                self.assertLess(english["language"], style.kinds["language"])
                self.assertGreater(foreign["language"], style.kinds["language"])


class Accents(unittest.TestCase):
    def setUp(self):
        self.renderer = generate.Renderer(random.Random(1))
        self.font = fonts.pick(random.Random(1), "book", "ıíčlE").font(60)

    def rows(self, character, accents):
        """Whether each row of a glyph has ink."""
        return self.renderer.glyph(self.font, character, accents)[0].any(1)

    def test_an_accent_and_its_letter_are_told_apart(self):
        (mark, (_, y)), (letter, (_, top)) = masks.accent_of(self.font, "í")
        self.assertTrue(mark.any() and letter.any())
        self.assertLess(y + mark.shape[0], top)
        for character in "iaç.":
            self.assertIsNone(masks.accent_of(self.font, character))

    def test_low_accents_come_nearer_to_their_letters(self):
        gaps = [np.count_nonzero(~self.rows("é", accents)) for accents in [None] + ["low"] * 20]
        self.assertLess(np.mean(gaps[1:]), gaps[0])

    def test_low_accents_are_often_smaller(self):
        glyphs = [self.rows("í", accents) for accents in [None] + ["low"] * 40]
        heights = [int(np.argmin(rows)) for rows in glyphs if not rows.all()]        # of the accent, which may touch its letter
        self.assertLess(min(heights), .75 * heights[0])
        self.assertGreater(min(heights), .5 * heights[0])
        self.assertGreater(heights[1:].count(heights[0]), 5)

    def test_a_typewriter_sets_carons_on_tall_letters(self):
        tall = self.renderer.glyph(self.font, "l", None)
        dead = self.renderer.glyph(self.font, "ľ", "dead")
        self.assertLess(dead[1][1], tall[1][1])
        self.assertTrue(np.array_equal(self.renderer.glyph(self.font, "l", "dead")[0], tall[0]))


class Faces(unittest.TestCase):
    def test_the_2_of_old_modern_faces_curls_inwards(self):
        face = next(f for f in fonts.faces() if f.name.endswith("#curled"))
        plain = fonts.Face(face.path)
        two, old = (np.asarray(f.font(44).getmask("2")).reshape(f.font(44).getmask("2").size[::-1]) for f in (face, plain))
        self.assertLessEqual(np.abs(np.subtract(two.shape, old.shape)).max(), 2)
        column = two[:, two.shape[1] * 11 // 20] > 100          # through the end of the curve and the curve above it
        self.assertEqual(np.count_nonzero(np.diff(column[:len(column) // 2].astype(int)) == 1) + column[0], 2)
        self.assertEqual(bytes(face.font(44).getmask("3")), bytes(plain.font(44).getmask("3")))

    def test_a_curled_2_is_drawn_where_there_is_a_2(self):
        face = next(f for f in fonts.faces() if f.name.endswith("#curled"))
        self.assertTrue(face.suits("No 12"))
        self.assertFalse(face.suits("No 13"))
        self.assertTrue(fonts.Face(face.path).suits("No 13"))

    def test_ends_of_abbreviations_are_raised(self):
        renderer = generate.Renderer(random.Random(1))
        face = fonts.Face(next(f.path for f in fonts.faces() if f.name.endswith("#curled")))
        set_ends = {typesetting.typeset(renderer.rng, face, "Mme D, 5th Mer", False) for _ in range(60)}
        up = typesetting.RAISED
        self.assertEqual({s.translate(typesetting.UNREAD) for s in set_ends}, {"Mme D, 5th Mer"})
        self.assertIn(f"M{up}m{up}e D, 5{up}t{up}h Mer", set_ends)
        foot = lambda text: np.flatnonzero(renderer.spaced(face.font(40), 40, text, {})[0].max(1))[-1]
        self.assertLess(max(foot(up + "m") for _ in range(20)) + 5, min(foot("m") for _ in range(20)))

    def test_numbers_of_notes_are_raised(self):
        renderer = generate.Renderer(random.Random(1))
        face = fonts.Face(next(f.path for f in fonts.faces() if f.name.endswith("#curled")))
        up = typesetting.RAISED
        self.assertIn(f"the end.{up}1{up}2 Of 3.5, a,{up}7", {typesetting.typeset(renderer.rng, face, "the end.12 Of 3.5, a,7", False) for _ in range(60)})

    def test_figures_of_formulas_are_lowered(self):
        renderer = generate.Renderer(random.Random(1))
        face = fonts.Face(next(f.path for f in fonts.faces() if f.name.endswith("#curled")))
        down = typesetting.LOWERED
        set_formulas = {typesetting.typeset(renderer.rng, face, "x1 + 2y = a2z3, B52", False) for _ in range(60)}
        self.assertEqual({s.translate(typesetting.UNREAD) for s in set_formulas}, {"x1 + 2y = a2z3, B52"})
        self.assertIn(f"x{down}1 + 2y = a{down}2z{down}3, B52", set_formulas)
        self.assertEqual({typesetting.typeset(renderer.rng, face, "x1, a2", False) for _ in range(60)}, {"x1, a2"})
        foot = lambda text: np.flatnonzero(renderer.spaced(face.font(40), 40, text, {})[0].max(1))[-1]
        self.assertGreater(min(foot(down + "1") for _ in range(20)), max(foot("1") for _ in range(20)))

    def test_names_of_programs_have_underscores(self):
        lines = text.Lines(random.Random(1))
        for _ in range(200):
            self.assertRegex(technical.identifier(lines.rng, lines.word), "^_{0,2}(a-z|[a-z]+|[A-Z]+)(_([a-z]+|[A-Z]+))*_?[0-9]*_{0,2}$")
        self.assertLessEqual(set("".join(lines.line({"formula": 1}) for _ in range(200))), set(text.CHARSET))

    def test_numbers_of_verses_are_raised_and_close_to_their_words(self):
        face = fonts.Face(next(f.path for f in fonts.faces() if f.name.endswith("#curled")))
        verses = "17 And they went. 4 Then he"
        drawn = {typesetting.typeset(random.Random(seed), face, verses, False) for seed in range(60)}
        up, thin = typesetting.RAISED, typesetting.THIN
        self.assertIn(f"{up}1{up}7{thin}And they went. {up}4{thin}Then he", drawn)
        self.assertIn(f"{up}1{up}7 And they went. {up}4 Then he", drawn)
        self.assertEqual({typesetting.typeset(random.Random(seed), face, "of 17 And 182 P.2d", False) for seed in range(60)}, {"of 17 And 182 P.2d"})

    def test_rows_of_machine_readable_zones_have_their_lengths(self):
        lines = text.Lines(random.Random(1))
        rows = [lines.line({"mrz": 1}) for _ in range(200)]
        self.assertEqual({len(row) for row in rows}, {30, 36, 44})
        self.assertTrue(all(re.fullmatch("[A-Z0-9<]+", row) for row in rows))

    def test_quantities_have_their_signs(self):
        quantities = "".join(technical.quantity(random.Random(seed)) for seed in range(300))
        self.assertLessEqual(set("±µ°×²,."), set(quantities))
        self.assertLessEqual(set(quantities), set(text.CHARSET))

    def test_exponents_are_glyphs_or_raised_figures(self):
        face = fonts.Face(next(f.path for f in fonts.faces() if f.suits("10⁻⁶ m²")))
        drawn = {typesetting.typeset(random.Random(seed), face, "10⁻⁶ m²", False) for seed in range(60)}
        up = typesetting.RAISED
        self.assertEqual(drawn, {"10⁻⁶ m²", f"10{up}–{up}6 m{up}2"})
        plain = fonts.Face(next(f.path for f in fonts.faces() if f.suits("10–6 m2") and not f.suits("⁶")))
        self.assertEqual({typesetting.typeset(random.Random(seed), plain, "10⁻⁶ m²", False) for seed in range(60)}, {f"10{up}–{up}6 m{up}2"})

    def test_keys_stand_in_frames(self):
        face = fonts.Face(next(f.path for f in fonts.faces() if f.suits("Ctrl+")))
        drawn = {typesetting.typeset(random.Random(seed), face, "Ctrl+S Altar", False) for seed in range(60)}
        frame = typesetting.FRAME
        self.assertEqual(drawn, {"Ctrl+S Altar", f"{frame}Ctrl{frame}+{frame}S{frame} Altar"})
        renderer = generate.Renderer(random.Random(1))
        height = lambda text: np.ptp(np.flatnonzero(renderer.spaced(face.font(40), 40, text, {})[0].max(1)))
        self.assertGreater(min(height(f"{frame}x{frame}") for _ in range(20)), max(height("x") for _ in range(20)))

    def test_signs_of_science_are_in_the_alphabet(self):
        lines = text.Lines(random.Random(1))
        seen = set("".join(technical.science(lines.rng, lines.word) for _ in range(3000)))
        self.assertLessEqual(set(text.SCIENCE), seen)

    def test_slanted_faces_keep_theirs(self):
        self.assertFalse([f.name for f in fonts.faces() if f.name.endswith("#curled") and "italic" in f.name.lower()])


class Ink(unittest.TestCase):
    def setUp(self):
        self.scan = generate.Scan(random.Random(1), np.random.default_rng(1))

    def test_hollow_letters_have_their_edges_alone(self):
        ink = np.zeros((60, 60), np.float32)
        ink[20:40, 20:40] = 1
        hollow = self.scan.hollow(ink, 40)
        self.assertEqual((hollow[30, 30], hollow[30, 20], hollow[30, 5]), (0, 1, 0))

    def test_strokes_go_through_small_letters(self):
        for seed in range(20):
            scene = generate.Scene(random.Random(seed), np.full((20, 300), 255, np.uint8), 20, 40)  # as high as an x
            scene.canvas[:] = 0
            scene.strike_out(2)
            rows = np.flatnonzero(scene.canvas.max(1)) - scene.box[1]
            self.assertTrue(rows.size and rows.min() >= 4 and rows.max() <= 15)
            self.assertTrue(scene.canvas[:, scene.box[2] - 1].any())

    def test_stamps_darken_the_paper_and_leave_the_ink(self):
        grey = np.full((40, 300), 250, np.float32)
        grey[:, 100:200] = 10
        stamped = [self.scan.stamped(grey, 30, (250, 10)) for _ in range(20)]
        self.assertTrue(all((s[:, 100:200] == 10).all() and s.min() >= 10 for s in stamped))
        self.assertLess(min(s[:, :100].min() for s in stamped), 220)


class Orders(unittest.TestCase):
    WORDS = [(10, 20, 50, 30, "Start"), (60, 20, 90, 30, "Date"), (10, 40, 50, 50, "Rate")]

    def test_whole_words_of_one_row_are_a_line(self):
        self.assertEqual(orders.match((9, 19, 91, 31), self.WORDS), "Start Date")
        self.assertEqual(orders.match((9, 19, 51, 31), self.WORDS), "Start")

    def test_parts_of_words_and_several_rows_are_none(self):
        self.assertIsNone(orders.match((9, 19, 80, 31), self.WORDS))
        self.assertIsNone(orders.match((9, 24, 91, 31), self.WORDS))
        self.assertIsNone(orders.match((9, 19, 91, 51), self.WORDS))
        self.assertIsNone(orders.match((9, 60, 91, 70), self.WORDS))

    def test_words_without_a_blank_between_them_are_none(self):
        self.assertIsNone(orders.match((9, 19, 91, 31), [(10, 20, 50, 30, "$90.00"), (51, 20, 60, 30, "5")]))


class Readings(unittest.TestCase):
    def check(self, words, reading, wanted):
        self.assertEqual(real.spaced_as(reading.split(), words), wanted)

    def test_blanks_that_were_not_typed_go(self):
        self.check("Brně, dnes. Zprávy", "Brně,dnes.Zpravy", "Brně,dnes.Zprávy")

    def test_blanks_that_are_seen_stay(self):
        self.check("Brně, dnes. Zprávy", "Brně, dnes. Zprávy", "Brně, dnes. Zprávy")

    def test_blanks_between_words_stay(self):
        self.check("one two", "onetwo", "one two")

    def test_doubtful_places_stay(self):
        self.check("one. two", "onc_twu", "one. two")
        self.check("one. two", "", "one. two")

    def test_lines_are_cut_at_blanks_that_both_have(self):
        boxes = [[0, 0, 30, 9], [40, 0, 80, 9], [90, 0, 99, 9]]
        self.assertEqual(real.cuts_of(["one", "two,", "x"], boxes, "one two, x"), [(35, 4), (85, 9)])
        self.assertEqual(real.cuts_of(["one", "two,", "x"], boxes, "onetwo, y"), [])
        self.assertEqual(real.cuts_of([], [], "one two"), [])


def write_messages(path, messages):
    """Translated messages as gettext's MO file: tables of lengths and places, then the strings."""
    found = sorted((a.encode(), b.encode()) for a, b in messages.items())
    places, strings, at = [[], []], b"", 28 + 16 * len(found)
    for column in range(2):
        for entry in found:
            places[column] += [len(entry[column]), at + len(strings)]
            strings += entry[column] + b"\0"
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as f:
        f.write(struct.pack(f"<7I{4 * len(found)}I", 0x950412de, 0, len(found), 28, 28 + 8 * len(found), 0, 0, *places[0], *places[1]) + strings)


def written(words, size=(120, 400)):
    """A grey page with words (text, x) set in one line whose baseline is row 60, and their ink boxes."""
    grey, boxes = np.full(size, 255, np.uint8), []
    for word, x in words:
        before = grey.copy()
        cv2.putText(grey, word, (x, 60), cv2.FONT_HERSHEY_SIMPLEX, 1, 0, 2)
        rows, columns = np.nonzero(grey != before)
        boxes.append((word, (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)))
    return grey, boxes


class Bands(unittest.TestCase):
    """cv2's simplex face at scale 1: baseline 60, x-height about 15, capitals 22 px."""

    def check(self, words, xheight=15):
        grey, boxes = written(words)
        quad, high = labels.band(grey, boxes)
        self.assertAlmostEqual(quad[2][1], 61, delta=2.5)
        self.assertAlmostEqual(quad[0][1], 61 - high, delta=2.5)
        self.assertAlmostEqual(high, xheight, delta=2.5)

    def test_small_and_tall_letters(self):
        self.check([("Hello", 10), ("sum", 120), ("xyz", 220)])

    def test_capitals_alone(self):
        self.check([("TOTAL", 10), ("DUE", 150)])

    def test_words_with_descenders_alone(self):
        self.check([("gypsy", 10), ("page", 150)])
        self.check([("$5,310", 10)], 16)

    def test_marks_say_nothing(self):
        grey, boxes = written([("--", 10), ("...", 100)])
        self.assertIsNone(labels.band(grey, boxes))


class LabelledPages(unittest.TestCase):
    def test_files_give_back_what_was_written(self):
        grey, boxes = written([("Hello", 10), ("world", 150)])
        lines, unsure = [labels.line_of(grey, boxes, 3)], [labels.quad_of((1, 2, 30, 40))]
        with tempfile.TemporaryDirectory() as folder:
            labels.write(os.path.join(folder, "a"), grey, lines, unsure)
            again, (found,), (out,) = labels.read(os.path.join(folder, "a"))
            pages = labels.Pages([folder], Scan(), random.Random(4))
            parts = [pages.sheet() for _ in range(20)]
        self.assertTrue((again == grey).all())
        self.assertEqual(([w.text for w in found.words], found.block), (["Hello", "world"], 3))
        np.testing.assert_allclose(found.quad, lines[0].quad, atol=.01)
        np.testing.assert_allclose(out, unsure[0])
        for part, found, _ in parts:
            self.follows_the_ink(part, found)

    def follows_the_ink(self, part, found):
        """The core that a part's targets ask for lies on its ink."""
        padded = np.pad(part, [(0, -v % detector.STRIDE) for v in part.shape], mode="edge")
        core, _, high = detector.targets(padded.shape, found, [])
        ink = cv2.resize(255 - padded, core.shape[::-1], interpolation=cv2.INTER_AREA)
        if (core > 128).sum() > 8:
            self.assertGreater(float(ink[core > 128].mean()), 2 * float(ink[core == 0].mean()))
            self.assertTrue(np.isfinite(high).any())

    def test_rows_are_parted_at_wide_gaps(self):
        row = [("a", (0, 0, 10, 10)), ("b", (14, 0, 24, 10)), ("c", (60, 0, 70, 10))]
        self.assertEqual([[w for w, _ in p] for p in label_orders.parts(row)], [["a", "b"], ["c"]])

    def test_ink_is_found_on_light_and_dark_ground(self):
        grey = np.full((30, 40), 255, np.uint8)
        grey[10:20, 5:25] = 0
        self.assertEqual(label_orders.ink_of(grey, (0, 0, 40, 30)), (5, 10, 25, 20))
        self.assertEqual(label_orders.ink_of(255 - grey, (0, 0, 40, 30)), (5, 10, 25, 20))
        self.assertIsNone(label_orders.ink_of(grey, (0, 0, 40, 5)))

    def test_signs_alone_have_the_band_of_lines_like_theirs(self):
        grey, boxes = written([("Hello", 10), ("world", 150)])
        high = max(box[3] for _, box in boxes) + 6
        rows = [[(word, (box[0], box[1] - 4, box[2], high))] for word, box in boxes]
        grey[40:80, 300:304] = 0                           # a slash, and a row of dots
        grey[55:59, 330:390:8] = 0
        top = rows[0][0][1][1]
        rows += [[("/", (298, top, 306, high))], [("....", (328, top, 392, high))]]
        (hello, world, slash), unsure = label_orders.labelled(grey, [rows], 1)
        self.assertEqual([w.text for w in slash.words], ["/"])
        np.testing.assert_allclose(slash.quad[:, 1], (hello.quad[:, 1] + world.quad[:, 1]) / 2, atol=3)
        self.assertAlmostEqual(slash.quad[0][0], 300)
        self.assertEqual(len(unsure), 1)

    def test_a_line_under_smaller_text_is_a_watermark(self):
        grey, boxes = written([("Hello", 10)])
        small = labels.line_of(grey, boxes, 0)
        quad = small.quad + np.array([[-5, -30], [90, -30], [90, 9], [-5, 9]])
        large = small._replace(quad=quad, xheight=2.5 * small.xheight)
        self.assertTrue(label_orders.under_text(large, [small, large]))
        self.assertFalse(label_orders.under_text(small, [small, large]))
        self.assertFalse(label_orders.under_text(large._replace(quad=quad + 200), [small]))

    def test_only_what_both_find_is_text(self):
        grey, boxes = written([("Hello", 10), ("world", 150)])
        line = [[(.99, boxes)]]
        self.assertEqual([len(v) for v in label_pages.agreed(grey, line, line)[:2]], [1, 0])
        self.assertEqual([len(v) for v in label_pages.agreed(grey, line, [])[:2]], [0, 1])
        self.assertEqual([len(v) for v in label_pages.agreed(grey, [], line)[:2]], [0, 1])
        doubtful = [[(.3, boxes)]]
        self.assertEqual([len(v) for v in label_pages.agreed(grey, doubtful, [])[:2]], [0, 0])


class Scan:
    """Stands in for generate.Scan, whose faces take long to find."""

    @staticmethod
    def field(shape):
        return np.zeros(shape, np.float32)


class Languages(unittest.TestCase):
    def test_untranslated_and_unknown_text_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, "C", "<p>This is English text.</p>")
            self.write(folder, "ro", "<p>This is English text.</p><title>Fişiere şi\n <em>ţări</em> &amp; altele</title><p>по-русски пишем</p>")
            for name, sources in ("MANUALS", (os.path.join(folder, "{}", "*.page"),)), ("PROSE", (os.path.join(folder, "{}", "*.txt"),)):
                self.addCleanup(setattr, languages, name, getattr(languages, name))
                setattr(languages, name, sources)
            english = set(languages.blocks(os.path.join(folder, "C", "a.page")))
            with open(os.path.join(folder, "ro", "b.txt"), "w", encoding="utf-8-sig") as f:
                f.write("A fost odată\nca niciodată.\n\nscurt\n%\nCine are carte, are parte.\n")
            found = languages.read("ro", english, set(text.CHARSET))
            for part in "Fișiere și țări & altele", "A fost odată ca niciodată.", "Cine are carte, are parte.":
                self.assertIn(part, found)
                found = found.replace(part, "")
            self.assertEqual(found.strip(), "")

    @staticmethod
    def write(folder, language, content):
        os.makedirs(os.path.join(folder, language))
        with open(os.path.join(folder, language, "a.page"), "w", encoding="utf-8") as f:
            f.write(f"<page>{content}</page>")

    def test_sentences_of_a_game_are_prose(self):
        with tempfile.TemporaryDirectory() as folder:
            sentence = "Kapitán <i>zapísal</i> do denníka, že vietor slabne."
            write_messages(os.path.join(folder, "sk", "LC_MESSAGES", "a.mo"),
                           {"": "Content-Type: text/plain; charset=UTF-8\n", "the captain": sentence, "again": sentence, "short": "Áno.",
                            "code": "Stlačte $hotkey a potom vyberte jednotku na mape."})
            (language, found), = messages.sources(folder)
            self.assertEqual((language, messages.prose(found)), ("sk", ["Kapitán zapísal do denníka, že vietor slabne."]))

    def test_sentences_of_a_language_pack_are_prose(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "langpack-sq@firefox.xpi")
            with zipfile.ZipFile(path, "w") as pack:
                pack.writestr("localization/sq/a.ftl", "# comment = Koment që nuk është mesazh i përkthyer\ntitle = Të shtohet ky sajt te paneli juaj i faqerojtësve?\n"
                              "    .label = Mbani prurjet te paneli i { -brand-short-name } dhe hapini\nshort = Shto\n")
                pack.writestr("localization/sq/a.json", "{}")
            (language, found), = messages.sources(path)
            self.assertEqual((language, messages.prose(found)), ("sq", ["Të shtohet ky sajt te paneli juaj i faqerojtësve?"]))

    def test_a_typewriter_lacks_the_same_letters_all_the_time(self):
        text = "že väčší kôň".split() * 50
        lacking = set()
        for seed in range(8):
            found = list(identify.Noise(text).typed(random.Random(seed), text))
            self.assertEqual(found[:3] * 50, found)
            lacking.update(found)
        self.assertIn("kon", lacking)
        self.assertIn("kôň", lacking)

    def test_capitals_of_turkish(self):
        self.assertEqual(languages.upper("ısı bir", "tr"), "ISI BİR")


class Words(unittest.TestCase):
    KNOWN = ['tap', 'taps', 'top', 'tops', 'é', 'né', 'née', 'слово']

    def test_an_automaton_knows_its_words_alone(self):
        section = words.automaton(self.KNOWN)
        for word in self.KNOWN:
            self.assertTrue(words.spelt(section, word), word)
        for word in ('', 't', 'ta', 'tapss', 'tip', 'n', 'ne', 'слов', 'словоо', 'x'):
            self.assertFalse(words.spelt(section, word), word)

    def test_equal_ends_are_stored_once(self):
        ends = words.automaton(['tap', 'taps', 'top', 'tops'])
        self.assertEqual(len(ends), 4 * (2 + 5))           # t, a and o, p, s; the root and the edge that is none

    def test_the_first_words_are_those_that_fit(self):
        rng = random.Random(5)
        ranked = [''.join(rng.choices('abcdefgh', k=7)) for _ in range(6000)]
        with unittest.mock.patch.object(words, 'MOST_EDGES', 500):
            section, count = words.fitting(ranked, 'de')
        self.assertLessEqual(len(section), 4 * 500)
        self.assertTrue(0 < count < 6000)
        self.assertGreater(len(words.automaton(ranked[:count + 31])), 4 * 500)
        self.assertTrue(all(words.spelt(section, word) for word in ranked[:count]))

    def test_written_words_come_first_and_accents_left_out_go(self):
        known = {'decía', 'decia', 'té', 'te', 'ojalá', 'ojala', 'pan'}
        text = 'Decía té, te; té. Decía TÉ' + 20 * ' decía' + ' decia'
        self.assertEqual(words.ranked(known, text), ['decía', 'té', 'te', 'pan', 'ojala', 'ojalá'])

    def test_a_file_gets_words_and_keeps_the_rest(self):
        seed = os.path.join(ROOT, 'tests', 'fuzz', 'corpus', 'language', 'accents.platen')
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(words, 'words_of', lambda language: self.KNOWN):
            path = os.path.join(folder, 'x.platen')
            shutil.copy(seed, path)
            words.put(path, '7')
            with open(seed, 'rb') as old, open(path, 'rb') as new:
                old, new = language_file.sections(old.read()), language_file.sections(new.read())
        self.assertEqual([old[k] for k in ('ALPH', 'EMBD', 'OUTP')], [new[k] for k in ('ALPH', 'EMBD', 'OUTP')])
        self.assertIn(b'version=7', new['META'])
        self.assertTrue(words.spelt(new['WORD'], 'taps'))


class Characters(unittest.TestCase):
    def test_each_stands_once_and_is_composed(self):
        import unicodedata
        self.assertEqual(len(set(text.CHARSET)), len(text.CHARSET))
        self.assertTrue(all(unicodedata.is_normalized("NFC", c) for c in text.CHARSET))

    def test_old_places_are_kept(self):
        """Classes of the shipped checkpoint: a network grown from it says the same characters."""
        known = model.characters(os.path.join(ROOT, "models", "eng.ckpt.pt"))
        self.assertLessEqual(known, len(text.CHARSET))
        self.assertEqual((text.CHARSET[0], text.CHARSET[95], text.CHARSET[253]), (" ", "£", "¾"))


class Means(unittest.TestCase):
    def test_characters_that_one_lacks_come_from_the_other(self):
        old, new = ({"head.bias": torch.tensor(v), "steps": torch.tensor(n)} for v, n in (([1., 3.], 1), ([3., 5., 7.], 2)))
        out = mean.mean([3, 1], [old, new])
        self.assertEqual((out["head.bias"].tolist(), int(out["steps"])), ([1.5, 3.5, 7.], 2))

    def test_other_networks_are_refused(self):
        with self.assertRaises(ValueError):
            mean.mean([1, 1], [{"stem": torch.zeros(2)}, {"stem": torch.zeros(3)}])


class Loss(unittest.TestCase):
    def test_unreadable_lines_count_unless_their_letters_are_new(self):
        torch.manual_seed(1)
        logits = torch.randn(40, 2, model.CLASSES) * 8
        words = ["aaaaaaaa", "bbbbbbbb"]
        self.assertEqual(float(train.ctc(logits, words, (.8, 2.))), 0)
        whole = float(train.ctc(logits, words))
        half = float(train.ctc(logits, words, (.8, 2.), frozenset("a")))
        self.assertTrue(0 < half < whole)
        self.assertAlmostEqual(float(train.ctc(logits, words, (.8, 2.), frozenset("ab"))), whole, places=3)


class Precision(unittest.TestCase):
    def test_bf16_is_for_processors_that_have_it(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
            f.write("flags\t: fpu avx2 f16c\n")
            f.flush()
            self.assertFalse(train.has_bf16("cpu", f.name))
            f.write("flags\t: fpu avx512_bf16 avx2\n")
            f.flush()
            self.assertTrue(train.has_bf16("cpu", f.name))
        self.assertFalse(train.has_bf16("cpu", "/nonexistent"))
        self.assertTrue(train.has_bf16("cuda", "/nonexistent"))


class Pruned(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)
        self.strips = [np.random.RandomState(k).rand(32, 96).astype(np.float32) for k in range(2)]
        self.net = model.build("BsL").eval()
        for block in self.net.blocks:
            torch.nn.init.ones_(block.project_bn.weight)

    def silence(self, small):
        """Leaves at each joint as many channels that are heard as the smaller network has, spread over the layer."""
        for (_, _, reader), (writer, _, _) in zip(prune.joints(self.net), prune.joints(small)):
            n = reader.weight.shape[1]
            with torch.no_grad():
                reader.weight[:, torch.randperm(n)[writer.out_channels:]] = 0

    def test_channels_that_nobody_hears_are_taken_out(self):
        self.silence(model.build("BsL63"))
        small = prune.prune(self.net, "BsL63", self.strips)
        x = torch.from_numpy(line.batch(self.strips))
        with torch.no_grad():
            self.assertLess(float((small(x) - self.net(x)).abs().max()), 1e-3)

    def test_what_is_written_counts_and_not_the_weights_alone(self):
        writer, norm, reader = prune.joints(self.net)[-1]
        with torch.no_grad():
            norm.weight[:] = 0
            norm.bias[:] = 0
            norm.bias[7] = 1
            reader.weight[:, 8] = 100
        weights = prune.heard(self.net, self.strips)[-1]
        self.assertEqual(int(weights.argmax()), 7)
        self.assertEqual(float(weights[8]), 0)

    def test_a_teacher_that_agrees_adds_nothing(self):
        logits = torch.randn(5, 2, 7)
        texts = evaluate.greedy(logits)
        self.assertAlmostEqual(float(train.taught(logits, logits + 3, texts)), 0, places=5)
        self.assertGreater(float(train.taught(logits * 2, logits, texts)), .05)

    def test_a_teacher_that_reads_wrong_teaches_nothing(self):
        logits = torch.randn(5, 2, 7)
        right, wrong = evaluate.greedy(logits)[0], 'wrong'
        self.assertEqual(float(train.taught(logits * 2, logits, [wrong, wrong])), 0)
        self.assertGreater(float(train.taught(logits * 2, logits, [right, wrong])), 0)

    def test_a_lesson_moves_the_student_towards_the_teacher(self):
        teacher = torch.randn(5, 2, 7)
        student = torch.zeros(5, 2, 7, requires_grad=True)
        texts = evaluate.greedy(teacher)
        before = train.taught(student, teacher, texts)
        before.backward()
        self.assertLess(float(train.taught(student - .5 * student.grad, teacher, texts)), float(before))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
