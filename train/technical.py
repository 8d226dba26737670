# SPDX-License-Identifier: BSD-2-Clause
"""Texts of technical pages: names and lines of programs, formulas, quantities, places, machine-readable zones. `r` is a random.Random."""
import re
import string

# Signs between which quantities stand, and the units of what instruments measure; letters that texts of all alphabets have.
TOLERANCE = ('±', '±', ' ± ', ' +/- ')
MEASURED = ('m', 'mm', 'cm', 'km', 'µm', 'µg', 'µl', 'µs', 'mg', 'kg', 'ml', 'l', 's', 'ms', 'V', 'mV', 'kV', 'A', 'mA', 'W', 'kW', 'kWh', 'Hz', 'MHz', 'dB', 'bar', 'Pa', 'kPa', 'K',
            '°C', '°C', '°F', '°', '%', '‰', 'm²', 'cm²', 'km²', 'm³', 'cm³', 'mol/l', 'mmol/l', 'µmol/l', 'g/l', 'mg/l', 'g/dl', 'mg/dl', 'ng/ml', 'U/l', 'mU/l', 'l/min', 'kg/m³', 'N/mm²', 'W/m²', 'kN', 'km/h', 'm/s', 'rpm', 'ppm', 'px', 'MB')


def identifier(r, word):
    """A name of a program or of a file, the words that word() gives joined: with_the_part, MAX_SIZE, _part2."""
    words = [w for w in (re.sub('[^a-z]', '', word()) for _ in range(r.choice((2, 2, 2, 3)))) if w] or ['a']
    name = r.choice(('', '', '', '', '', '_', '__')) + '_'.join(words) + r.choice(('', '', '', '', '', '_', str(r.randint(0, 99)), f'_{r.randint(0, 9)}'))
    if r.random() < .15:
        return f'__{name.strip("_")}__'
    return name.upper() if r.random() < .3 else name


def shell(r, word):
    """What terminals show: rights of a file, options, a counter, a setting."""
    rights = ''.join(letter if r.random() < p else '-' for letter, p in zip('rwxrwxrwx', (1, .9, .4, .8, .2, .3, .7, .1, .3)))
    return r.choice((f"{r.choice('-dl-')}{rights} {r.randint(1, 9)} {word()} {word()} {r.randrange(99999)}", f'--{word()}-{word()}', f'--{word()}={r.randrange(99)}',
                     f'-{r.choice(string.ascii_letters)} --{word()}', f'{identifier(r, word)}={r.randrange(99)}', f"{word()[0]}{r.choice(('++', '--'))};", f'{identifier(r, word)}({word()}, '))


def fraction(r):
    """A part of one as statistics, odds and prices write it, without the nought: .25, -.08, .001."""
    return r.choice(('', '', '', '', '-', '–', '+')) + f'{r.random():.{r.choice((1, 2, 2, 2, 3, 3, 4))}f}'[1:]


def statistic(r):
    """A result of a test as papers have it: p < .05, r(28) = -.41, SD = .72, 95% CI [.12, .38]."""
    name = r.choice(('p', 'p', 'p', 'r', 'r', 'd', 'b', 'R²', 'M', 'SD', 'SE', 't', 'F', 'β', 'α', f'r({r.randint(8, 400)})', f't({r.randint(8, 400)})'))
    value = fraction(r) if r.random() < .8 else f'{r.random() * 20:.2f}'
    return r.choice((f"{name} {r.choice('==<>')} {value}", f"{name} {r.choice('==<>')} {value}", f"{name}{r.choice('=<')}{value}", f'({name} = {value})',
                     f'{r.choice((90, 95, 99))}% CI [{fraction(r)}, {fraction(r)}]', f'{value}{r.choice(("*", "**", "***", ""))}'))


