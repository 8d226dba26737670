# SPDX-License-Identifier: BSD-2-Clause
"""Line texts in Cyrillic and in Greek letters, for the alphabet `cyrillic-greek` of text.py.

A line is in one language (LANGUAGES) and its words in one script: look-alikes (A, А, Α) are told apart by what stands
around them, so the texts must not mix them. One line in ten is English, as Latin words stand in such pages too.
"""
import collections
import functools
import random
import re

import languages
import text
from text import CHARSET

# share: of the lines; path: a word list, hunspell's or dictd's; months: what glibc's locale calls them; capitals: the letters
# of codes and made-up words, small: those of made-up words; units, firms, streets and money stand in values.
Language = collections.namedtuple('Language', 'share path locale small units firms streets money labels')
RUSSIAN = 'абвгдежзийклмнопрстуфхцчшщъыьэюяё'
UKRAINIAN = 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'
BELARUSIAN = 'абвгдеёжзійклмнопрстуўфхцчшыьэюя'
BULGARIAN = 'абвгдежзийклмнопрстуфхцчшщъьюя'
SERBIAN = 'абвгдђежзијклљмнњопрстћуфхцчџш'
MACEDONIAN = 'абвгдѓежзѕијклљмнњопрстќуфхцчџш'
GREEK = 'αβγδεζηθικλμνξοπρστυφχψω' + 'άέήίόύώϊϋΐΰς'
METRIC = 'кг|г|мл|л|см|мм|м|км|м²|%|шт.|кг.'
LANGUAGES = {
    'ru': Language(30, '/usr/share/hunspell/ru_RU.dic', 'ru_RU', RUSSIAN, METRIC + '|руб.|ч.|мин.|т.|млн|тыс.|МБ|ГБ', 'ООО|ЗАО|ОАО|АО|ИП|ФГУП|НПО|ПАО',
                   'ул.|пр.|пр-т|пер.|пл.|г.|д.|бул.|шоссе', 'руб.|р.|₽|рублей|$|€',
                   'Дата|Итого|Сумма|Всего|Счёт №|Счет|Накладная|Телефон|Факс|Адрес|Фамилия|Имя|Отчество|Подпись|Цена|Количество|Кол-во|НДС|ИНН|КПП'
                   '|Покупатель|Поставщик|Примечание|Страница|Стр.|Год|Номер|Наименование|Город|Индекс|Дата рождения|Пол|Серия|Кассир|Чек|Касса|Оплата|К оплате'
                   '|Глава|Часть|Раздел|Тема|Кому|От кого|Приложение|Таблица|Рис.|Доп.|Утверждаю|Директор|СПАСИБО ЗА ПОКУПКУ|Сдача|Наличными|Скидка'),
    'uk': Language(17, '/usr/share/hunspell/uk_UA.dic', 'uk_UA', UKRAINIAN, METRIC + '|грн|год.|хв.|тис.|млн', 'ТОВ|ПАТ|АТ|ФОП|ДП|КП|ПП',
                   'вул.|просп.|пров.|пл.|м.|буд.|бульв.', 'грн|грн.|₴|гривень|€|$',
                   'Дата|Разом|Сума|Усього|Рахунок №|Накладна|Телефон|Адреса|Прізвище|Ім’я|По батькові|Підпис|Ціна|Кількість|ПДВ|Код ЄДРПОУ'
                   '|Покупець|Постачальник|Примітка|Сторінка|Рік|Номер|Назва|Місто|Індекс|Дата народження|Стать|Касир|Чек|Готівка|Решта|Розділ|Тема|Додаток|Таблиця'),
    'be': Language(9, '/usr/share/hunspell/be_BY.dic', 'be_BY', BELARUSIAN, METRIC + '|руб.|гадз.|тыс.|млн', 'ТАА|ААТ|ЗАТ|УП',
                   'вул.|пр.|зав.|г.|д.|пл.', 'руб.|р.|рублёў',
                   'Дата|Разам|Сума|Рахунак №|Тэлефон|Адрас|Прозвішча|Імя|Імя па бацьку|Подпіс|Цана|Колькасць|ПДВ|Заўвага|Старонка|Год|Нумар|Назва|Горад|Раздзел|Тэма'),
    'bg': Language(13, '/usr/share/hunspell/bg_BG.dic', 'bg_BG', BULGARIAN, METRIC + '|лв.|бр.|ч.|мин.|хил.|млн', 'ЕООД|ООД|АД|ЕТ|ЕАД',
                   'ул.|бул.|пл.|гр.|с.|ж.к.|бл.', 'лв.|лв|лева|€',
                   'Дата|Общо|Сума|Всичко|Фактура №|Телефон|Факс|Адрес|Фамилия|Име|Презиме|Подпис|Цена|Количество|ДДС|ЕИК|Купувач|Доставчик|Забележка'
                   '|Страница|Година|Номер|Наименование|Град|Пощенски код|Касова бележка|Каса|В брой|Ресто|Глава|Раздел|Относно|До|Приложение'),
    'sr': Language(8, '/usr/share/hunspell/sr_RS.dic', 'sr_RS', SERBIAN, METRIC + '|дин.|ком.|ч.|мин.', 'Д.О.О.|ДОО|А.Д.|АД|ПР', 'ул.|бул.|трг|бр.',
                   'дин.|дин|РСД|€',
                   'Датум|Укупно|Износ|Рачун бр.|Телефон|Адреса|Презиме|Име|Потпис|Цена|Количина|ПДВ|ПИБ|Купац|Напомена|Страна|Година|Број|Назив|Град|Поглавље|Прилог|Готовина|Кусур'),
    'mk': Language(5, '/usr/share/dictd/freedict-mkd-bul.dict.dz', 'mk_MK', MACEDONIAN, METRIC + '|ден.|ч.|мин.', 'ДООЕЛ|ДОО|АД', 'ул.|бул.|бр.|пл.',
                   'ден.|ден|денари|€',
                   'Датум|Вкупно|Износ|Сметка бр.|Телефон|Адреса|Презиме|Име|Потпис|Цена|Количина|ДДВ|Купувач|Забелешка|Страница|Година|Број|Назив|Град|Поглавје|Прилог'),
    'el': Language(30, '/usr/share/hunspell/el_GR.dic', 'el_GR', GREEK, 'kg|g|ml|l|cm|mm|m|km|m²|%|τεμ.|κιλ.|γρ.|χλμ.|ώρες|λεπτά', 'Α.Ε.|Ε.Π.Ε.|Ο.Ε.|Ι.Κ.Ε.|ΑΕ|ΕΠΕ|Α.Β.Ε.Ε.',
                   'Οδός|Λεωφ.|Πλατεία|Οδ.|Τ.Κ.', '€|ευρώ|ΕΥΡΩ|δρχ.',
                   'Ημερομηνία|Σύνολο|Ποσό|Τιμή|Τιμολόγιο|Αριθμός|Τηλέφωνο|Τηλ.|Φαξ|Διεύθυνση|Επώνυμο|Όνομα|Υπογραφή|Ποσότητα|ΦΠΑ|Α.Φ.Μ.|ΑΦΜ|Δ.Ο.Υ.|Πελάτης'
                   '|Προμηθευτής|Σελίδα|Σελ.|Έτος|Πόλη|Περιγραφή|Απόδειξη|Ταμείο|Μετρητά|Ρέστα|Κεφάλαιο|Ενότητα|Θέμα|Προς|Από|Παράρτημα|Πίνακας|Εικόνα|Παρατηρήσεις'
                   '|ΕΥΧΑΡΙΣΤΟΥΜΕ|Ημ. γέννησης|Ώρα|Κωδικός|Είδος|Έκπτωση'),
}
ENGLISH = Language(10, None, None, 'abcdefghijklmnopqrstuvwxyz', '|'.join(text.UNITS), '|'.join(text.COMPANIES), '|'.join(text.STREETS), '$|€|USD', '|'.join(text.LABELS))
FOREIGN = 2                  # times as many lines with Latin words as the styles have
MADE_UP = .15                # share of the lines whose letters spell nothing, so that rare ones are seen
UNREADABLE = 'OIОІЈЗΟΙ'      # capitals that nobody can tell from digits in a code
PLAIN = str.maketrans('ΆΈΉΊΌΎΏ', 'ΑΕΗΙΟΥΩ')
Source = collections.namedtuple('Source', 'prose words names months days')


