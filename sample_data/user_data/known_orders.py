"""Find the natural order of answers, such as never < sometimes < always or 18-29 < 30-44."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas

from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.recipe import MOST_LEVELS
from sample_data.user_data.summary import ColumnSummary, is_ordered
from treecore.errors import DataError
from treecore.messages import counted
from treecore.ordered_levels import ordered_name
from treecore.tables.table_columns import category_text

FEWEST = 3  # fewest levels, because the order of two levels changes nothing

# One scale per line, low to high. Commas separate levels; words joined by a bar mean the same level.
_SCALES = (
    # frequency
    "never|not ever, almost never|very rarely|hardly ever|very seldom, rarely|seldom|infrequently, occasionally|"
    "once in a while|now and then, sometimes, regularly, often|frequently, usually|mostly|most of the time|very often|"
    "very frequently, almost always|nearly always, always|constantly|all the time",
    "nie|niemals, fast nie|sehr selten, selten, gelegentlich|ab und zu, manchmal, regelmäßig, oft|häufig, meistens|"
    "sehr oft|sehr häufig|meist, fast immer, immer|stets",
    "jamais, presque jamais|très rarement, rarement, de temps en temps|occasionnellement, parfois|quelquefois, "
    "régulièrement, souvent, très souvent|la plupart du temps, presque toujours, toujours",
    "nunca|jamás, casi nunca|muy raramente|quase nunca, rara vez|raramente|pocas veces|poucas vezes, ocasionalmente|"
    "de vez en cuando, a veces|algunas veces|às vezes|algumas vezes, regularmente, a menudo|frecuentemente|"
    "con frecuencia|frequentemente|muchas veces|muitas vezes, casi siempre|quase sempre|muy a menudo, siempre|sempre",
    "mai, quasi mai|molto raramente, raramente|di rado, ogni tanto|occasionalmente, qualche volta|a volte|talvolta, "
    "regolarmente, spesso, molto spesso|quasi sempre, sempre",
    "nooit, bijna nooit, zelden, af en toe, soms, regelmatig, vaak, meestal|heel vaak, bijna altijd, altijd",
    "never, yearly|annually|once a year, quarterly, monthly|once a month, weekly|once a week, daily|every day, hourly",
    # agreement
    "strongly disagree|completely disagree|totally disagree|fully disagree, disagree|mostly disagree, "
    "somewhat disagree|slightly disagree|rather disagree|tend to disagree|disagree somewhat|disagree slightly, "
    "neutral|neither agree nor disagree|undecided|neither|no opinion, somewhat agree|slightly agree|rather agree|"
    "tend to agree|agree somewhat|agree slightly, agree|mostly agree, strongly agree|completely agree|totally agree|"
    "fully agree",
    "stimme überhaupt nicht zu|stimme gar nicht zu|trifft überhaupt nicht zu|trifft gar nicht zu, stimme nicht zu|"
    "trifft nicht zu|lehne ab, stimme eher nicht zu|trifft eher nicht zu, neutral|unentschieden|teils teils|weder noch|"
    "teilweise, stimme eher zu|trifft eher zu, stimme zu|trifft zu, stimme voll zu|stimme voll und ganz zu|"
    "stimme völlig zu|trifft voll zu|trifft voll und ganz zu",
    "pas du tout d'accord|pas d'accord du tout|tout à fait en désaccord, pas d'accord|en désaccord, "
    "plutôt pas d'accord|"
    "plutôt en désaccord, neutre|ni d'accord ni pas d'accord|sans opinion, plutôt d'accord, d'accord, "
    "tout à fait d'accord|entièrement d'accord",
    "totalmente en desacuerdo|muy en desacuerdo, en desacuerdo, algo en desacuerdo, neutral|indiferente|"
    "ni de acuerdo ni en desacuerdo, algo de acuerdo, de acuerdo, totalmente de acuerdo|muy de acuerdo",
    "discordo totalmente|discordo fortemente, discordo, discordo parcialmente, neutro|indiferente|"
    "não concordo nem discordo|nem concordo nem discordo, concordo parcialmente, concordo, concordo totalmente|"
    "concordo fortemente",
    "per niente d'accordo|fortemente in disaccordo, in disaccordo, abbastanza in disaccordo, neutrale|né d'accordo né "
    "in disaccordo, abbastanza d'accordo, d'accordo, molto d'accordo|completamente d'accordo|fortemente d'accordo",
    "helemaal mee oneens|zeer mee oneens|helemaal oneens, mee oneens|oneens, enigszins oneens, neutraal|"
    "niet mee eens niet mee oneens, enigszins eens, mee eens|eens, helemaal mee eens|helemaal eens|zeer mee eens",
    # satisfaction, likelihood, importance, sentiment
    "very dissatisfied|very unsatisfied|completely dissatisfied|extremely dissatisfied, dissatisfied|unsatisfied|"
    "not satisfied, somewhat dissatisfied|slightly dissatisfied, neutral|neither satisfied nor dissatisfied, "
    "somewhat satisfied|slightly satisfied, satisfied, very satisfied|completely satisfied|extremely satisfied",
    "sehr unzufrieden, unzufrieden, eher unzufrieden, neutral|teils teils|weder noch, eher zufrieden, zufrieden, "
    "sehr zufrieden",
    "très insatisfait|pas du tout satisfait, insatisfait|pas satisfait, plutôt insatisfait, neutre, plutôt satisfait, "
    "satisfait, très satisfait",
    "muy insatisfecho|muito insatisfeito, insatisfecho|insatisfeito, neutral|neutro|indiferente, satisfecho|"
    "satisfeito, "
    "muy satisfecho|muito satisfeito",
    "very unlikely|extremely unlikely, unlikely, somewhat unlikely, neutral|neither likely nor unlikely|possible, "
    "somewhat likely, likely|probable, very likely, extremely likely|certain|almost certain",
    "not important|not at all important|unimportant, slightly important|a little important|somewhat unimportant, "
    "neutral, moderately important|somewhat important|fairly important, important, very important, "
    "extremely important|essential",
    "very negative|strongly negative, negative|mostly negative, slightly negative|somewhat negative, neutral|mixed, "
    "slightly positive|somewhat positive, positive|mostly positive, very positive|strongly positive",
    # amounts
    "none|not at all|nothing, very little|hardly|barely, a little|little|slightly|a little bit|a bit, somewhat|some|"
    "a moderate amount, moderately, quite|quite a bit|fairly|quite a lot, very|a lot|much|very much, extremely|"
    "a great deal|completely",
    "none, few, some|several, many, most, all",
    "gar nicht|überhaupt nicht, kaum|sehr wenig, wenig|etwas|ein wenig, mittelmäßig|mäßig, ziemlich, stark|sehr|viel, "
    "sehr stark|außerordentlich|sehr viel",
    "pas du tout, très peu, peu|un peu, moyennement|assez, beaucoup|très, énormément|extrêmement",
    "nada, muy poco, poco|un poco, algo|moderadamente, bastante, mucho|muy, muchísimo|extremadamente",
    # levels and sizes
    "none|zero, minimal|extremely low|lowest, very low, low|lower|minor, below average|medium low|mid low|low medium|"
    "lower middle|somewhat low, medium|moderate|middle|mid|average|normal|intermediate, above average|medium high|"
    "mid high|upper middle|somewhat high, high|higher|upper|major, very high, extreme|extremely high|highest|critical|"
    "urgent",
    "kein|keine, sehr niedrig|sehr gering, niedrig|gering|tief, mittel|mäßig|normal|durchschnittlich, hoch, sehr hoch",
    "nul|nulle, très faible|très bas|très basse, faible|bas|basse, moyen|moyenne|modéré|modérée|normal|normale, "
    "élevé|élevée|haut|haute|fort|forte, très élevé|très élevée|très haut|très fort",
    "muy bajo|muy baja|muito baixo|muito baixa, bajo|baja|baixo|baixa, medio|media|moderado|moderada|médio|"
    "média|normal, "
    "alto|alta, muy alto|muy alta|muito alto|muito alta",
    "molto basso|molto bassa, basso|bassa, medio|media|moderato|moderata|normale, alto|alta, molto alto|molto alta",
    "zeer laag, laag, gemiddeld|middel|normaal, hoog, zeer hoog",
    "xxxs|3xs, xxs|2xs, xs|x small|extra small, s|small|sm, m|medium|med|md, l|large|lg, xl|x large|"
    "extra large, xxl|2xl, "
    "xxxl|3xl, xxxxl|4xl",
    "tiny|very small|mini, small|little, medium|mid|midsize|mid size|average|regular, large|big, very large|very big|"
    "huge|extra large, giant|enormous|gigantic",
    "winzig|sehr klein, klein, mittel|mittelgroß, groß, sehr groß|riesig",
    "muy pequeño|muy pequeña|muito pequeno, pequeño|pequeña|pequeno|pequena, mediano|mediana|médio|média, "
    "grande, muy grande|muito grande",
    "très petit|très petite, petit|petite, moyen|moyenne, grand|grande, très grand|très grande",
    "micro, small, medium, large, mega",
    "very short, short, medium|average|mid, long|tall, very long|very tall",
    "very slow, slow, medium|moderate|average|normal, fast|quick, very fast",
    "freezing|very cold|icy, cold, cool|chilly, mild|moderate, warm, hot, very hot",
    "very light, light, medium, dark|heavy, very dark|very heavy",
    "very young, young, middle aged|middle age, old|elderly, very old",
    "infant|baby, toddler, child|kid, teenager|teen|adolescent|youth, young adult, adult, middle aged adult, senior|"
    "elderly|older adult",
    # quality and severity
    "terrible|awful|very poor|very bad|horrible|extremely poor, poor|bad, below average, fair|average|ok|okay|"
    "acceptable|"
    "satisfactory|mediocre|moderate|neutral, above average, good, very good, premium|great, excellent|ideal|"
    "outstanding|"
    "perfect|superb",
    "ungenügend, mangelhaft, ausreichend, befriedigend, gut, sehr gut",
    "sehr schlecht, schlecht, mittelmäßig|mittel|durchschnittlich|neutral, gut, sehr gut, ausgezeichnet|hervorragend",
    "très mauvais|très mauvaise, mauvais|mauvaise, passable|moyen|moyenne|correct, bon|bonne|bien, très bon|très bonne|"
    "très bien, excellent|excellente",
    "muy malo|muy mala|péssimo|muito ruim, malo|mala|ruim|mau, regular|razoável|aceptable, bueno|buena|bom|boa, "
    "muy bueno|muy buena|muito bom|muito boa, excelente|ótimo",
    "pessimo|molto scarso, scarso|insufficiente, sufficiente|discreto, buono, molto buono|ottimo, eccellente",
    "none|no symptoms|asymptomatic, minimal|very mild, mild|slight, moderate, severe|serious, very severe|"
    "critical|fatal",
    "keine|kein, leicht, mittel|mittelschwer|mäßig, schwer, sehr schwer",
    "trivial, minor, normal|moderate, major, critical|blocker",
    "bronze, silver, gold, platinum, diamond",
    # education and experience
    "none|no education|no schooling|illiterate, preschool|kindergarten|pre primary, primary|primary school|"
    "primary education|elementary|elementary school|basic, middle school|lower secondary|junior high|some high school, "
    "secondary|secondary school|secondary education|high school|upper secondary|high school graduate|"
    "high school diploma, vocational|post secondary|some college|associate|associates|associate degree|"
    "associate's degree, tertiary|tertiary education|higher|university|college|undergraduate|graduation|bachelor|"
    "bachelors|bachelor's|bachelor degree|bachelor's degree|college graduate, master|masters|master's|master degree|"
    "master's degree|postgraduate|graduate|graduate school, doctorate|phd|ph d|doctoral|doctor|doctoral degree",
    "kein abschluss|ohne abschluss, hauptschule|hauptschulabschluss, realschule|mittlere reife|realschulabschluss, "
    "abitur|gymnasium|fachabitur, bachelor, master|diplom, promotion",
    "sin estudios, primaria|primario, secundaria|secundario|bachillerato, terciaria|universitaria|universitario|"
    "superior, posgrado|maestría, doctorado",
    "nessuno|nessun titolo, licenza elementare|elementare|scuola primaria, licenza media|media|scuola media, "
    "diploma|maturità|scuola superiore, laurea triennale|laurea, laurea magistrale|master, dottorato",
    "geen|geen opleiding, basisonderwijs|basisschool|lagere school, vmbo|lbo|mavo, havo|mbo, vwo, hbo, "
    "wo|universiteit, promotie|doctoraat",
    "sem escolaridade|analfabeto, ensino fundamental|fundamental, ensino médio|médio, ensino superior|superior|"
    "graduação, pós graduação|mestrado, doutorado",
    "less than high school|no diploma|did not finish high school, high school|high school graduate|"
    "high school or ged|ged, some college, associate|associate degree|2 year degree, bachelor|bachelor degree|"
    "bachelor's degree|college degree|4 year degree, master|master degree|graduate|graduate degree|"
    "graduate or professional|advanced degree|post graduate, doctorate|phd",
    "lt hs|less than hs|< hs, hs|hs grad, some col|some college, college|college grad|ba, advanced|grad|graduate",
    "mini|xs, klein|s, mittel|m, groß|gross|l, sehr groß|xl, xxl",
    "piccolissimo|molto piccolo|molto piccola, piccolo|piccola, medio|media, grande, molto grande|grandissimo",
    "heel klein|zeer klein, klein, middel|middelgroot|gemiddeld, groot, heel groot|zeer groot",
    "pp, p|pequeno, m|médio, g|grande, gg",
    "ch|chico, med|mediano, gde|grande, xgde|extra grande",
    "sans diplôme, primaire, collège|brevet, secondaire|lycée|bac|baccalauréat, supérieur|licence|"
    "universitaire, master, "
    "doctorat",
    "novice|beginner|no experience|basic, elementary, intermediate|competent, advanced|proficient|experienced, expert|"
    "professional|master",
    "anfänger, fortgeschritten, experte",
    "intern|trainee, junior|entry|entry level, mid|middle|mid level|associate|intermediate, senior|senior level, "
    "lead|principal|staff, manager, director, executive|vp",
    # places in a sequence
    "first|1st, second|2nd, third|3rd, fourth|4th, fifth|5th, sixth|6th, seventh|7th, eighth|8th, ninth|9th, "
    "tenth|10th",
    "q1, q2, q3, q4",
    "freshman, sophomore, junior, senior",
    "early, mid|middle, late",
    "night, dawn|early morning, morning, noon|midday, afternoon, evening",
    # months and weekdays
    "january|jan, february|feb, march|mar, april|apr, may, june|jun, july|jul, august|aug, september|sep|sept, "
    "october|oct, november|nov, december|dec",
    "januar|jan|jänner, februar|feb, märz|mär|mrz, april|apr, mai, juni|jun, juli|jul, august|aug, september|sep, "
    "oktober|okt, november|nov, dezember|dez",
    "janvier|janv, février|févr|fév, mars, avril|avr, mai, juin, juillet|juil, août, septembre|sept, octobre|oct, "
    "novembre|nov, décembre|déc",
    "enero|ene, febrero|feb, marzo|mar, abril|abr, mayo|may, junio|jun, julio|jul, agosto|ago, septiembre|sep|"
    "setiembre, "
    "octubre|oct, noviembre|nov, diciembre|dic",
    "janeiro|jan, fevereiro|fev, março|mar, abril|abr, maio|mai, junho|jun, julho|jul, agosto|ago, setembro|set, "
    "outubro|out, novembro|nov, dezembro|dez",
    "gennaio|gen, febbraio|feb, marzo|mar, aprile|apr, maggio|mag, giugno|giu, luglio|lug, agosto|ago, settembre|set, "
    "ottobre|ott, novembre|nov, dicembre|dic",
    "januari|jan, februari|feb, maart|mrt, april|apr, mei, juni|jun, juli|jul, augustus|aug, september|sep, "
    "oktober|okt, november|nov, december|dec",
    "monday|mon, tuesday|tue|tues, wednesday|wed, thursday|thu|thur|thurs, friday|fri, saturday|sat, sunday|sun",
    "montag|mo, dienstag|di, mittwoch|mi, donnerstag|do, freitag|fr, samstag|sa|sonnabend, sonntag|so",
    "lundi|lun, mardi|mar, mercredi|mer, jeudi|jeu, vendredi|ven, samedi|sam, dimanche|dim",
    "lunes|lun, martes|mar, miércoles|mié, jueves|jue, viernes|vie, sábado|sáb, domingo|dom",
    "segunda|segunda feira|seg, terça|terça feira|ter, quarta|quarta feira|qua, quinta|quinta feira|qui, "
    "sexta|sexta feira|sex, sábado|sáb, domingo|dom",
    "lunedì|lun, martedì|mar, mercoledì|mer, giovedì|gio, venerdì|ven, sabato|sab, domenica|dom",
    "maandag|ma, dinsdag|di, woensdag|wo, donderdag|do, vrijdag|vr, zaterdag|za, zondag|zo",
)  # fmt: skip
_PLACES = tuple(
    {word.strip(): place for place, words in enumerate(scale.split(",")) for word in words.split("|")}
    for scale in _SCALES
)
_NO_ANSWER = frozenset((
    "don't know", "dont know", "do not know", "no answer", "not applicable", "n a", "prefer not to say", "refused",
    "prefer not to answer", "not sure", "unsure", "can't say", "weiß nicht", "keine angabe", "keine antwort", "k a",
    "ne sait pas", "sans réponse", "no sabe", "no contesta", "ns nc", "não sabe", "não se aplica", "non so",
    "weet niet", "geen antwoord", "unknown",
))  # fmt: skip
_GRADE = re.compile(r"([A-H])([+-]?)")
_GRADED = {"grade", "grades", "rating", "mark", "note", "noten", "rank", "energy", "energieklasse", "calificacion"}
_NUMBERED = re.compile(r"(\d{1,3})\s*[-–.:)=]\s*[^\W\d].*")
_NUMBER = r"\d+(?:[.,]\d{3})*(?:\.\d+)?"
_BELOW = (
    r"(?:<=?|≤|under|below|less than|fewer than|up to|younger than|at most|unter|bis|weniger als|moins de|menos de)"
)
_ABOVE = r"(?:>=?|≥|over|above|more than|older than|at least|greater than|über|ab|mehr als|plus de|más de|mais de)"
_AND_MORE = r"(?:\+|(?:and|or|&) (?:over|above|more|older|up|greater)|plus|u\.? ?m\.?|und mehr|und älter|et plus|y más)"
_AND_LESS = r"(?:(?:and|or|&) (?:under|below|less|younger|fewer)|und weniger|et moins|y menos)"
_RANGES = tuple(
    (re.compile(pattern.replace("N", f"({_NUMBER}) ?([km]?)")), kind)
    for pattern, kind in (
        (r"[\[(]?N ?(?:-|–|—|to|bis|à|a|,) ?N[\])]?", "between"),
        (rf"{_BELOW} ?N|N ?{_AND_LESS}", "below"),
        (rf"{_ABOVE} ?N|N ?{_AND_MORE}", "above"),
        (r"N", "one"),
    )
)
_ZERO = frozenset((
    "none", "no", "never", "zero", "nil", "nothing", "kein", "keine", "keiner", "nie", "aucun", "aucune", "jamais",
    "ninguno", "ninguna", "nunca", "nessuno", "nessuna", "mai", "nenhum", "nenhuma", "geen", "nooit",
))  # fmt: skip
_SCALED = {"": 1.0, "k": 1e3, "m": 1e6}
_MARKS = re.compile(r"[$€£¥%]|\busd\b|\beur\b")
_UNIT = re.compile(r"(?<=[\d+) ])(?:[^\W\d_]+(?: [^\W\d_]+)?)$")
_NO_UNIT = re.compile(rf".*{_AND_MORE}|.*{_AND_LESS}|.*\d ?[km]")


def known_order(name: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of a column from low to high, or () if their words have no known order.

    name : name of the column; letters are grades only if it contains a word for grades. texts : the different values.
    """
    texts = list(texts)
    if not FEWEST <= len(texts) <= MOST_LEVELS:
        return ()
    for placed in (_of_scale, _of_ranges, _leading_numbers, lambda some: _grades(name, some)):
        places = placed(texts)
        if places is not None and len(set(places)) == len(texts):
            return tuple(text for _, text in sorted(zip(places, texts, strict=True)))
    return ()