def exercise(r):
    """A sum of arithmetic, or a row of one: 7 x 8 =, 24 + 319, + 319, - 68, 5,2 : 4 = 1,3."""
    a, b = (r.choice((str(r.randint(0, 12)), str(r.randint(10, 999)), f'{r.random() * 100:.1f}')) for _ in range(2))
    sign = r.choice(('+', '+', '-', '–', '×', 'x', '÷', ':', '·', '*', '/'))
    gap = r.choice((' ', ' ', ' ', '', '  ', '   '))
    return r.choice((f'{a} {sign} {b} =', f'{a}{gap.strip(" ")}{sign}{gap.strip(" ")}{b}', f'{sign}{gap}{b}', f'{sign}{gap}{b}', f'{a} {sign} {b} = {r.randint(0, 999)}',
                     f'{r.randint(1, 30)}. {a} {sign} {b} ='))


def program_line(values):
    """A line of a program, a configuration or a terminal, of the words and numbers of a text.Values."""
    r, name = values.rng, lambda: identifier(values.rng, values.word) if r.random() < .3 else r.choice('x y n i f(x) a[i] p k T N alpha self.x *p foo_bar MAX_LEN'.split())
    path = f'/usr/{values.nonword()}/{values.nonword()}_{r.randrange(99)}.{values.nonword()[:3]}'
    array = lambda: f"{name()}[{r.choice(('0', '0', '1', 'i', 'i', 'j', '-1', 'i + 1', ':n'))}]"
    doc = r.choice(('"""', "'''"))
    return r.choice((f"{name()} = {name()} {r.choice('+-*/<>^|&%')} {values.number()};",
                     "if __name__ == '__main__':" if r.random() < .3 else f'def __{values.word()}__(self):', f"for {r.choice('_ _ i k'.split())} in range({name()}):",
                     f'{doc}{values.word().title()} {values.word()} {values.word()}.{doc}', f'{r.choice(("return ", ""))}{doc}{values.word()}{doc}', f'{array()}{r.choice(("[0]", "", "", "++;", " = 0"))}',
                     f'{{{values.word()}}}', f'{r.choice(("$", "", chr(92), "#"))}{{{name()}}}', f'{{ {values.word()}: {values.number()} }}', f'<{values.nonword()}>{values.word()}</{values.nonword()}>',
                     f"{name()} = {r.randint(1, 999)}_{r.randrange(1000):03d}", f"for (int i = 0; i < {name()}; i++)", r.choice(("'\\0'", "'\\n'", "'\\t'", '"\\n"', '{', '}', '};', '});', ');')),
                     f"if ({name()} {r.choice(('==', '!=', '<=', '>=', '&&', '||'))} {name()}) {{ return {name()}; }}",
                     f"if {name()} {r.choice(('==', '!=', 'in', 'is'))} {r.choice((name(), repr(name())))}:", f"def {name()}(self, {name()}={r.choice(('None', 'True', '0'))}):",
                     f"from {values.word()}.{values.word()} import {name()}", f'"{name()}": "{values.word()}",', f"export {name()}=${{{name()}:-{path}}}",
                     f'{name()}({name()}, "{values.word()}")', path, f'[{name()}] = {{{values.number()}, {values.number()}}}',
                     f'{values.nonword()}@{values.nonword()}:~$ {values.nonword()} --{values.nonword()} | {path}',
                     f"'{values.nonword()}' => `{values.nonword()}` ~ #{values.code()} \\{values.nonword()}",
                     shell(r, values.word), shell(r, values.word), f'{values.word().title()} | {values.proper()}', f'{values.word()}_{values.word()}', f'{values.code_of("LLL")}_{values.code_of("LLLL")}{values.digits(6, 8)}', f'{values.code()}/{values.code()}'))


def quantity(r):
    """A measured value with its unit, its tolerance or its power, with a point or a comma: ±29 µm, –40,7 °C, 3.2 × 10³, 5 ± 0.2 %."""
    value = f"{r.choice(('', '', '', '–', '-', '+', '<', '>', '~'))}{r.random() * 10 ** r.randint(0, 4):.{r.choice((0, 0, 1, 1, 2, 3))}f}"
    tolerance = r.choice(TOLERANCE) + f'{r.random() * 10 ** r.randint(0, 2):.{r.choice((0, 0, 1, 2))}f}'
    number = r.choice((value, value, tolerance.strip(), value + tolerance, f'({value}{tolerance})', f'{value} × 10{r.choice("²³¹")}', f'{r.randint(2, 40)}×'))
    number += r.choice(('', ' ', ' ')) + r.choice(MEASURED)
    return number.replace('.', ',') if r.random() < .5 else number


