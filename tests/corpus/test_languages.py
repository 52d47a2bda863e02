"""Stop words, stemmers, segmenters and the detection of languages."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate import Analyser, Corpus, Knowledge
from colligate.corpus import languages
from colligate.corpus.languages import count_languages, find_language
from colligate.errors import InputError, LanguageWarning, ParameterError

SENTENCES = {
    "bg": "Търговците на риба казват, че не са получили нищо от града през тази година и се тревожат.",
    "cs": "Rybáři říkají, že v tomto roce nedostali od města nic, a proto se ptají, co s tím bude dál.",
    "da": "Fiskerne siger, at de ikke har fået noget fra byen i år, og de spørger, hvad der nu skal ske.",
    "de": "Die Fischer sagen, dass sie in diesem Jahr nichts von der Stadt bekommen haben, und fragen warum.",
    "el": "Οι ψαράδες λένε ότι φέτος δεν πήραν τίποτα από την πόλη και ρωτούν τι θα γίνει με τα σπίτια τους.",
    "en": "The fishermen say that they have not received anything from the town this year, and they ask why.",
    "es": "Los pescadores dicen que este año no han recibido nada de la ciudad y preguntan qué va a pasar.",
    "fi": "Kalastajat sanovat, että he eivät ole saaneet kaupungilta mitään tänä vuonna, ja kysyvät miksi.",
    "fr": "Les pêcheurs disent qu'ils n'ont rien reçu de la ville cette année et ils se demandent pourquoi.",
    "hu": "A halászok azt mondják, hogy az idén semmit nem kaptak a várostól, és azt kérdezik, mi lesz most.",
    "it": "I pescatori dicono che quest'anno non hanno ricevuto nulla dalla città e si chiedono perché.",
    "ko": "어부들은 올해 도시에서 아무것도 받지 못했다고 말하며 앞으로 어떻게 될 것인지 묻고 있다.",
    "nl": "De vissers zeggen dat ze dit jaar niets van de stad hebben gekregen en vragen wat er nu gebeurt.",
    "pl": "Rybacy mówią, że w tym roku nie dostali nic od miasta, i pytają, co się teraz z nimi stanie.",
    "pt": "Os pescadores dizem que este ano não receberam nada da cidade e perguntam o que vai acontecer.",
    "ru": "Рыбаки говорят, что в этом году они ничего не получили от города, и спрашивают, что будет дальше.",
    "sv": "Fiskarna säger att de inte har fått något från staden i år och de frågar vad som nu ska hända.",
    "tr": "Balıkçılar bu yıl şehirden hiçbir şey almadıklarını söylüyor ve sonra ne olacak diye soruyorlar.",
    "uk": "Рибалки кажуть, що цього року вони нічого не отримали від міста, і питають, що з ними буде далі.",
}  # fmt: skip
GERMAN = [
    SENTENCES["de"],
    "Das Haus am Fluss ist nicht teuer, aber die Häuser in der Stadt sind es.",
    "Eine Bank hat den Fischern einen Kredit gegeben, und andere Banken geben nun auch Kredite.",
]
CHINESE = ["股票市场今天下跌，投资者很担心。", "北京大学的学生今天去公园散步。"] * 4
JAPANESE = ["東京の株式市場は今日大きく下落しました。", "大学の学生は今日公園を散歩しました。"] * 4
THAI = ["ตลาดหุ้นไทยวันนี้ปรับตัวลดลงมาก", "นักเรียนไปเดินเล่นที่สวนสาธารณะวันนี้"] * 4


def warnings_of(texts, **options):
    """Return the messages about languages of a corpus of these texts."""
    with pytest.warns() as caught:
        Corpus.from_texts(texts, analyser=Analyser(**options))
    return [str(warning.message) for warning in caught if issubclass(warning.category, LanguageWarning)]


@pytest.mark.parametrize("code", SENTENCES)
def test_the_language_of_a_sentence_is_detected(code):
    assert count_languages([SENTENCES[code]]) == {code: 1}


@pytest.mark.parametrize(
    "texts",
    [["zeta eta theta iota kappa lambda"], ["w1 w2 w3 w4 w5 w6"], ["hockey puck"], ["", "1 2 3 4 5 6"]],
)
def test_texts_that_say_too_little_have_no_language(texts):
    assert not count_languages(texts)
    assert Corpus.from_texts([*texts, "word"], analyser=Analyser(stop_words=None)).language is None


def test_english_texts_need_no_detector(monkeypatch):
    monkeypatch.setattr(languages, "_detect", lambda text: pytest.fail("the detector was asked"))
    corpus = Corpus.from_texts([SENTENCES["en"]] * 9 + ["hockey puck goalie rink season"])
    assert corpus.language == "en"


def test_german_texts_with_english_stop_words_are_told_of_with_what_to_do():
    assert warnings_of(GERMAN) == [
        "the language of the texts is German (100%), but the stop words are English; set stop_words='de'"
    ]
    mixed = warnings_of([*GERMAN, *[SENTENCES["en"]] * 3], stem="fr")
    assert mixed == [
        "the languages of the texts are English (50%) and German (50%), but the stop words are English and "
        "the stemmer is French; set stop_words='en,de' and stem='en'"
    ]


@pytest.mark.parametrize("stop_words", ["de", "German", "en,de", None, ["der", "die"]])
def test_settings_that_fit_and_lists_of_the_user_cause_no_warning(stop_words):
    Corpus.from_texts(GERMAN, analyser=Analyser(stop_words=stop_words))


def test_a_language_of_few_texts_needs_no_warning():
    Corpus.from_texts([SENTENCES["en"]] * 9 + [SENTENCES["fr"]])


def test_stop_words_of_languages_and_files(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("# mine\nFischer\n\nhaus\n", encoding="utf-8")
    both = Analyser(stop_words=f"german,{words}")
    counted = Corpus.from_texts(GERMAN, analyser=both).words
    assert {"fischern", "häuser", "bank", "kredit"} <= set(counted)
    assert not {"fischer", "haus", "der", "und", "nicht"} & set(counted)
    # the file is read once: what is stored has its words
    words.unlink()
    assert Analyser.from_dict(both.to_dict()) == both
    assert Analyser(stop_words="en") == Analyser()
    assert Analyser(stop_words="French, de").stop_words == "fr,de"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"stop_words": "germn"},
            "stop_words must be a language or a file .*got 'germn'. Did you mean 'german'",
        ),
        (
            {"stop_words": "missing/words.txt"},
            "file of stop words missing/words.txt cannot be read: No such file",
        ),
        ({"stop_words": " , "}, "stop_words has no language and no word"),
        ({"stem": "zh"}, "stem must be a language; got 'zh'"),
        ({"segmenter": "de"}, "segmenter must be a language; got 'de'. The languages are zh, ja, th"),
        ({"stem": 3}, "stem must be a language; got 3"),
        ({"tokens": str.split, "segmenter": "zh"}, "segmenter has no effect together with tokens"),
    ],
)
def test_unknown_languages_and_files_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        Analyser(**options)


def test_a_file_of_stop_words_must_be_text(tmp_path):
    (tmp_path / "words.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ParameterError, match="it is not UTF-8"):
        Analyser(stop_words=str(tmp_path / "words.txt"))


def test_languages_have_codes_and_names():
    assert find_language(" Thai ", "stop_words") == find_language("th", "stop_words") == "th"
    for code in languages.NAMES:
        assert languages.list_stop_words(code)
    assert {"de", "fr", "ru", "en"} <= set(languages.list_stemmers())


def test_forms_of_a_word_count_as_one_and_its_most_frequent_form_stands_for_them():
    corpus = Corpus.from_texts(GERMAN, analyser=Analyser(stop_words="de", stem="de"))
    assert "haus" in corpus.words
    assert "häuser" not in corpus.words
    assert corpus.counts[[1], :].toarray()[0, corpus.words.index("haus")] == 2
    # of forms that are equally frequent, the first one by the alphabet
    assert "bank" in corpus.words
    assert "banken" not in corpus.words
    new = Corpus.from_texts(["Häusern und Bank", "unbekannt", "und"], like=corpus)
    assert new.words == corpus.words
    assert np.flatnonzero(new.counts[[0], :].toarray()).tolist() == sorted(
        map(corpus.words.index, ("haus", "bank"))
    )
    assert new.empty.tolist() == [False, True, True]
    assert Corpus.from_texts(["und"], like=corpus).counts.shape == (1, len(corpus.words))


def test_stems_of_phrases_are_those_of_their_words():
    texts = ["crude oil prices", "crude oil price", "crude oils price"]
    corpus = Corpus.from_texts(texts, analyser=Analyser(stem="en", ngrams=(2, 2)))
    assert corpus.words == ["crude oil", "oil price"]
    assert corpus.counts.sum(axis=0).tolist() == [3, 3]


def test_a_stored_corpus_stems_and_predicts_alike(tmp_path):
    corpus = Corpus.from_texts(GERMAN * 4, analyser=Analyser(stop_words="de", stem="de"))
    result = cg.make("colligate", n_clusters=2, random_state=0).fit(corpus).result_
    result.save(tmp_path / "model")
    loaded = cg.Result.load(tmp_path / "model")
    assert loaded.corpus.analyser == corpus.analyser
    new = ["Häusern in Städten", "Kredits der Banken"]
    np.testing.assert_array_equal(loaded.predict(new), result.predict(new))
    assert (result.predict(new) >= 0).all()


def test_knowledge_may_use_any_form_of_a_word():
    corpus = Corpus.from_texts(GERMAN * 4, analyser=Analyser(stop_words="de", stem="de"))
    knowledge = Knowledge().category("Wohnen", words=["Häuser", "Flüsse"])
    result = cg.make("colligate", n_clusters=2, random_state=0).fit(corpus, knowledge=knowledge).result_
    assert {corpus.words[k] for k in result.compiled.subject_index} == {"haus", "fluss"}


@pytest.mark.parametrize(
    ("code", "package", "texts", "words"),
    [
        ("zh", "rjieba", CHINESE, {"股票市场", "投资者", "学生", "公园"}),
        ("ja", "janome", JAPANESE, {"東京", "株式", "市場", "大学", "学生", "公園"}),
        ("th", "pythainlp", THAI, {"ตลาดหุ้น", "นักเรียน", "สวนสาธารณะ"}),
    ],
)
def test_segmenters_find_the_words_of_texts_without_spaces(code, package, texts, words):
    pytest.importorskip(package)
    corpus = Corpus.from_texts(texts, analyser=Analyser(stop_words=code, segmenter=code))
    assert words <= set(corpus.words)
    assert corpus.language == code
    new = Corpus.from_texts(texts[:1], like=corpus)
    np.testing.assert_array_equal(new.counts.toarray(), corpus.counts[[0], :].toarray())
    assert warnings_of(texts, segmenter=code)[0].endswith(
        f"the stop words are English; set stop_words='{code}'"
    )


def test_a_segmenter_that_is_not_installed_is_named_with_its_extra(monkeypatch):
    def refuse(name):
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(languages, "import_module", refuse)
    languages.make_segmenter.cache_clear()
    with pytest.raises(InputError, match=r'package rjieba, which is not installed .*"colligate\[chinese\]"'):
        Corpus.from_texts(CHINESE, analyser=Analyser(segmenter="zh"))


def test_a_full_temporary_folder_is_named(monkeypatch):
    from types import SimpleNamespace

    from colligate.corpus import languages
    from colligate.errors import StoreError

    def fill_the_disk(_):
        raise OSError(28, "No space left on device")

    module = SimpleNamespace(
        LanguageIdentifier=SimpleNamespace(from_model_file=fill_the_disk), MODEL_FILE="model"
    )
    monkeypatch.setattr(languages, "import_module", lambda _: module)
    with pytest.raises(StoreError, match=r"No space left on device.*TMPDIR"):
        languages._load_detector.__wrapped__()