def is_no_answer(text: str) -> bool:
    """Test whether a value is a refusal such as "don't know", which has no place in an order."""
    return _plain(text) in _NO_ANSWER


def _plain(text):
    return " ".join(re.sub(r"[-_/.,;:]+", " ", text.replace("’", "'").lower()).split())


def _of_scale(texts):
    """Return the place of each text on the first scale that contains all texts, or None."""
    words = [_plain(text) for text in texts]
    for scale in _PLACES:
        places = [scale.get(word) for word in words]
        if None not in places and len(set(places)) == len(places):
            return places
    return None


def _of_ranges(texts):
    """Return the lower end of each text if all texts are non-overlapping ranges of numbers, else None."""
    plain = [" ".join(_MARKS.sub("", text.lower()).split()) for text in texts]
    units = {_unit(text) for text in plain} - {""}
    if len({unit.removesuffix("s") for unit in units}) > 1:
        return None
    found = [(0.0, 0.0) if text in _ZERO else _range(text.removesuffix(_unit(text)).strip()) for text in plain]
    if None in found or not any(low < high for low, high in found):
        return None
    ordered = sorted(found)
    if any(one[1] > other[0] for one, other in zip(ordered[:-1], ordered[1:], strict=True)):
        return None
    return found


def _unit(text):
    """Return the words that follow the numbers, such as "employees"."""
    end = _UNIT.search(text)
    return "" if end is None or _NO_UNIT.fullmatch(text) else end.group()