# What the powers of ten and the exponents of units are written with: the figures, and the sign.
SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'
KEYS = ('Enter', 'Esc', 'Tab', 'Del', 'Home', 'End', 'Space', 'Page Up', 'F1', 'F2', 'F5', 'F11', '←', '→', '↑', '↓')
GREEK = 'αβγδεθθλλλµπσφφωωΔΣΦΩ'       # more of those that look like figures and Latin letters


def power(r):
    """A power: 10⁶, 3.2 × 10⁻³, s⁻¹, x², 2⁸."""
    exponent = f"{r.choice(('', '', '-'))}{r.choice((r.randint(1, 9), r.randint(4, 9), r.randint(10, 40)))}".translate(str.maketrans('0123456789-', SUPERSCRIPTS))
    unit = f"{r.choice(('s', 'm', 'cm', 'mol', 'K', 'kg', 'l', 'min', 'h'))}{r.choice(('⁻¹', '⁻¹', '⁻²', '²', '³', '⁴'))}"
    return r.choice((f'10{exponent}', f'10{exponent}', f"{r.random() * 10:.{r.choice((0, 1, 2))}f}{r.choice((' × ', '×', ' x ', ' · '))}10{exponent}",
                     f"{r.choice('abcknrtxyzMR2')}{r.choice('²²³⁴⁵ⁿ').replace('ⁿ', exponent)}", f'{r.random() * 100:.1f} {r.choice(MEASURED)} {unit}'))


def science(r, word):
    """Greek letters, signs of relation, ohms, powers, arrows, ticks and stars, as technical pages have them."""
    value, letter = f'{r.random() * 10 ** r.randint(0, 3):.{r.choice((0, 0, 1, 2, 3))}f}', r.choice(GREEK)
    relation = r.choice(('≤', '≥', '≤', '≥', '≈', '≠', '=', '<', '>'))
    name = r.choice((letter, letter, r.choice('npxktRTU'), f'Δ{r.choice("tTxHGpVE")}', f'{letter}{r.randint(0, 3)}'))
    gap = r.choice((' ', ' ', ''))
    stars = r.randint(1, 5)
    keys = [r.choice(('Ctrl', 'Ctrl', 'Shift', 'Alt', 'Strg', 'Cmd'))] + [r.choice((*KEYS, *string.ascii_uppercase)) for _ in range(r.choice((1, 1, 2)))]
    return r.choice((
        lambda: f"{value}{gap}{r.choice(('', '', 'k', 'M'))}Ω", lambda: f"{value}{gap}{r.choice(('', '', 'k', 'M'))}Ω", lambda: f'{relation}{gap}{value}{gap}{r.choice(MEASURED)}',
        lambda: f'{name}{gap}{relation}{gap}{value}', lambda: f'{name}{gap}{relation}{gap}{value}', lambda: f'({name} {relation} {value})',
        lambda: f'{letter}-{word()}', lambda: f'{letter}', lambda: f'{letter}, {r.choice(GREEK)} {r.choice(("and", "or", "und", "et"))} {r.choice(GREEK)}',
        lambda: power(r), lambda: power(r), lambda: power(r), lambda: f'{term(r)} {relation} {power(r)}', lambda: f'{r.choice(("", value + " "))}±{gap}{r.randint(1, 6)}σ',
        lambda: f'√{r.choice((value, str(r.randint(2, 99)), "x", "(a + b)", "2"))}', lambda: r.choice(('∞', '→ ∞', '-∞', '(0, ∞)', '0 ≤ x < ∞')),
        lambda: f'{r.choice(("2π", "π", "πr²", "π/2", "2πr", "4πr²", "π/4", "ωt", "sin θ", "cos φ", "sin α", "Σx", "ΔE", "λ/2", "δx"))}',
        lambda: f'{word()} {r.choice("→←↑↓")} {word()}', lambda: f'{word().title()} → {word().title()} → {word().title()}', lambda: f"{r.choice('↑↓←→')}{gap}{value}{r.choice(('', '%', ' %'))}",
        lambda: f'✓{gap or " "}{word()}', lambda: '✓', lambda: '★' * stars + '☆' * (5 - stars), lambda: r.choice('+ ').join(keys), lambda: f"10{r.choice('⁹⁶³')}/l", lambda: f'★ {r.random() * 5:.1f}', lambda: f'★ {word().title()}', lambda: f'{word()} {"★" * stars}'))()