def names_of(locale, key):
    """A list of LC_TIME as glibc has it: the names of months or of days."""
    with open(f'/usr/share/i18n/locales/{locale}', encoding='utf-8') as f:
        entry = re.search(rf'^{key}\b(.*?)^[a-zA-Z]', f.read(), re.M | re.S).group(1)
    entry = re.sub('%.*', '', entry)
    entry = re.sub(r'<U([0-9A-Fa-f]{4})>', lambda m: chr(int(m.group(1), 16)), entry)
    return re.findall('"([^"]*)"', entry)


@functools.lru_cache(None)
def source(name):
    """What is known of a language; its running text is words in random order where no manual is translated."""
    if name == 'en':
        return Source(*text.sources(), text.MONTHS, text.DAYS)
    one, prose = LANGUAGES[name], languages.running(CHARSET, tuple(LANGUAGES)).get(name)
    words = [w for w in text.word_list(one.path) if set(w.lower()) <= set(one.small + '-’')]
    lower, names = [w for w in words if w.islower()], [w for w in words if w[0].isupper()]
    names = names if len(names) > 200 else [w.title() for w in lower[::7]]
    if not prose:
        r = random.Random(9)
        prose = ' '.join(r.choice(lower) + r.choice(('', '', '', '', '', '', ',', '.', ' —')) for _ in range(60_000))
        prose = re.sub(r'\. (\w)', lambda m: '. ' + m.group(1).upper(), prose)
    return Source(prose, lower, names, names_of(one.locale, 'mon'), names_of(one.locale, 'day'))


