# SPDX-License-Identifier: BSD-2-Clause
"""Random line texts: running English, labels, amounts, table and receipt rows, codes, words of
other languages.

The sources are public-domain or freely licensed texts of Debian packages (README.md).
Runs of several blanks in a text stand for wide gaps on paper; `squeeze` gives the truth.
"""
import functools
import glob
import gzip
import os
import random
import re
import string
import subprocess

import languages
import spoken
import technical

# The order is the order of the network's classes: new characters go to the end, so that a
# checkpoint of a smaller set can be widened (model.load).
ENGLISH = ''.join(map(chr, range(32, 127))) + '£€§©°–—‘’“”•®'
ACCENTED = ('ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ'      # Latin-1
            'ĂăĄąĆćČčĎďĐđĖėĘęĚěĞğĮįİıĽľŁłŃńŇňŐőŒœŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŸŹźŻżŽž')   # Latin Extended-A
SIGNS = '¡¿«»„…†‡™¢¥±×÷µ¹²³¼½¾'
EXTENDED = ('ĀāĈĉĊċĒēĔĕĜĝĠġĢģĤĥĦħĨĩĪīĬĭĴĵĶķĹĺĻļŅņŊŋŌōŎŏŔŕŖŗŜŝŦŧŨũŬŭŴŵŶŷſ'                  # the rest of Latin Extended-A
            'ȘșȚțẞƏəẀẁẂẃẄẅ'                                                     # Romanian, German, Azerbaijani, Welsh
            'ƠơƯưẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộ'         # Vietnamese
            'ỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹ')
MARKS = '·‹›‚‰¶→ªº₦₩₪₫₱₹₺₽ƒ⅓⅔⅛⅜⅝⅞'
SCIENCE = 'Ω≤≥≈≠√∞αβγδεθλπσφωΔΣΦ←↑↓✓★☆⁰⁴⁵⁶⁷⁸⁹⁻'
LETTERS = ACCENTED + EXTENDED
MARKS_OF_ALL = '!"#$%&()*+,-./:;<=>?@[]_{|}~«»„“”…№§€°±•·–—'
CYRILLIC = ('АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя'
            'ЁёҐґЄєІіЇїЎўЂђЃѓЈјЉљЊњЋћЌќЏџЅѕЀѐЍѝ')
GREEK = ('ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψω'
         'ΆΈΉΊΌΎΏάέήίόύώΪΫϊϋΐΰ')
# What their capitals and small letters look like in Latin.
ALIKE = dict(zip('АВЕЅІЈКМНОРСТХУЁЇаесіјорхуёїѕѐ' 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΪουνϊόύάέίαικκ',
                 'ABESIJKMHOPCTXYËÏaecijopxyëïsè' 'ABEZHIKMNOPTYXÏouvïóúáéíaikk'))
# The alphabets that a recognizer is trained on: one at a time, that of the environment's PLATEN_ALPHABET.
CHARSETS = {'latin': ENGLISH + ACCENTED + SIGNS + EXTENDED + MARKS + SCIENCE,
            'cyrillic-greek': ENGLISH + '«»„…†‡™±×÷¹²³½¼¾·‹›‚‰→№₽₴' + CYRILLIC + GREEK}
ALPHABET = os.environ.get('PLATEN_ALPHABET', 'latin')
CHARSET = CHARSETS[ALPHABET]

# Glyphs that a printer may use for characters of CHARSET: ligatures, other bullets.
GLYPHS = {'ﬃ': 'ffi', 'ﬄ': 'ffl', 'ﬀ': 'ff', 'ﬁ': 'fi', 'ﬂ': 'fl', '■': '•', '●': '•'}

# Words of other languages: files that are there, one word a line, hunspell's marks after a slash.
WORD_LISTS = {'/usr/share/dict/ngerman': 'de', '/usr/share/dict/french': 'fr', '/usr/share/dict/spanish': 'es',
              '/usr/share/dict/polish': 'pl', '/usr/share/dict/swedish': 'sv', '/usr/share/dict/portuguese': 'pt',
              '/usr/share/dict/italian': 'it', '/usr/share/dict/danish': 'da', '/usr/share/hunspell/cs_CZ.dic': 'cs',
              '/usr/share/hunspell/hu_HU.dic': 'hu', '/usr/share/hunspell/tr_TR.dic': 'tr', '/usr/share/dict/bokmaal': 'nb',
              '/usr/share/hunspell/sk_SK.dic': 'sk', '/usr/share/hunspell/is_IS.dic': 'is', '/usr/share/hunspell/et_EE.dic': 'et',
              '/usr/share/hunspell/lv_LV.dic': 'lv', '/usr/share/hunspell/lt_LT.dic': 'lt', '/usr/share/hunspell/hr_HR.dic': 'hr',
              '/usr/share/hunspell/sl_SI.dic': 'sl', '/usr/share/hunspell/ro_RO.dic': 'ro',
              **{f'/var/cache/platen-train/words/{language}.txt': language for language in 'az fo ht lb mt sq'.split()}}
LIST_WORDS = 40_000          # kept of each list
# Languages with letters that no other has, and little or no running text: how often they are drawn beside the others.
RARE = {'az': 3, 'mt': 6}
QUOTES = dict(de='„“', pl='„”', cs='„“', hu='„”', fr='«»', es='«»', it='«»', pt='«»', da='»«', sv='””', tr='“”', nb='«»',
              sk='„“', **{'is': '„“'}, et='„“', lv='„”', lt='„“', hr='„”', sl='»«', ro='„”', az='«»', fo='“”', ht='“”', lb='„“', mt='“”', sq='«»')