def mrz(r, word):
    """A row of the machine-readable zone of a passport, an identity card or a visa (ICAO 9303): 44, 36 or 30 characters."""
    length, letters = r.choice((44, 44, 44, 36, 30)), string.ascii_uppercase
    state = ''.join(r.choice(letters) for _ in range(3)) if r.random() < .85 else 'D<<'
    number = ''.join(r.choice(letters + string.digits * 4) for _ in range(9))
    digits = lambda n: ''.join(r.choice(string.digits) for _ in range(n))
    names = [w for w in (re.sub('[^A-Z]', '', word().upper()) for _ in range(r.choice((2, 2, 3, 4)))) if w]
    name = '<<'.join(('<'.join(names[:1 + len(names) // 3]), '<'.join(names[1 + len(names) // 3:])))
    data = f'{number}{digits(1)}{state}{digits(7)}{r.choice("MF<")}{digits(7)}'
    row = r.choice((f"{r.choice(('P<', 'P<', 'V<', 'I<', 'ID', 'PD'))}{state}{name}", data, name, f"{r.choice(('I<', 'ID'))}{state}{number}{digits(1)}"))
    return row[:length].ljust(length, '<') if r.random() < .7 else row[:length - 2].ljust(length - 2, '<') + digits(2)


def coordinate(r, most, sides):
    """Degrees north or south, or east or west: 62° 41' N, 62° 52.053' N, 66°33'41.6"N, 40° N, 141.28° W."""
    gap = r.choice(('', '', ' '))
    degrees, minutes, prime = r.randrange(most), r.randrange(60), r.choice("'''’")
    second = '"' if prime == "'" else '”'
    return r.choice((f'{degrees}°{gap}{minutes:02d}{prime}{gap}', f'{degrees}°{gap}{minutes}{prime}{gap}',
                     f'{degrees:02d}°{gap}{minutes + r.random():.{r.randint(1, 3)}f}{prime}{gap}',
                     f'{degrees}°{gap}{minutes:02d}{prime}{gap}{r.randrange(60):02d}{second}{gap}',
                     f'{degrees}°{minutes:02d}{prime}{r.random() * 60:.1f}{second}{gap}',
                     f'{degrees}°{gap}', f'{degrees + r.random():.{r.randint(1, 4)}f}°{gap}')) + r.choice(sides)


def metres(r):
    return f"{r.choice((r.randrange(300), r.randrange(9000))):,} {r.choice(('m', 'ft', 'ft.', 'm.', 'feet'))}"


def term(r):
    """A part of a formula: 3x, f(x), x2, (a + b), 0.5, sin x."""
    letter = r.choice('abcdefghijkmnpqrstuvwxyzABCEFGHKMNPQRSTVWXYZ')
    return r.choice((letter, letter, letter, f'{r.randint(2, 20)}{letter}', f'{letter}{r.randint(0, 9)}', f'{letter}{r.randint(0, 9)}',
                     f'{letter}{r.randint(0, 3)}{r.choice("xyz")}{r.randint(1, 3)}', f'{letter}({r.choice("xytn")})', str(r.randint(0, 100)), f'{r.random() * 10:.2f}',
                     f"({letter} {r.choice('+-')} {r.choice('abcxyz')})", f"{r.choice(('sin', 'cos', 'log', 'exp', 'ln', 'max'))} {letter}", f'|{letter}|', f'-{letter}', f'{letter}/{r.choice("abckmnxyz")}'))


def formula(r):
    """Terms with signs between them, at times with the formula's number."""
    text = term(r)
    for _ in range(r.choice((1, 2, 2, 3, 4))):
        text += r.choice((' + ', ' - ', ' – ', ' = ', ' = ', ' / ', ' < ', ' > ', ' × ')) + term(r)
    return text + r.choice(('', '', '', ',', '.', f' ({r.randint(1, 9)}.{r.randint(1, 30)})'))