def _range(text):
    """Return (low, high) of a text such as "18-29", "65+" or "under 18", or None for any other text."""
    for pattern, kind in _RANGES:
        if (match := pattern.fullmatch(text)) is None:
            continue
        pairs = [pair for pair in zip(match.groups()[::2], match.groups()[1::2], strict=True) if pair[0] is not None]
        numbers = [float(re.sub(r"[.,](?=\d{3}(?!\d))", "", digits)) * _SCALED[factor] for digits, factor in pairs]
        if kind == "between":
            return (numbers[0], numbers[1]) if numbers[0] < numbers[1] else None
        low, high = {"below": (float("-inf"), numbers[0]), "above": (numbers[0], float("inf"))}.get(
            kind, (numbers[0], numbers[0])
        )
        return low, high
    return None


def _leading_numbers(texts):
    """Return the numbers at the start of texts such as "1 - never", or None."""
    found = [_NUMBERED.fullmatch(text.strip()) for text in texts]
    numbers = [int(match.group(1)) for match in found if match]
    return numbers if len(numbers) == len(texts) and max(numbers) - min(numbers) < 2 * len(texts) else None


def _grades(name, texts):
    """Return the places of letter grades, the best last, if the name means a grade, else None."""
    if not set(re.findall("[a-z]+", name.lower())) & _GRADED:
        return None
    found = [_GRADE.fullmatch(text.strip()) for text in texts]
    if not all(found):
        return None
    return [(-ord(match.group(1)), {"-": 0, "": 1, "+": 2}[match.group(2)]) for match in found if match]