FORTUNES = '/usr/share/games/fortunes'   # sayings: what dictionaries lack of talk, quotes, names and marks
DICTIONARIES = (('wn', 12_000_000), ('jargon', 1_500_000), ('devil', 400_000))
MONTHS = ('January February March April May June July August September October November '
          'December').split()
DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()
LABELS = '''Name|Date|Total|Sub Total|Subtotal|Tax|Amount|Invoice No|Invoice #|Tel|Fax|Phone|To|From
|Subject|RE|Cc|Page|Qty|Price|Description|Address|City|State|Zip|Brand|Code|Account|Balance|Due Date
|Signature|Approved by|Department|Cash|Change|Change Due|GST|GST ID|GST Reg No|Item|Items|Unit Price|U.Price
|Discount|Rounding|Rounding Adjustment|Reg No|Cashier|Table|Member|Receipt No|Receipt #|Document No|Time|Ref
|Order No|Type|Number|No.|Title|Company|Company Reg No|Telephone|Comments|Report|Project|Sample|Weight
|Manufacturer|Region|Volume|Study|Budget|Cost|Quantity|Age|Sex|Section|Effective Date|Period|Status|Prepared by
|Authorized by|Date of Birth|Last Name|First Name|Middle Initial|Charge No.|Level|Bond Amount|Distributor No.
|Lot Number|Compound Name|Name of Account|Counter|Packing|Division|Requested by|Purpose|Location|Remarks
|Total Sales (Inclusive GST)|Total Incl. GST|Total After Adj|GST Summary|Tax Code|Amt+GST (RM)|Item Count
|Server|Terminal|Approval Code|Auth|Card No|Expiry|Served by|Closing Balance|Opening Balance|Revenue|Net Income
|Earnings per share|FY2015E|Operating Profit|Net Sales|Assets|Liabilities|Total Equity|Test|Result|Units|Method'''
LABELS = re.sub(r'\n', '', LABELS).split('|')
SHOUTS = '''THANK YOU|Thank You & Come Again!|THANK YOU!!!|TAX INVOICE|SIMPLIFIED TAX INVOICE|CASH BILL|RECEIPT
|GOODS SOLD ARE NOT RETURNABLE|GOODS SOLD ARE NOT REFUNDABLE|PLEASE COME AGAIN|Take Away|CHANGE|TOTAL|RECEIVED
|CONFIDENTIAL|COPY|DRAFT|APPROVED|*** DUPLICATE ***|PAID|Have a nice day|FAX|MEMORANDUM|ORIGINAL|CUSTOMER COPY
|SHOPPING HOURS|- TAX INVOICE -|NOTES|SUMMARY|CONTENTS|AGENDA|APPENDIX|EXHIBIT A|For any enquiry, please e-mail us.
|Goods sold are not returnable|OTHER|YES|NO|N/A|TERMS AND CONDITIONS|SEE REVERSE SIDE|DO NOT WRITE BELOW THIS LINE'''
SHOUTS = re.sub(r'\n', '', SHOUTS).split('|')
STREETS = 'Street|St.|Avenue|Ave|Road|Rd.|Blvd|Drive|Lane|Square|Place|Way|Court|Terrace'.split('|')
CLEAR = 'ABCDEFGHJKLMNPQRSTUVWXYZ'      # beside digits no O and I: nobody could tell them
CODES = ('LL-DDDD|DDDDDD-L|LLLDDD|DDD-DD-DDDD|XXXXXXXX|LDDDDDDD|DD/DD/LL|XXXX-XXXX-XXXX|DDDDDDDDDDDDD|(DDD) DDD-DDDD'
         '|DDD-DDD-DDDD|DDD-DDDDDDD|+DD DDD DDD DDD|DD-DDDD DDDD|DDDDD LLL|LL DDDD DDD|#DDDD|No. DDDD|LDD.D|xxxxxxxxxx'
         '|DDDDD-DDDD|L-DD|0xhhhh|DDDDD-DDDD-DD|(DDDDDD-L)|DDDDDDDDDDDD|LLDDDD|DDD.D|D-D|DD L-DD L|L.L.|LLLL_LLLLDDDDDDDD'
         '|DDDDDDDDDD|DD%|(DDDDDDDDD)|LDDDD/DDDD|DDDD.DD.DDDD|D.DD x DD').split('|')
REPORTERS = 'F.3d|F.2d|F. Supp. 2d|F. Supp.|U.S.|S. Ct.|L. Ed. 2d|P.2d|P.3d|A.2d|N.E.2d|N.W.2d|So. 2d|S.W.3d|Cal. Rptr. 3d|B.R.'.split('|')
TRADES = '''Trading|Enterprise|Hardware|Restaurant|Market|Supermarket|Bookstore|Stationery|Pharmacy|Electrical|Motors
|Services|Industries|Foods|Holdings|Group|International|Laboratories|Associates|Partners|Research|Tobacco|Chemical|Oil
|Bank|Insurance|Press|Publishing|University|Institute|Hospital|Center|Centre|Department|Office|Stores|Gallery|Bakery|Cafe
|Kitchen|Seafood|Fashion|Beauty|Optical|Printing|Machinery|Engineering|Construction|Paper|Glass|Textile|Gift|Home|Food
|Marketing|Management|Development|Technology|Systems|Consulting|Logistics|Express|Petrol Station|Mini Market|Auto Parts'''
TRADES = re.sub(r'\n', '', TRADES).split('|')
COMPANIES = ('Inc.|Inc|Ltd|Ltd.|LLC|Co.|Company|Corp.|Corporation|Limited|PLC|LLP|GmbH|AG|S.A.|S.r.l.|B.V.|Oy|AB|Pte Ltd'
             '|Sdn Bhd|Sdn. Bhd.|SDN BHD|Berhad|Pvt. Ltd.|Pty Ltd|K.K.|Bros.|Sons|Association|Foundation|Council').split('|')
