"""Languages: their stop words, stemmers and segmenters, and which of them texts are in.

A language is an ISO 639-1 code such as "de", or its English name. The stop words are those of stopwords-iso,
for English those of scikit-learn. Stemmers are Snowball's. Segmenters put spaces between the words of
Chinese, Japanese and Thai; they are extras.
"""

from __future__ import annotations

import re
import tempfile
import warnings
from collections import Counter
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import expand_path
from colligate._storage.plain_file import read_bounded
from colligate._text import join_words
from colligate.errors import InputError, LanguageWarning, Parameter, ParameterError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from colligate.corpus.analyser import Analyser

NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "br": "Breton", "ca": "Catalan",
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto",
    "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "ku": "Kurdish", "la": "Latin", "lt": "Lithuanian", "lv": "Latvian",
    "mr": "Marathi", "ms": "Malay", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "so": "Somali", "st": "Sesotho",
    "sv": "Swedish", "sw": "Swahili", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "vi": "Vietnamese", "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
"""The languages with stop words, by their codes."""
CODES = {name.lower(): code for code, name in NAMES.items()}
SEGMENTERS = {"zh": "rjieba", "ja": "janome", "th": "pythainlp"}
"""The languages that are written without spaces, and the packages that find their words."""
ENGLISH = "english"
"""The default of `stop_words`; it stays as it is written."""
# The documents that are looked at, and the characters of each; one with fewer words says too little.
SAMPLE, SAMPLE_CHARACTERS, FEWEST_WORDS = 300, 1_000, 5
# One or two texts are no reason for a warning.
FEWEST_TEXTS = 3
# At least this share of a running text are stop words of its language; with more, no detector is needed.
MIN_STOP_SHARE, CLEAR_STOP_SHARE = 0.12, 0.2
# Stop words of scikit-learn's English list that are far more frequent in Romance languages.
_ROMANCE = frozenset({"con", "co", "de", "un"})
# Below this share of the documents, a further language needs no other settings.
MIN_LANGUAGE_SHARE = 0.2
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]")


def find_language(value: Any, parameter: str, allowed: Iterable[str] = NAMES) -> str:
    """Return the code of a language that is written as its code or its name."""
    codes = list(allowed)
    text = value.strip().lower() if isinstance(value, str) else ""
    code = CODES.get(text, text)
    if code in codes:
        return code
    known = {**{code: code for code in codes}, **{NAMES[code].lower(): code for code in codes}}
    near = get_close_matches(text, known, n=1) if text and text not in NAMES else []
    meant = f"did you mean {near[0]!r}? " if near else ""
    also = " or a file such as words.txt" if parameter == "stop_words" else ""
    raise ParameterError(
        Parameter(parameter),
        f" must be a language{also}; got {value!r:.60}. {meant.capitalize()}"
        f"The languages are {', '.join(codes)}",
        parameter=parameter,
    )


# Stop words


def read_stop_words(value: str) -> str | tuple[str, ...]:
    """Check languages and files with commas between them; with a file, all their words are returned."""
    languages, words = [], []
    for item in filter(None, (part.strip() for part in value.split(","))):
        if item.lower() in NAMES or item.lower() in CODES:
            languages.append(find_language(item, "stop_words"))
        elif "." in item or "/" in item:
            words += _read_word_file(item)
        else:
            find_language(item, "stop_words")
    if not languages and not words:
        raise ParameterError(
            Parameter("stop_words"),
            f" has no language and no word in {value!r}; write a language such as 'de', or None",
            parameter="stop_words",
        )
    languages = list(dict.fromkeys(languages))
    if words:
        return tuple(sorted({*words, *(word for code in languages for word in list_stop_words(code))}))
    return ENGLISH if languages == ["en"] else ",".join(languages)


def _read_word_file(path: str) -> list[str]:
    """Read a file with a word on each line; lines that start with # are comments."""
    try:
        text = read_bounded(expand_path(path)).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ParameterError(
            f"the file of stop words {path} cannot be read: {why}", parameter="stop_words"
        ) from None
    return [word for line in text.splitlines() if (word := line.strip()) and not word.startswith("#")]


def stop_languages(stop_words: Any) -> list[str]:
    """Return the codes of the languages whose stop words are set; a list of words is of none."""
    if not isinstance(stop_words, str):
        return []
    return ["en" if code == ENGLISH else code for code in stop_words.split(",")]


@lru_cache(maxsize=8)
def list_stop_words(code: str) -> frozenset[str]:
    """Return the stop words of a language."""
    if code == "en":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    return frozenset(import_module("stopwordsiso").stopwords(code))


# Stems


def list_stemmers() -> list[str]:
    """Return the codes of the languages that have a stemmer."""
    algorithms = import_module("snowballstemmer").algorithms()
    return [code for code, name in NAMES.items() if name.lower() in algorithms]


@lru_cache(maxsize=4)
def make_stemmer(code: str) -> Callable[[str], str]:
    """Return a function that cuts each word of a text to its stem."""
    stem = import_module("snowballstemmer").stemmer(NAMES[code].lower()).stemWord
    stem_word: Callable[[str], str] = lru_cache(maxsize=200_000)(stem)
    return lambda text: stem_word(text) if " " not in text else " ".join(map(stem_word, text.split(" ")))


class WordForms(list[str]):
    """Words that each stand for all words with its stem."""

    def __init__(self, words: Iterable[str], language: str) -> None:
        super().__init__(words)
        self.stem = make_stemmer(language)


# Segmenters