def column_levels(values: pandas.Series) -> tuple[str, ...]:
    """Return the levels of a column, low to high.

    The order comes from the file, else from the words, else from sorting the values. Raises DataError for fewer than 2
    or more than 50 levels, and for levels with characters that feature names cannot contain.
    """
    if is_ordered(values):
        texts = [category_text(word) for word in values.cat.categories]
    else:
        texts = sorted({category_text(value) for value in values.dropna().unique()}, key=natural_key)
        texts = list(known_order(str(values.name), texts) or texts)
    if not 2 <= len(texts) <= MOST_LEVELS:
        raise DataError(
            f"Column {str(values.name)[:60]!r} has {counted(len(texts), 'different value')}, but an ordered "
            f"column needs 2 to {MOST_LEVELS}. Use this column as another kind."
        )
    ordered_name(str(values.name), texts)
    return tuple(texts)


def answer_levels(values: pandas.Series, summary: ColumnSummary) -> tuple[str, ...]:
    """Return the levels of a category whose words have an order, low to high and without refusals, else ()."""
    if summary.kind != "category" or not 2 <= summary.n_distinct <= MOST_LEVELS:
        return ()
    texts = {category_text(value) for value in values.dropna().unique()}
    levels = known_order(summary.name, [text for text in texts if not is_no_answer(text)])
    return levels if levels and _can_be_named(summary.name, levels) else ()


def all_answers_ordered(values: pandas.Series, summary: ColumnSummary) -> bool:
    """Test whether the words of a category determine the place of each value in an order."""
    return len(answer_levels(values, summary)) == summary.n_distinct


def _can_be_named(name, levels):
    try:
        ordered_name(name, levels)
    except DataError:
        return False
    return True