UNITS = 'mg|kg|g|gm|ml|l|cm|mm|lbs|oz|%|pcs|pkt|hrs|km|ft|in.|GB|MHz|mg/cig.|mg/cc|cases|pks.|each|ea|days'.split('|')
OPENERS = '''We enclose the|Please find attached the|Thank you for your|With reference to the|I am writing about the
|You should have received our|Enclosed is a copy of the|We are pleased to confirm the|This letter concerns the
|The committee has reviewed the|In accordance with the|Our records show that the|Would you please return the
|I would like to discuss the|I am, I was and I will be|If I had known, I could have|As I said, I want the|But I do not think I should|They did not expect the|What do you know about the|You will find the|I have seen the'''
OPENERS = re.sub(r'\n', '', OPENERS).split('|')
CLOSERS = '''at your earliest convenience.|for your review and comments.|by the end of the month.|as soon as possible.
|in the amount of|which we discussed on|and look forward to your reply.|is now available.|was not what we wanted.
|will be sent to you under separate cover.|with the understanding that you will|that is, of course, yours to keep.
|has been approved by|and who said so, then?|of the agreement dated|whose terms we cannot accept.'''
CLOSERS = re.sub(r'\n', '', CLOSERS).split('|')


def gloss(text):
    """WordNet's definitions and examples as sentences, one example in eight still quoted."""
    rng = random.Random(2)
    text = re.sub(r'^(\S.*\n)| +(n|v|adj|adv)? *\d*: ', '. ', text, flags=re.M)    # no head words and word classes
    text = re.sub(r'"([^"]{0,300})"', lambda m: m.group() if rng.random() < .125 else m.group(1), text)
    text = re.sub(r';(?=\s)', lambda m: rng.choice(';,,,,....'), text)
    return re.sub(r'[\s.,;:]*\.[\s.]+(\S)', lambda m: '. ' + m.group(1).upper(), text)


def squeeze(text):
    """Runs of blanks to one: what the recognizer should say."""
    return ' '.join(text.split())


def paragraphs(text, limit):
    """Paragraphs of prose from a plain text, about `limit` characters in all."""
    total = 0
    for block in re.split(r'\n\s*\n|\n(?=\S)', text):
        block = squeeze(''.join(c for c in squeeze(block) if c in CHARSET))
        if len(block) < 40 or sum(c.isalpha() or c == ' ' for c in block) < .7 * len(block):
            continue
        yield block
        total += len(block)
        if total > limit:
            return


@functools.lru_cache(None)
def sources():
    """(running text, lower-case words, capitalised words) of the installed packages."""
    blocks = []
    for name, limit in DICTIONARIES:
        with gzip.open(f'/usr/share/dictd/{name}.dict.dz') as f:
            text = f.read().decode('utf-8', 'ignore')
        text = re.sub(r'\[[^\[\]]{0,1000}\]|[{}\\|<>]', '', text)      # lists of synonyms most of all
        blocks += paragraphs(gloss(text) if name == 'wn' else text, limit)
    bible = subprocess.run(['bible', '-f', 'gen1:1-rev22:21'], stdin=subprocess.DEVNULL,
                           capture_output=True, check=True, text=True).stdout
    blocks += paragraphs(re.sub(r'^\w+ *\d+:\d+ *', '', bible, flags=re.M), 4_000_000)
    for path in sorted(glob.glob(FORTUNES + '/*.dat')):
        with open(path[:-len('.dat')], encoding='utf-8', errors='ignore') as f:
            blocks += paragraphs(f.read().replace('\n%\n', '\n\n'), 400_000)
    with open('/usr/share/dict/words', encoding='utf-8') as f:
        words = [w for w in f.read().split() if w.isascii() and not w.endswith("'s")]
    return spoken.contract(' '.join(blocks)), [w for w in words if w[0].islower()], [w for w in words if w[0].isupper()]


def encoding_of(path):
    """What the .aff file beside a spelling dictionary says, else Latin-1."""
    rules = re.sub(r'dic$', 'aff', path)
    if rules == path:
        return 'latin-1'
    with open(rules, encoding='latin-1') as f:
        return re.search(r'^SET +(\S+)', f.read(), re.M).group(1)


