"""Documents in every form that `fit`, `predict` and `transform` take, and one clear line for every other."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import colligate as cg

FRUIT = ["red apple pie", "apple tart red", "apple pie cream", "red apple cream tart", "pie tart apple"]
CARS = ["fast blue car", "blue car engine", "car engine fast", "engine wheel car", "blue wheel car fast"]
TEXTS = [text for pair in zip(FRUIT, CARS, strict=True) for text in pair]
TRUTH = [0, 1] * 5
IDS = [f"d{number}" for number in range(10)]
YEARS = [1990 + number for number in range(10)]
COLUMNS = {"id": IDS, "text": TEXTS, "year": YEARS}


def pandas_frame():
    return pytest.importorskip("pandas").DataFrame(COLUMNS)


def polars_frame():
    return pytest.importorskip("polars").DataFrame(COLUMNS)


def dataset():
    return pytest.importorskip("datasets").Dataset.from_dict(COLUMNS)


def duckdb_relation():
    duckdb = pytest.importorskip("duckdb")
    table = pa.table(COLUMNS)
    return duckdb.from_arrow(table)


def csv_file(folder):
    rows = [f"{id},{text},{year}" for id, text, year in zip(IDS, TEXTS, YEARS, strict=True)]
    (folder / "docs.csv").write_text("\n".join(["id,text,year", *rows]))
    return folder / "docs.csv"


def jsonl_file(folder):
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in zip(*COLUMNS.values(), strict=True)]
    (folder / "docs.jsonl").write_text("\n".join(lines))
    return str(folder / "docs.jsonl")


def parquet_file(folder):
    pq.write_table(pa.table(COLUMNS), folder / "docs.parquet")
    return folder / "docs.parquet"


def text_folder(folder):
    (folder / "docs").mkdir()
    for id, text in zip(IDS, TEXTS, strict=True):
        (folder / "docs" / f"{id}.txt").write_text(text)
    return folder / "docs"


def stored_network(folder):
    cg.Network.from_corpus(cg.Corpus.from_texts(TEXTS)).save(folder / "network")
    return folder / "network"


class BareStream:
    """A table of a package that nobody knows: an Arrow stream and nothing else."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table(COLUMNS).__arrow_c_stream__(requested_schema)


ROWS_OF_TEXTS = {
    "list": lambda _: list(TEXTS),
    "tuple": lambda _: tuple(TEXTS),
    "array of objects": lambda _: np.array(TEXTS, dtype=object),
    "array of str": lambda _: np.array(TEXTS),
    "generator": lambda _: (text for text in TEXTS),
    "Arrow array": lambda _: pa.array(TEXTS),
    "Arrow chunked array": lambda _: pa.chunked_array([TEXTS[:3], TEXTS[3:]]),
    "pandas Series": lambda _: pandas_frame()["text"],
    "pandas Series of categories": lambda _: pandas_frame()["text"].astype("category"),
    "polars Series": lambda _: polars_frame()["text"],
    "column of a dataset": lambda _: dataset()["text"],
    "matrix": lambda _: cg.Corpus.from_texts(TEXTS).counts,
    "Network": lambda _: cg.Network.from_corpus(cg.Corpus.from_texts(TEXTS)),
    "stored network": stored_network,
}
TABLES = {
    "Corpus": lambda _: cg.Corpus.from_frame(pa.table(COLUMNS)),
    "pandas DataFrame": lambda _: pandas_frame(),
    "polars DataFrame": lambda _: polars_frame(),
    "polars LazyFrame": lambda _: polars_frame().lazy(),
    "Arrow table": lambda _: pa.table(COLUMNS),
    "Arrow record batch": lambda _: pa.record_batch(COLUMNS),
    "any Arrow stream": lambda _: BareStream(),
    "Arrow stream": lambda _: pa.table(COLUMNS).to_reader(),
    "dataset": lambda _: dataset(),
    "DuckDB relation": lambda _: duckdb_relation(),
    "CSV file": csv_file,
    "path as text": jsonl_file,
    "Parquet file": parquet_file,
}
FORMS = {**ROWS_OF_TEXTS, **TABLES, "folder": text_folder}


def make_model(**parameters):
    return cg.make("kmeans", **{"n_clusters": 2, "random_state": 0, "n_init": 2, **parameters})


@pytest.mark.parametrize("form", FORMS)
def test_fit_takes_every_form_and_finds_the_same_groups(form, tmp_path):
    labels = make_model().fit_predict(FORMS[form](tmp_path))
    np.testing.assert_array_equal(labels == labels[0], np.array(TRUTH) == 0)