@functools.lru_cache(None)
def abbreviations():
    """The words of two to five capitals of English manuals."""
    found = {word for language in ('C', 'en', 'en-US') for path in languages.pages(language, languages.MANUALS) for block in languages.blocks(path)
             if not block.isupper() for word in re.findall(r'\b[A-Z]{2,5}\b', block)}
    return sorted(found)


def accents(line, r):
    """Words in Greek capitals without their accents, as they are printed mostly."""
    return re.sub(r'\w+', lambda m: m.group().translate(PLAIN) if m.group().isupper() and len(m.group()) > 1 and r.random() < .85
                  else m.group(), line)


class Lines(text.Lines):
    """Lines each in a language of its own."""

    def use(self, name):
        """Go on in a language."""
        self.language, self.one = name, LANGUAGES.get(name, ENGLISH)
        self.prose, self.words, self.names, self.months, self.days = source(name)
        self.capitals = self.one.small.upper() if name != 'el' else GREEK[:24].upper()
        self.clear = ''.join(c for c in self.capitals if c not in UNREADABLE)
        self.labels, self.units = self.one.labels.split('|'), self.one.units.split('|')
        self.streets, self.spoken = self.one.streets.split('|'), self.words

    def line(self, weights):
        names = [*LANGUAGES, 'en']
        self.use(self.rng.choices(names, [LANGUAGES.get(n, ENGLISH).share for n in names])[0])
        weights = {'random': 1} if self.rng.random() < MADE_UP else {**weights, 'foreign': FOREIGN * weights.get('foreign', 0)}
        made = super().line(weights)
        return accents(made, self.rng) if self.language == 'el' else made

    def unit(self):
        return self.rng.choice(self.units)

    def amount(self):
        r = self.rng
        money = r.choice(self.one.money.split('|'))
        digits = f'{r.random() * 10 ** r.randint(1, 6):,.2f}'
        if r.random() < .8:                      # 1.234,56 or 1 234,56
            digits = digits.translate(str.maketrans({',': r.choice('. '), '.': ','}))
        return r.choice((f'{digits} {money}', f'{digits} {money}', digits, f'{digits}{money}', f'-{digits}', f'= {digits}'))

    def nonword(self):
        """Letters that spell nothing, half of them by pairs of the language, small, capitals or with one in front."""
        r = self.rng
        made = ''.join(r.choice(self.one.small) for _ in range(r.randint(2, 11)))
        made = made[:-1].replace('ς', 'σ') + made[-1] if self.language == 'el' else made
        q = r.random()
        return made if q < .6 else made.upper() if q < .8 else made[0].upper() + made[1:]

    def company(self):
        r, firm = self.rng, self.rng.choice(self.one.firms.split('|'))
        name = ' '.join((self.proper(), *(self.word() for _ in range(r.choice((0, 0, 1, 2))))))
        name = name.upper() if r.random() < .4 else name
        return r.choice((f'{firm} «{name}»', f'{firm} „{name}“', f'{name} {firm}', f'{firm} "{name}"', f'{firm} {name}'))

    def address(self):
        r = self.rng
        street = f'{r.choice(self.streets)} {self.proper()}'
        return r.choice((f'{street}, {r.randint(1, 200)}', f'{street}, д. {r.randint(1, 99)}, кв. {r.randint(1, 300)}' if self.language == 'ru' else street,
                         f'{r.randint(10000, 999999)}, {self.proper()}, {street} {r.randint(1, 99)}', f'{self.proper()} {r.randint(100, 999)} {r.randint(10, 99)}',
                         f'{street} {r.randint(1, 99)}{r.choice(self.clear)}'))

    def url(self):
        """In Latin letters in every language."""
        language = self.language
        self.use('en')
        made = super().url()
        self.use(language)
        return made

    def code_line(self):
        self.use('en')
        return super().code_line()

    def citation(self):
        r = self.rng
        return r.choice((f'№ {r.randint(1, 999)}', f'№{r.randint(1, 9999)}-{r.choice(self.clear)}', f'§ {r.randint(1, 99)}', self.code()))

    def shout_line(self):
        return self.rng.choice((self.company, self.label, lambda: self.span(12)))().upper()

    def letter_line(self):
        return f'{self.span(self.rng.randint(15, 45))} {self.rng.choice((self.date, self.name, self.number, self.word))()}'

    def random_line(self):
        """Words of made-up letters, beside some of the marks and digits."""
        r = self.rng
        words = [self.nonword() if r.random() < .8 else r.choice((self.number, self.code, self.word))() for _ in range(r.randint(1, 5))]
        if r.random() < .3:
            words.insert(r.randint(0, len(words)), ''.join(r.choice(text.MARKS_OF_ALL) for _ in range(r.randint(1, 3))))
        return r.choice((' ', ' ', ' ', ', ', '. ', ' — ')).join(words)

    def latin(self):
        """What stands in Latin letters in such a line: a word, an abbreviation, an option of a program, a name of a file, a letter."""
        r, (words, names) = self.rng, text.sources()[1:3]
        word = r.choice(words)
        return r.choices((word, r.choice(names), word.upper(), r.choice(abbreviations()), r.choice('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'),
                          r.choice(('-', '-', '--')) + word[:r.choice((1, 1, 1, 1, 2, 20))], f"{word}{r.choice('_./-')}{r.choice(words)[:r.choice((3, 20))]}"),
                         (4, 3, 1, 6, 2, 3, 2))[0]

    def foreign_line(self):
        """A few words in Latin letters, or lone figures, in a line of the language."""
        made = self.span(self.rng.randint(10, 45))
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            word = self.latin() if self.rng.random() < .85 else str(self.rng.choice((0, 0, 0, 1, 1, self.rng.randint(2, 99))))
            mark = self.rng.choice(('{}', '{}', '{}', '{}', '{}', '{},', '{}.', '{}:', '({})', '"{}"', '«{}»', '[{}]'))
            made = self.insert(made, mark.format(word))
        return made

    def language_line(self):
        """More running text."""
        return self.recase(self.span(int(min(80, max(3, self.rng.lognormvariate(3.4, .7))))))

    def strange(self, word):
        return self.nonword()