def word_list(path):
    """Words of a list, one a line with hunspell's marks after a slash, or of a dictionary for dictd, by its head words."""
    with gzip.open(path) if path.endswith('.dz') else open(path, 'rb') as f:
        content = f.read()
    try:
        content = content.decode()
    except UnicodeDecodeError:
        content = content.decode(encoding_of(path))
    lines = content.split('\n')
    words = [re.split(r'[/\t\r ]', w)[0] for w in lines[::max(1, len(lines) // LIST_WORDS)]]
    return [w for w in words if 2 <= len(w) <= 18 and set(w) <= set(CHARSET)]


@functools.lru_cache(None)
def foreign_words():
    """{language: (words, those of them with letters of ACCENTED)} of the lists on this machine."""
    found = {language: word_list(path) for path, language in WORD_LISTS.items()}
    return {language: (words, [w for w in words if not w.isascii()]) for language, words in found.items()}


class Values:
    """Short pieces: numbers, amounts, dates, codes, names; each method returns a string."""

    def __init__(self, rng):
        self.rng = rng
        self.prose, self.words, self.names = sources()
        self.months, self.days, self.labels, self.units, self.spoken = MONTHS, DAYS, LABELS, UNITS, spoken.SPOKEN
        self.capitals, self.clear = string.ascii_uppercase, CLEAR

    def word(self):
        """Any word, rare ones like frequent ones, or one of running text."""
        if self.rng.random() < .5:
            return self.rng.choice(self.words)
        start = self.prose.find(' ', self.rng.randrange(len(self.prose) - 1000)) + 1
        word = self.prose[start:self.prose.find(' ', start)].strip('.,;:!?"\'()').lower()
        return word if 2 <= len(word) <= 18 and word.isalpha() else self.rng.choice(self.words)

    def proper(self):
        return self.rng.choice(self.names)

    def digits(self, low, high):
        pool = self.rng.choice(('0123456789', '0123456789', '0000013579'))
        return ''.join(self.rng.choice(pool) for _ in range(self.rng.randint(low, high)))

    def number(self):
        r = self.rng
        return r.choice((lambda: str(r.randrange(10 ** r.randint(1, 7))),
                         lambda: f'{r.random() * 10 ** r.randint(0, 5):.2f}',
                         lambda: f'{r.random() * 10 ** r.randint(2, 7):,.2f}',
                         lambda: f'{r.randrange(10 ** r.randint(3, 9)):,}',
                         lambda: f'{r.random() * 100:.{r.randint(0, 2)}f}%',
                         lambda: f'{r.randint(1, 99)}/{r.randint(1, 99)}',
                         lambda: f"{r.choice('-+')}{r.random() * 10:.{r.randint(1, 4)}f}",
                         lambda: f'({r.randrange(10 ** r.randint(2, 6)):,})',
                         lambda: f'({r.random() * 100:.1f})',
                         lambda: f'{r.randint(1, 500)} {self.unit()}',
                         lambda: f'{r.randint(1, 50) * r.choice((1, 5, 10, 25))}{self.unit()}',
                         lambda: f'{r.random() * 20:.1f}{self.unit()}',
                         lambda: f"{r.randint(1, 40)}{r.choice(('', ' '))}{r.choice('¼½¾')} {self.unit()}",
                         lambda: technical.quantity(r), lambda: technical.quantity(r), lambda: f'{r.randint(1, 99)}¢',
                         lambda: f'{r.randint(1, 30)} x {r.randint(1, 40)}',
                         lambda: technical.fraction(r), lambda: technical.fraction(r), lambda: technical.statistic(r), lambda: technical.exercise(r),
                         lambda: f"{r.choice(('0', '0', '0.00', '0.02', '10.00', '100', '1000', '00', '100.00', '5.00'))}",
                         lambda: self.digits(4, 14)))()

    def unit(self):
        unit = self.rng.choice(self.units)
        return unit.upper() if self.rng.random() < .4 else unit

    def amount(self):
        r = self.rng
        sign = r.choice(('$', '$', '$ ', '£', '€', '¥', 'RM ', 'RM', 'USD ', 'EUR ', '', '', '', '-$', '-', 'Rs. ', 'US$'))
        return sign + f'{r.random() * 10 ** r.randint(1, 6):,.2f}' + r.choice(
            ('',) * 7 + (' €', ' SR', 'SR', ' CR', ' USD', ' T', ' Z', ' S', 'A'))

    def abbreviated(self):
        """A title or an ordinal number, whose last letters print often raises (ENDS of typesetting.py), and what it stands before."""
        r = self.rng
        if r.random() < .5:
            title = r.choice(('Mme', 'Mlle', 'Mgr', 'Mr', 'Mrs', 'Dr', 'St', 'Ste', 'Sr', 'Sra', 'Vve', 'Me', 'Cie'))
            return f"{title}{r.choice(('', '', '', '.'))} {self.proper()}"
        n = r.randint(1, 31)
        english = f"{n}{'th' if n // 10 == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
        roman = r.choice(('XII', 'XIII', 'XIV', 'XV', 'XVI', 'XVII', 'XVIII', 'XIX', 'XX', 'II', 'III', 'IV', 'V', 'X'))
        return r.choice((english, english, f"{n}{'er' if n == 1 else 'e'}", '1er', '1re', f'{n}me', f'{n}o', f'{roman}e', f'No {n}', f'Nos {n}',
                         f'{n}.º', f'{n}.ª', f'{n}º', f'{n}ª', f'N.º {n}', f'n.º {n}', f'Nº {n}', f'N° {n}', f'n° {n}'))

    def insert(self, text, words):
        """A text with words between two of its own."""
        parts = text.split(' ')
        parts.insert(self.rng.randint(0, len(parts)), words)
        return ' '.join(parts)

    def date(self):
        r = self.rng
        year, month, day = r.randint(1950, 2030), r.randint(1, 12), r.randint(1, 31)
        name, weekday = self.months[month - 1], r.choice(self.days)
        weekday = weekday[:3] if r.random() < .5 else weekday
        return r.choice((
            f'{day}/{month}/{year}', f'{day:02d}/{month:02d}/{year}', f'{month:02d}/{day:02d}/{year % 100:02d}',
            f'{month}/{day}/{year % 100:02d}', f'{year}-{month:02d}-{day:02d}', f'{day}-{name[:3]}-{year}',
            f'{name} {day}, {year}', f'{day} {name} {year}', f'{name[:3]}. {day}, {year}', f'{day:02d}{name[:3]}{year}',
            f'{weekday}, {name} {day}, {year}', f'{day:02d}.{month:02d}.{year}', f'{day:02d}-{month:02d}-{year % 100:02d}',
            f'{month}-{day}-{year % 100:02d}', f'{name} {year}', f'{weekday} {day} {name[:3]} {year}', f'{year}'))

    def time(self):
        r = self.rng
        hour, minute = r.randint(0, 23), r.randint(0, 59)
        return r.choice((f'{hour:02d}:{minute:02d}', f'{hour:02d}:{minute:02d}:{r.randint(0, 59):02d}',
                         f"{hour % 12 + 1}:{minute:02d} {r.choice(('AM', 'PM', 'am', 'pm', 'a.m.', 'p.m.'))}",
                         f"{hour % 12 + 1}:{minute:02d}:{r.randint(0, 59):02d}{r.choice(('AM', 'PM'))}"))

    def code(self):
        r, digits = self.rng, '0123456789'
        pattern = r.choice(CODES)
        if pattern == '0xhhhh':
            return f'0x{r.randrange(65536):04x}'
        kinds = {'L': self.capitals, 'D': r.choice((digits, digits, '0012358')), 'X': self.clear + digits}
        if pattern[:2] == 'xx':
            kinds['x'] = self.clear.lower().replace('l', '') + self.clear + digits
        return ''.join(r.choice(kinds.get(c, c)) for c in pattern)

    def citation(self):
        """What courts and laws are cited by."""
        r = self.rng
        volume, page, year = r.randint(1, 999), r.randint(1, 1500), r.randint(1890, 2026)
        reporter = r.choice(REPORTERS)
        return r.choice((f'{volume} {reporter} {page}', f'{volume} {reporter} {page}, {page + r.randint(1, 30)}',
                         f"{volume} {reporter} {page} ({r.choice(('2d Cir. ', '9th Cir. ', '5th Cir. ', 'D.C. Cir. ', '', ''))}{year})",
                         f'{self.proper()} v. {self.proper()}, {volume} {reporter} {page}',
                         f"{r.randint(1, 50)} {r.choice(('U.S.C.', 'C.F.R.'))} §{r.choice(('', ' '))}{page}({r.choice('abc')})",
                         f"{r.choice(('Fed. R. Civ. P.', 'Fed. R. Evid.', 'Rule', 'Art.'))} {r.randint(1, 90)}({r.choice('abcd')})({r.randint(1, 9)})",
                         f"No. {r.randint(0, 99):02d}-{r.choice(('cv', 'CV', 'cr', 'civ'))}-{r.randint(1, 99999):05d}"))

    def url(self):
        r = self.rng
        a, b, c = (re.sub('[^a-z]', '', self.word()) for _ in range(3))
        end = r.choice(('com', 'org', 'net', 'edu', 'gov', 'co.uk', 'de', 'com.my', 'io'))
        return r.choice((f'www.{a}.{end}', f'http://www.{a}.{end}/{b}', f'{a}.{b}@{c}.{end}', f'{a}{r.randrange(99)}@{b}.{end}',
                         f'https://{a}-{b}.{end}/{c}/index.html?id={r.randrange(9999)}'))

    def name(self):
        r = self.rng
        a, b, i, j = self.proper(), self.proper(), r.choice(self.capitals), r.choice(self.capitals)
        return r.choice((f'{a} {b}', f'{a} {i}. {b}', f'{i}. {b}', f'Dr. {a} {b}', f'Mr. {b}', f'{b}, {a}', f'{i}.{j}. {b}',
                         f'{i}. {j}. {b}', a, f'{a} {b} ({r.randint(1, 9)})', f'{a} {b} - {self.word().title()}'))

    def company(self):
        r = self.rng
        name = r.choice((self.proper, self.proper, self.word, lambda: self.code_of('LLL'), lambda: self.code_of('LL')))()
        name = ' '.join((name, *r.sample(TRADES, r.choice((0, 1, 1, 1, 2)))))
        name = f"{name}{r.choice((' ', ' ', ' ', ', ', ' & '))}{r.choice(COMPANIES)}" if r.random() < .7 else name
        return name.upper() if r.random() < .6 else name

    def address(self):
        r, town, town2 = self.rng, self.proper(), self.proper()
        return r.choice((
            f'{r.randint(1, 9999)} {town} {r.choice(STREETS)}', f'{town}, {self.code_of("LL")} {r.randint(10000, 99999)}',
            f'P.O. Box {r.randint(1, 9999)}, {town}', f'Suite {r.randint(1, 900)}, Floor {r.randint(1, 30)}',
            f'NO. {r.randint(1, 99)}, JALAN {town.upper()} {r.randint(1, 20)}/{r.randint(1, 20)},',
            f'NO.{r.randint(1, 99)}, JALAN {town.upper()} {r.randint(1, 20)}, TAMAN {town2.upper()}',
            f'{r.randint(1, 99)}-{r.randint(1, 9)}, JLN {town.upper()}, {r.randint(10000, 99999)} {town2.upper()}.',
            f'{town.upper()} {town2.upper()} SDN BHD ({self.digits(6, 6)}-{self.code_of("L")})',
            f'LOT {r.randint(1, 300)}, LEVEL {r.randint(1, 9)}, {town.upper()} MALL', f'{r.randint(10000, 99999)} {town}, {town2}.'))

    def code_of(self, pattern):
        return ''.join(self.rng.choice(self.capitals) if c == 'L' else c for c in pattern)

    def label(self):
        r = self.rng
        return r.choice(self.labels) if r.random() < .8 else r.choice((self.word().title(), f'{self.word().title()} {self.word()}'))

    def value(self):
        return self.rng.choice((self.number, self.amount, self.date, self.time, self.code, self.name,
                                self.company, self.address, self.url, self.number, self.amount, self.code, self.citation))()

    def nonword(self):
        """Letters that spell nothing, so that the net reads and does not guess."""
        r = self.rng
        letters = 'etaoinshrdlucmfwypvbgkjqxz' if r.random() < .7 else 'bcdfghjklmnpqrstvwxyzaeiou'
        return ''.join(r.choice(letters) for _ in range(r.randint(2, 11)))

    def gap(self):
        """A blank, now and then a wide one."""
        return ' ' * self.rng.choice((1, 1, 1, 1, 2, 2, 3, 4, 6))


class Lines(Values):
    """Whole lines of each kind of KINDS; `line` picks one by weight."""

    KINDS = ('prose words labelled values item receipt shout label code leader quoted table letter random foreign place '
             'language entry formula mrz single science').split()

    def span(self, length, prose=None):
        """About `length` characters of running text, English or that given, cut at blanks."""
        prose = prose or self.prose
        for _ in range(6):
            start = prose.find(' ', self.rng.randrange(len(prose) - length - 60)) + 1
            text = prose[start:prose.find(' ', start + length)].strip()
            if 2 <= len(text) <= length + 25:
                return text
        return self.word()

    def recase(self, text, upper=.12, title=.06):
        q = self.rng.random()
        return text.upper() if q < upper else text.title() if q < upper + title else text

    def prose_line(self):
        r = self.rng
        text = self.span(int(min(80, max(3, r.lognormvariate(3.4, .7)))))
        if r.random() < .12:                     # what people say, which the sources have too little of
            text = self.insert(text, r.choice(self.spoken))
            text = text.replace("'", '’') if r.random() < .3 else text
        if r.random() < .06:
            text = self.insert(text, self.abbreviated())
        if r.random() < .04:
            return self.insert(text, technical.identifier(self.rng, self.word))
        if r.random() < .03:
            text = self.insert(text, technical.statistic(r) + r.choice((',', '', '.')))
        if r.random() < .08:                     # the number of a note; 1 to 3 have characters of their own, see quoted_line
            text = re.sub(r'([a-z][.,;:!?”"])(?= |$)', lambda end: end.group() + str(r.choice((r.randint(4, 9), r.randint(10, 99)))), text, count=1)
        if r.random() < .04:                     # the number of a verse
            number = f"{r.choice(('¹', '²', '³', r.randint(4, 9), r.randint(10, 176), r.randint(10, 50)))} "
            text = number + text if r.random() < .5 else re.sub(r'(?<=[.,;:!?] )(?=[A-Z])', number, text, count=1)
        if r.random() < .06 and len(text) > 12:
            text = text[:-r.randint(1, 3)].rstrip() + '-'
        text = text.replace(' and ', ' & ') if r.random() < .04 else text
        text = self.recase(text)
        if r.random() < .06:                     # a numbered line of a transcript
            text = f"{r.randint(1, 25)}{self.gap()}{r.choice(('Q. ', 'A. ', '', ''))}{self.gap().strip(' ')}{text}"
        return text.replace('  ', ' ') if r.random() < .5 else re.sub(r'([.?!]) ', r'\1  ', text)

    def words_line(self):
        r = self.rng
        text = ' '.join(self.word() if r.random() < .8 else self.nonword() for _ in range(r.randint(1, 5)))
        return self.recase(text, .4, .2)

    def labelled_line(self):
        r = self.rng
        if r.random() < .12:                     # half of a row: the colon stands alone at an end
            return self.recase(r.choice((f':{self.gap()}{self.value()}', f'{self.label()}{self.gap()}:', f':{self.value()}',
                                         f'- {self.value()}', f'{self.label()}{self.gap()}-')), .4, 0)
        text = self.label() + r.choice((':', ': ', ' : ', ' ', '. ', ':  ', ' - ', ' :', '   :  ', ' = ', ':    ')) + self.value()
        return self.recase(text, .3, 0)

    def values_line(self):
        r = self.rng
        joint = r.choice((' ', '  ', ', ', '   ', '     ', ' · ', ' · ', ' | ', ' • '))
        return self.recase(joint.join(self.value() for _ in range(r.choice((1, 1, 1, 1, 2, 3)))), .2, 0)

    def item_line(self):
        r = self.rng
        mark = r.choice((f'{r.randint(1, 20)}. ', f'({chr(97 + r.randrange(26))}) ', f'{r.randint(1, 9)}.{r.randint(1, 9)} ',
                         '• ', '- ', '* ', f'{chr(65 + r.randrange(26))}. ', f'[{r.randint(1, 99)}] ', f'{r.randint(1, 9)}) ',
                         f'Chapter {r.randint(1, 30)}: ', r.choice('I II III IV V VI VII IX X XI'.split()) + '. ', '§ ',
                         f'© {r.randint(1980, 2026)} ', f'{r.randint(1, 30)} ', f'{self.label()} {r.randint(1, 30)}. '))
        return self.recase(mark.replace(' ', self.gap()) + self.span(r.randint(4, 45)), .15, .05)

    def receipt_line(self):
        r = self.rng
        goods = ' '.join(self.word() for _ in range(r.randint(1, 4)))
        if r.random() < .3:
            goods += f"{r.choice(' /')}{r.randint(1, 20) * r.choice((1, 5, 25, 50))}{self.unit()}"
        goods = goods.upper() if r.random() < .75 else goods.title()
        return r.choice((
            lambda: f"{r.randint(1, 20)}{r.choice((' x ', ' X ', ' @ ', '  ', ' '))}{goods}{self.gap()}{self.amount()}",
            self.company, lambda: goods, lambda: f'{r.randint(1, 999)}-{goods}', lambda: f'{goods}{self.gap()}{self.gap()}{self.amount()}',
            lambda: f"@{r.randint(1, 9)} X RM {r.random() * 50:.2f}",
            lambda: f'{r.randint(1, 9)} * {r.random() * 50:.2f}', lambda: f'{self.digits(7, 13)} {goods}',
            lambda: f'{r.random() * 100:.2f}', lambda: f'{r.random() * 100:.2f} SR', lambda: self.amount(),
            lambda: f'{r.randint(1, 3)}{self.gap()}{r.random() * 30:.2f}{self.gap()}{r.random() * 30:.2f}',
            lambda: f'SR = {r.randint(0, 8)}%{self.gap()}{self.amount()}', lambda: f'(GST ID No : {self.digits(12, 12)})',
            lambda: f"TEL: {self.digits(2, 2)}-{self.digits(4, 4)} {self.digits(4, 4)}{self.gap()}FAX: {self.digits(2, 3)}-{self.digits(7, 7)}",
            lambda: f'{self.label()}{self.gap()}{self.label()}{self.gap()}{self.label()}',
            lambda: f'{self.label()}/{self.label()}', lambda: f'{self.label()}({self.code_of("LL")}){self.label()}(%)'))()

    def shout_line(self):
        return self.rng.choice(SHOUTS)

    def label_line(self):
        r = self.rng
        text = self.label() + r.choice((':', ':', '', '', '?', '.', ' :', ' #', '   :', ' #:', '/' + self.label(), '(s):', '!'))
        return text.upper() if r.random() < .5 else text

    def single_line(self):
        """What stands alone in a cell or in the comb of a form."""
        return self.rng.choice(string.digits * 3 + '0' * 3 + self.capitals + 'X' * 3)

    def mrz_line(self):
        return technical.mrz(self.rng, self.proper)

    def code_line(self):
        return technical.program_line(self)

    def formula_line(self):
        return technical.formula(self.rng)

    def science_line(self):
        """Signs of technical pages, mostly in or before prose."""
        r = self.rng
        text = technical.science(r, self.word)
        return r.choice((text, f'{text} {self.span(r.randint(5, 40))}', self.insert(self.span(r.randint(8, 50)), text),
                         self.insert(self.span(r.randint(8, 50)), text), f'{text}{self.gap()}{technical.science(r, self.word)}'))

    def leader_line(self):
        r = self.rng
        return f"{self.span(r.randint(6, 30))} {'.' * r.randint(3, 20)} {r.randint(1, 400)}"

    def quoted_line(self):
        r, text = self.rng, self.span(self.rng.randint(8, 40))
        return r.choice((f'“{text}”', f'‘{text}’', text.replace("'", '’'), text.replace(' ', ' — ', 1), text.replace(' ', '—', 1),
                         f'{r.randint(1, 99)}–{r.randint(100, 200)} {text}', f"{self.number()}°{r.choice('CFNWES')} {text}",
                         f'(“{self.proper()}”), {text}', f'{self.proper()}’s {text}', f'"{text}"', f"{self.proper()}'s {text}",
                         f'{self.proper()}® {text}', f'{self.proper()}™ {text}', f'{text}…', f'„{text}“', f'«{text}»', f'{text}†', f'{text}{r.choice("¹²³")}', f'({text})', f'{text}?', f'{text}!', f'{text}!!!', f'{text};', f'[{text}]', f'{{{text}}}'))

    def place_line(self):
        """Where something was found: coordinates, heights, ways, bearings, temperatures."""
        r = self.rng
        north, east = technical.coordinate(r, 90, 'NNNS'), technical.coordinate(r, 180, 'WWEE')
        both = north + r.choice((', ', ', ', ' ', '; ', ' - ', '   ')) + east
        height = f"{r.choice(('Elevation', 'Elev.', 'Alt.', 'alt.', 'elev.', 'ca.', 'at'))} {technical.metres(r)}"
        way = (f"{r.random() * 20:.1f} {r.choice(('km', 'mi', 'mi.', 'miles'))} "
               f"{r.choice(('N', 'S', 'E', 'W', 'NE', 'SW', 'ENE', 'SSE'))} of {self.proper()}")
        return r.choice((both, both, f'({both})', f'{both}; {height}', f'{self.proper()}, {both}', f'{way}, {both}.',
                         f"Lat{r.choice(('.', 'itude', ':', '. '))} {north} Long{r.choice(('.', 'itude', ':', '. '))} {east}",
                         f'Lat/Long: {both}', f'{north} {height}', f'{east}; {self.span(20)}', f'{way}, {height}',
                         f'{self.span(15)}, {north}',
                         f"{self.span(20)} at {r.randint(-40, 990)}{r.choice(('°', ' °', '° '))}{r.choice('CCF')}",
                         f"{r.choice('NS')}{r.randrange(90)}°{r.choice('EW')} {technical.metres(r)}",
                         f'{r.randint(1, 360)}° {self.span(12)}'))

    def table_line(self):
        r = self.rng
        cells = [r.choice((self.number, self.amount, self.code, self.word, self.label, self.date, self.number))()
                 for _ in range(r.randint(2, 5))]
        return (' ' * r.randint(2, 6)).join(cells)

    def letter_line(self):
        r = self.rng
        text = ' '.join(self.word() for _ in range(r.choice((1, 1, 2, 2, 3))))
        return r.choice((f'{r.choice(OPENERS)} {text} {r.choice(CLOSERS)}', f'{r.choice(OPENERS)} {text}', f'{text} {r.choice(CLOSERS)}',
                         f'Dear {self.name()}:', f'Yours sincerely, {self.name()}', f'{r.choice(OPENERS)} {text} {self.date()}'))

    def random_line(self):
        r = self.rng
        letters = r.choice((ENGLISH, ENGLISH, ACCENTED, EXTENDED, LETTERS + SIGNS + MARKS + SCIENCE + ENGLISH[:95]))
        text = ''.join(r.choice(letters) for _ in range(r.randint(1, 14)))
        return text if r.random() < .7 else f'{self.word()} {text}'

    def foreign_line(self):
        """Words of one language, or English ones with strange letters put in."""
        r = self.rng
        if r.random() < .15:
            words = [self.strange(self.word()) for _ in range(r.randint(1, 4))]
            return self.recase(' '.join(words), .3, .2)
        found = list(foreign_words().items())
        language, (words, accented) = r.choices(found, [RARE.get(name, 1) for name, _ in found])[0]
        text = [r.choice(accented if r.random() < .5 else words) for _ in range(min(9, 1 + int(r.expovariate(.35))))]
        text = ' '.join(w + (',' if r.random() < .07 else '') for w in text)
        if r.random() < .6:
            text = text[0].upper() + text[1:] + r.choice(('.', '.', '', '', ':', '!', '?'))
        if r.random() < .1:
            text = text.join(QUOTES[language])
        if language == 'es' and text[-1] in '!?':
            text = ('¡' if text[-1] == '!' else '¿') + text
        if r.random() < .15:
            text += self.gap() + r.choice((self.amount, self.date, self.number))()
        return self.recase(text, .15, .05)

    def strange(self, word):
        """A word with one of its letters exchanged for one of LETTERS."""
        r, at = self.rng, self.rng.randrange(len(word))
        return word[:at] + r.choice(r.choice((ACCENTED, EXTENDED))) + word[at + 1:]

    def tongue(self):
        """A language that is not English, as often as SHARES of languages.py say, and running text in it."""
        texts, shares = languages.texts(CHARSET)
        return self.rng.choices(list(texts.items()), shares)[0]

    def entry_line(self):
        """An entry of a catalogue, a register or an index: a number, a title or name, a price, a year or pages."""
        r = self.rng
        title = self.span(r.randint(3, 40), self.tongue()[1] if r.random() < .6 else None)
        number = f"{r.randint(1, 2999)}{r.choice(('', '', '.', '.', ')', ' —', ' bis'))}"
        price = f'{r.randint(1, 99) * r.choice((1, 5, 10, 50, 100))}' + r.choice(('', '', '', '. —', '.—', '. –', ' fr.', ' M.'))
        end = r.choice((lambda: price, lambda: f"{r.randint(1, 99)}{r.choice('.,')}{r.randint(0, 99):02d}", lambda: f'{r.randint(1500, 1990)}',
                        lambda: f'{r.randint(1, 400)}-{r.randint(1, 999)}', lambda: f'{r.randint(1, 400)}, {r.randint(1, 999)}.',
                        lambda: f'{r.randint(10, 300)} × {r.randint(10, 300)}'))()
        name = f"{r.choice((self.proper, self.abbreviated))()}, {r.choice((self.proper(), r.choice(self.capitals) + '.'))} {title.split(' ')[-1].title()}."
        parts = r.choice(((number, title, end), (number, title, end), (number, title), (title, end), (number, end), (number,), (end,), (name,)))
        return self.gap().join(parts)

    def language_line(self):
        """Running text of another language."""
        r = self.rng
        language, prose = self.tongue()
        text = self.span(int(min(80, max(3, r.lognormvariate(3.3, .7)))), prose)
        if r.random() < .06:
            text = self.insert(text, self.abbreviated())
        if r.random() < .06 and len(text) > 12:
            text = text[:-r.randint(1, 3)].rstrip() + '-'
        if r.random() < .1:
            text += self.gap() + r.choice((self.amount, self.date, self.number, self.proper))()
        q = r.random()
        return languages.upper(text, language) if q < .13 else text.title() if q < .17 and language != 'tr' else text

    def line(self, weights):
        """A line by the weights {kind: weight}; at most 84 characters, never empty."""
        kind = self.rng.choices(list(weights), weights.values())[0]
        text = getattr(self, kind + '_line')()
        text = ''.join(c for c in text if c in CHARSET)[:84].strip()
        return text or self.line(weights)


if __name__ == '__main__':
    demo = Lines(random.Random(0))
    for k in Lines.KINDS:
        print(f'{k:9s}', *[repr(demo.line({k: 1})) for _ in range(4)], sep='  ')