@pytest.mark.parametrize("form", FORMS)
def test_predict_and_transform_take_every_form(form, tmp_path):
    model = make_model().fit(pa.table(COLUMNS))
    for number, assign in enumerate((model.predict, model.transform, model.result_.predict)):
        folder = tmp_path / str(number)
        folder.mkdir()
        np.testing.assert_allclose(assign(FORMS[form](folder)), assign(list(TEXTS)), rtol=1e-6)


@pytest.mark.parametrize("form", TABLES)
def test_ids_and_other_columns_stay_with_the_documents(form, tmp_path):
    result = make_model().fit(TABLES[form](tmp_path)).result_
    assert result.corpus.ids == IDS
    # a CSV file has only text
    assert list(map(int, result.corpus.columns["year"].to_pylist())) == YEARS
    assert list(result.corpus.texts) == TEXTS


OUT = {
    "pandas": lambda frame, _: frame.to_pandas(),
    "polars": lambda frame, _: frame.to_polars(),
    "Arrow": lambda frame, _: frame.to_arrow(),
    "Parquet file": lambda frame, folder: write_parquet(frame, folder),
}


def write_parquet(frame, folder):
    pq.write_table(frame.to_arrow(), folder / "out.parquet")
    return folder / "out.parquet"


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("package", OUT)
def test_documents_go_round_as_frames(form, package, tmp_path):
    first = make_model().fit(TABLES[form](tmp_path)).result_
    frame = OUT[package](first.documents, tmp_path)
    again = make_model().fit(frame).result_
    assert again.corpus.ids == IDS
    assert list(again.corpus.texts) == TEXTS
    assert [int(year) for year in again.corpus.columns["year"].to_pylist()] == YEARS
    np.testing.assert_array_equal(again.labels["documents"], first.labels["documents"])
    assert again.corpus.columns["cluster"].to_pylist() == first.labels["documents"].tolist()


def test_a_selection_of_a_dataset_keeps_its_order():
    chosen = dataset().select([4, 1, 7])
    assert cg.Corpus.of(chosen).ids == ["d4", "d1", "d7"]


def test_new_tables_are_read_by_the_columns_of_the_fit():
    model = make_model().fit(cg.Corpus.of(pa.table({"name": IDS, "post": TEXTS}), text="post", id="name"))
    new = pa.table({"text": ["blue car"] * 2, "post": ["apple pie", "blue engine"], "name": ["x", "y"]})
    np.testing.assert_array_equal(model.predict(new), model.predict(["apple pie", "blue engine"]))
    np.testing.assert_array_equal(
        model.predict(new.select(["text"])), model.predict(["blue car", "blue car"])
    )
    assert cg.Corpus.of(new, like=model.result_.corpus).ids == ["x", "y"]


def test_frames_of_numbers_are_matrices_whose_columns_are_words():
    corpus = cg.Corpus.from_texts(TEXTS)
    matrix = dict(zip(corpus.words, corpus.counts.toarray().T, strict=True))
    frames = [pa.table(matrix)]
    frames.append(pytest.importorskip("pandas").DataFrame(matrix))
    frames.append(pytest.importorskip("polars").DataFrame(matrix))
    frames.append(pytest.importorskip("duckdb").from_arrow(frames[0]))
    expected = make_model().fit(corpus)
    for frame in frames:
        model = make_model().fit(frame)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
        assert model.result_.group_names == expected.result_.group_names
        np.testing.assert_array_equal(model.predict(frame), model.labels_)
        assert model.feature_names_in_.tolist() == corpus.words


def test_knowledge_names_the_columns_of_a_frame_of_numbers():
    corpus = cg.Corpus.from_texts(TEXTS)
    frame = pytest.importorskip("pandas").DataFrame(corpus.counts.toarray(), columns=corpus.words)
    knowledge = cg.Knowledge().category("fruit", words=["apple", "pie"]).category("cars", words=["car"])
    model = cg.make("colligate", n_clusters=2, random_state=0, n_ensemble=2).fit(frame, knowledge=knowledge)
    assert {name.partition(":")[0] for name in model.result_.group_names} == {"fruit", "cars"}