@lru_cache(maxsize=3)
def make_segmenter(code: str) -> Callable[[str], str]:
    """Return a function that puts spaces between the words of a text."""
    try:
        with warnings.catch_warnings():
            # what packages warn of at import is no business of the user
            warnings.simplefilter("ignore")
            split = _MAKERS[code]()
    except ImportError as error:
        raise InputError(
            f"the words of {NAMES[code]} texts are found by the package {SEGMENTERS[code]}, which is not "
            f'installed ({error}); install it with `pip install "colligate[{NAMES[code].lower()}]"`'
        ) from None
    return lambda text: " ".join(split(text))


def _make_chinese() -> Callable[[str], Iterable[str]]:
    cut: Callable[[str], Iterable[str]] = import_module("rjieba").cut
    return cut


def _make_japanese() -> Callable[[str], Iterable[str]]:
    tokenize: Callable[[str], Iterable[str]] = (
        import_module("janome.tokenizer").Tokenizer(wakati=True).tokenize
    )
    return tokenize


def _make_thai() -> Callable[[str], Iterable[str]]:
    tokenize: Callable[[str], Iterable[str]] = import_module("pythainlp.tokenize").word_tokenize
    return tokenize


_MAKERS = {"zh": _make_chinese, "ja": _make_japanese, "th": _make_thai}


def guess_segmenter(clause: str) -> str | None:
    """Return the language of a clause without spaces by its script; None if it has no segmenter."""
    for code, script in (("ja", "[\u3040-\u30ff]"), ("zh", "[\u3400-\u9fff]"), ("th", "[\u0e00-\u0e7f]")):
        if re.search(script, clause):
            return code
    return None


# Which languages texts are in


def count_languages(texts: Sequence[str], expected: Iterable[str] = ("en",)) -> Counter[str]:
    """Count the languages of some of the texts; those that say too little are left out.

    Texts with many stop words of an expected language are in it. If there are too many others, the detector
    is asked about them; in Latin script, stop words of the language must confirm its answer.
    """
    step = max(len(texts) / SAMPLE, 1.0)
    starts = (
        texts[int(number * step)][:SAMPLE_CHARACTERS].lower() for number in range(min(len(texts), SAMPLE))
    )
    samples = [
        (text, words)
        for text in starts
        if len(words := _WORD.findall(text)) >= FEWEST_WORDS or guess_segmenter(text)
    ]
    languages: Counter[str] = Counter()
    others = []
    likely = list(expected)
    for text, words in samples:
        shares = {code: _stop_share(words, code) for code in likely}
        code = max(shares, key=lambda code: shares[code], default="")
        if code and shares[code] >= CLEAR_STOP_SHARE:
            languages[code] += 1
        else:
            others.append((text, words))
    if len(others) < MIN_LANGUAGE_SHARE * len(samples):
        return languages
    for text, words in others:
        code = _detect(text)
        is_latin = 2 * len(_LATIN.findall(text)) > sum(map(len, words))
        if not is_latin or _stop_share(words, code) >= MIN_STOP_SHARE:
            languages[code] += 1
    # a language of a few texts among codes or made-up words is a chance hit
    return languages if languages.total() >= MIN_LANGUAGE_SHARE * len(samples) else Counter()


def _stop_share(words: Sequence[str], code: str) -> float:
    listed = list_stop_words(code)
    matching = (
        word in listed and len(word) > 1 and not (code == "en" and word in _ROMANCE) for word in words
    )
    return sum(matching) / max(len(words), 1)


@lru_cache(maxsize=1)
def _load_detector() -> Any:
    langid: Any = import_module("py3langid.langid")
    try:
        # it unpacks its model to a temporary file
        detector = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    except OSError as error:
        raise StoreError(
            f"the temporary folder {tempfile.gettempdir()} cannot be written ({error.strerror or error}), "
            "and the detection of languages needs it; free some space there, or name another folder in TMPDIR"
        ) from error
    wanted = {*NAMES, "nb", "nn"}
    detector.set_languages([code for code in detector.nb_classes if code in wanted])
    return detector


def _detect(text: str) -> str:
    code: str = _load_detector().classify(text)[0]
    return {"nb": "no", "nn": "no"}.get(code, code)


def warn_of_languages(texts: Sequence[str], analyser: Analyser, source: str) -> None:
    """Warn if many texts are in a language that the stop words or the stemmer are not for."""
    set_for = stop_languages(analyser.stop_words)
    stemmed = [analyser.stem] if analyser.stem else []
    if not set_for and not stemmed:
        return
    counts = count_languages(texts, dict.fromkeys([*set_for, *stemmed]))
    total = sum(counts.values())
    if total < FEWEST_TEXTS:
        return
    frequent = [code for code, count in counts.most_common() if count >= MIN_LANGUAGE_SHARE * total]
    # texts without spaces need a segmenter first, and another warning says so
    if analyser.segmenter is None and analyser.tokens is None:
        frequent = [code for code in frequent if code not in SEGMENTERS]
    problems: list[str] = []
    advice: list[Parameter] = []
    if set_for and (new := [code for code in frequent if code not in set_for]):
        used = [code for code in set_for if code in frequent]
        problems.append(f"the stop words are {join_words([NAMES[code] for code in set_for])}")
        advice.append(Parameter("stop_words", ",".join([*used, *new])))
    if stemmed and frequent and stemmed[0] not in frequent:
        problems.append(f"the stemmer is {NAMES[stemmed[0]]}")
        advice.append(Parameter("stem", frequent[0] if frequent[0] in list_stemmers() else None))
    if not problems:
        return
    shares = join_words([f"{NAMES[code]} ({counts[code] / total:.0%})" for code in frequent])
    begin = f"the language of {source} is" if len(frequent) == 1 else f"the languages of {source} are"
    parts: list[str | Parameter] = [f"{begin} {shares}, but {join_words(problems)}; set "]
    for number, parameter in enumerate(advice):
        parts += [" and ", parameter] if number else [parameter]
    warnings.warn(LanguageWarning(*parts), stacklevel=2)