BAD = {
    "list of numbers": ([3, 1, 2], "a list of numbers is not a list of texts"),
    "array of numbers": (np.arange(4.0), "an array of numbers is not a list of texts"),
    "empty list": ([], "there are no documents in the texts"),
    "number among texts": ([*TEXTS, 7], "text 11 is of type int; texts must be str"),
    "nothing": (None, "None is not a list of texts"),
    "single number": (3, "3 is not a list of texts"),
    "bytes": (b"apple", "bytes are not documents"),
    "list of bytes": ([b"apple"], "a list of bytes is not a list of texts"),
    "lists of words": ([text.split() for text in TEXTS], "a list of lists of texts is not a list of texts"),
    "list of records": ([{"text": text} for text in TEXTS], "a list of dict is not a list of texts"),
    "mapping": (COLUMNS, "a dict is not a list of texts"),
    "set": (set(TEXTS), "a set is not a list of texts"),
    "values of a mapping": ({"text": TEXTS[0]}.values(), "a dict_values is not a list of texts"),
    "function": (len, "a builtin_function_or_method is not a list of texts"),
    "masked counts": (
        np.ma.masked_equal(np.eye(4), 1),
        "has masked entries .4 of them.; write what they count",
    ),
    "table of texts": (np.array([TEXTS, TEXTS]), "an array of texts in rows and columns"),
    "single text": (" ".join(TEXTS) * 10, "there is no file or folder .*; if this is the text of a document"),
    "no text column": (pa.table({"who": ["a"], "n": [1]}), r"no text column .*the columns 'who', 'n'"),
    "no columns": (pa.table({}), "no text column .*the table has no columns"),
    "empty frame": (pa.table({"text": pa.array([], pa.string())}), "there are no documents in the Table"),
}


def test_a_pandas_frame_without_rows_has_no_documents():
    pandas = pytest.importorskip("pandas")
    model = make_model().fit(TEXTS)
    # pandas gives the columns of the first frame the type of numbers
    for frame in (pandas.DataFrame({"id": [], "text": []}), pandas_frame()[:0]):
        for take in (model.fit, model.predict, model.result_.predict):
            with pytest.raises(cg.errors.CorpusError, match="there are no documents in the DataFrame"):
                take(frame)


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("method", ["fit", "predict"])
def test_other_input_is_refused_in_one_line_without_the_corpus(name, method):
    documents, message = BAD[name]
    if name == "mapping" and method == "predict":
        message = "no relation or type 'id'"
    model = make_model().fit(TEXTS)
    with pytest.raises(cg.errors.InputError, match=message) as caught:
        getattr(model, method)(documents)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_column_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(cg.errors.CorpusError, match="has no column 'body'; it has the columns 'id'"):
        cg.Corpus.of(pa.table(COLUMNS), text="body")
    with pytest.raises(cg.errors.CorpusError, match=r"Corpus\.of\(documents, text=\.\.\.\)"):
        make_model().fit(pa.table({"post": TEXTS}))


def test_datasets_with_splits_ask_for_one():
    splits = pytest.importorskip("datasets").DatasetDict({"train": dataset()})
    with pytest.raises(cg.errors.CorpusError, match="has the splits 'train'; choose one"):
        make_model().fit(splits)
    with pytest.raises(cg.errors.CorpusError, match="without streaming"):
        make_model().fit(dataset().to_iterable_dataset())


@pytest.mark.parametrize("missing", [None, float("nan"), "pandas"])
def test_missing_texts_are_empty_documents_with_a_warning(missing):
    if missing == "pandas":
        missing = pytest.importorskip("pandas").NA
    texts = [*TEXTS[:4], missing, *TEXTS[5:], missing]
    with pytest.warns(cg.errors.MissingTextWarning, match=r"2 texts are missing \(first: text 5\)"):
        labels = make_model().fit(texts).labels_
    assert np.flatnonzero(labels < 0).tolist() == [4, 10]


def test_missing_texts_of_a_frame_are_warned_of():
    table = pa.table({"text": [*TEXTS, None]})
    with pytest.warns(cg.errors.MissingTextWarning, match=r"1 text is missing \(first: row 11 of"):
        assert make_model().fit(table).labels_[10] == -1


def test_texts_cannot_be_predicted_from_a_matrix():
    model = make_model().fit(cg.Corpus.from_texts(TEXTS).counts)
    with pytest.raises(cg.errors.InputError, match="made from a matrix or a network"):
        model.predict(TEXTS)


def test_a_corpus_has_parts():
    corpus = cg.Corpus.of(pa.table(COLUMNS))
    part = corpus[np.array([7, 2])]
    assert (part.ids, list(part.texts), part.words) == (["d7", "d2"], [TEXTS[7], TEXTS[2]], corpus.words)
    assert part.columns["year"].to_pylist() == [1997, 1992]
    assert (part.counts != corpus.counts[[7, 2]]).nnz == 0
    assert corpus[corpus.counts.sum(axis=1) > 3].shape == (2, len(corpus.words))
    assert corpus[2:5].ids == IDS[2:5]
    with pytest.raises(TypeError, match="slice, positions or booleans"):
        corpus[3]


# the number of groups


def many_texts():
    rng = np.random.default_rng(0)
    topics = [[f"w{topic}x{number}" for number in range(8)] for topic in range(3)]
    return [" ".join(rng.choice(topics[number % 3], 12)) for number in range(90)]


def test_auto_takes_the_suggested_number_and_keeps_the_parameter():
    texts = many_texts()
    model = cg.make("kmeans", n_clusters="auto", random_state=0, n_init=2).fit(texts)
    assert model.n_clusters == "auto"
    assert model.n_clusters_ == model.suggestion_.n_clusters == cg.suggest_clusters(texts).n_clusters
    assert model.result_.n_groups() == model.result_.parameters["n_clusters"] == model.n_clusters_
    assert model.set_params(n_clusters=4).fit(texts).n_clusters_ == 4
    assert not hasattr(model, "suggestion_")


def test_auto_makes_a_group_for_every_name_of_the_knowledge():
    names = {str(number): f"name {number % 40}" for number in range(1, 81)}
    model = cg.make("colligate", n_clusters="auto", random_state=0, n_ensemble=1)
    assert model.fit(many_texts(), knowledge=cg.Knowledge().label(names)).n_clusters_ == 40
    assert model.fit(many_texts(), np.arange(90) % 40).n_clusters_ == 40


# scores, and scikit-learn's tools


def test_the_score_without_labels_tells_real_groups_from_none():
    texts = many_texts()
    train, test = texts[:60], texts[60:]
    scores = {k: make_model(n_clusters=k).fit(train).score(test) for k in (1, 2, 3)}
    assert scores[1] == pytest.approx(0, abs=1e-9)
    assert scores[1] < scores[2] < scores[3]
    # three equal groups without common words: the group of a word is worth log 3 nats, less the background
    assert scores[3] == pytest.approx(np.log(0.9 * 3 + 0.1), abs=0.02)


def test_the_score_of_groups_that_mean_nothing_is_not_above_zero():
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice([f"w{number}" for number in range(50)], 20)) for _ in range(60)]
    assert make_model(n_clusters=8).fit(texts[:30]).score(texts[30:]) < 0


def test_the_score_with_labels_is_mutual_information():
    model = make_model().fit(TEXTS)
    assert model.score(TEXTS, TRUTH) == pytest.approx(1)
    assert model.score(TEXTS, [-1, *TRUTH[1:]]) == pytest.approx(1)
    with pytest.raises(cg.errors.InputError, match="y has no known label"):
        model.score(TEXTS, [-1] * 10)


@pytest.mark.parametrize("form", ["list", "array of objects", "pandas Series", "polars Series", "Corpus"])
def test_grid_searches_choose_the_number_of_groups(form):
    documents = many_texts()
    made = {
        "list": lambda: documents,
        "array of objects": lambda: np.array(documents, dtype=object),
        "pandas Series": lambda: pytest.importorskip("pandas").Series(documents),
        "polars Series": lambda: pytest.importorskip("polars").Series(documents),
        "Corpus": lambda: cg.Corpus.from_texts(documents),
    }
    search = GridSearchCV(make_model(), {"n_clusters": [1, 2, 3]}, cv=3).fit(made[form]())
    assert search.best_params_ == {"n_clusters": 3}


@pytest.mark.parametrize("vectorizer", [None, CountVectorizer(), TfidfVectorizer()])
def test_words_keep_their_names_behind_a_vectorizer(vectorizer):
    pipeline = make_pipeline(cg.NamedVectorizer(vectorizer), make_model()).fit(TEXTS)
    names = " ".join(pipeline[-1].result_.group_names)
    assert "apple" in names
    assert "car" in names
    assert pipeline.predict(["apple tart", "blue engine"]).tolist() == pipeline[-1].labels_[:2].tolist()
    assert "apple" in pipeline[0].get_feature_names_out()
    search = GridSearchCV(pipeline, {"kmeans__n_clusters": [1, 2]}, cv=2).fit(TEXTS)
    assert search.best_params_ == {"kmeans__n_clusters": 2}


def test_a_named_vectorizer_keeps_texts_and_refuses_a_matrix():
    pipeline = make_pipeline(cg.NamedVectorizer(), make_model()).fit(pa.table(COLUMNS))
    assert list(pipeline[-1].result_.corpus.texts) == TEXTS
    with pytest.raises(cg.errors.CorpusError, match="NamedVectorizer counts the words of texts; got ndarray"):
        cg.NamedVectorizer().fit(np.eye(3))
