"""Fifty calls and parameters of BERTopic, each with the code that does the same in Colligate.

The code of both columns is run as it stands; `bertopic_calls` says with which names. `verdict` is a
judgement, and `note` its reason.
"""

from __future__ import annotations

from dataclasses import dataclass

SAME, BETTER, DIFFERENT, NOT = "same", "more", "another way", "no"


@dataclass(frozen=True)
class Call:
    """One call or parameter: its name, the code of BERTopic, ours (empty for none), and the verdict."""

    name: str
    theirs: str
    ours: str
    verdict: str
    note: str = ""


FITTING = (
    Call(
        "fit_transform(docs)",
        "BERTopic(embedding_model=encoder).fit_transform(docs)[0]",
        "cg.make('colligate', n_clusters='auto', random_state=0).fit_predict(docs)",
        SAME,
        "every document gets a group, none is an outlier unless you ask; a seed repeats the result exactly",
    ),
    Call(
        "fit_transform(docs, embeddings)",
        "BERTopic().fit_transform(docs, vectors)[0]",
        "cg.make('colligate', n_clusters=8, embeddings=vectors, random_state=0).fit_predict(docs)",
        SAME,
        "words count beside the vectors, by a weight that is estimated",
    ),
    Call(
        "fit(docs, y=classes)",
        "BERTopic().fit(docs, vectors, y=some_classes).topics_",
        "method.fit(docs, some_classes).labels_",
        BETTER,
        "-1 is no label in both; the audit tells what became of each label, and how far it is trusted",
    ),
    Call(
        "transform(new_docs)",
        "topic_model.transform(new_docs, new_vectors)[0]",
        "model.predict(new_docs)",
        SAME,
    ),
    Call(
        "partial_fit(docs)",
        "[online.partial_fit(docs[a:a + 200], vectors[a:a + 200]) for a in (0, 200)][-1].topics_",
        "[batches.partial_fit(docs[n:n + 200]) for n in (0, 200)][-1].labels_",
        SAME,
        "the same method and parameters as `fit`; BERTopic needs other models for each step",
    ),
    Call(
        "nr_topics=8",
        "BERTopic(nr_topics=8).fit(docs, vectors).get_topic_info()",
        "method.fit(docs).result_.groups",
        SAME,
        "exactly so many groups; BERTopic merges topics, so it may have fewer",
    ),
    Call(
        'nr_topics="auto"',
        "BERTopic(nr_topics='auto').fit(docs, vectors).get_topic_info()",
        "cg.make('colligate', n_clusters='auto', random_state=0).fit(docs).n_clusters_",
        SAME,
        "a suggestion in both; `suggestion_` lists other plausible numbers",
    ),
    Call(
        "min_topic_size",
        "BERTopic(min_topic_size=40).fit(docs, vectors).get_topic_freq()['Count'].tolist()",
        "method.fit(docs, knowledge=cg.Knowledge().group_size('*', at_least=40))"
        ".result_.groups['size'].to_pylist()",
        DIFFERENT,
        "sizes are knowledge, for one group or all, at least and at most",
    ),
    Call(
        "calculate_probabilities",
        "BERTopic(calculate_probabilities=True).fit(docs, vectors).probabilities_",
        "result.memberships['documents']",
        BETTER,
        "always there; [how far they are calibrated](../evaluation.md#certainty)",
    ),
    Call(
        "low_memory, verbose",
        "BERTopic(low_memory=True, verbose=False).fit(docs, vectors).topics_",
        "method.fit(docs, options=RunOptions(listener=events.append)).labels_",
        DIFFERENT,
        "sparse throughout, so there is no switch; progress goes to a function",
    ),
    Call(
        "language",
        "BERTopic(language='german').fit(german_docs, german_vectors).topics_",
        "cg.make('colligate', n_clusters=2, random_state=0)"
        ".fit(cg.Corpus.from_texts(german_docs, analyser=cg.Analyser(stop_words='de', stem='de'))).labels_",
        BETTER,
        "stop words of 58 languages, stemmers, segmenters; a warning where settings do not fit the texts",
    ),
    Call(
        "embedding_model",
        "BERTopic(embedding_model=encoder).fit(docs).topics_",
        "cg.make('colligate', n_clusters=8, embeddings=encoder, random_state=0).fit(docs).labels_",
        SAME,
        "any object with `encode` or `embed`, a name, an array, or a column of the table",
    ),
    Call(
        "umap_model",
        "BERTopic(umap_model=umap).fit(docs, vectors).topics_",
        "",
        NOT,
        "there is no reduction step to choose; the map is a picture, groups do not depend on it",
    ),
    Call(
        "hdbscan_model",
        "BERTopic(hdbscan_model=KMeans(8, random_state=0)).fit(docs, vectors).topics_",
        "cg.make('kmeans', n_clusters=8, random_state=0).fit(docs).labels_",
        DIFFERENT,
        "a [method](../methods/index.md) is chosen by name; there are 28",
    ),
    Call(
        "vectorizer_model",
        "BERTopic(vectorizer_model=CountVectorizer(stop_words='english'))"
        ".fit(docs, vectors).get_topic(0)[:3]",
        "cg.Corpus.from_texts(docs, analyser=cg.Analyser(vectorizer=CountVectorizer()))",
        SAME,
        "words without stop words are the default",
    ),
    Call(
        "n_gram_range",
        "BERTopic(n_gram_range=(1, 2)).fit(docs, vectors).get_topic(0)[:3]",
        "cg.Corpus.from_texts(docs, analyser=cg.Analyser(ngrams=(1, 2)))",
        SAME,
        "names of groups have phrases without it",
    ),
    Call(
        "ctfidf_model",
        "BERTopic(ctfidf_model=ClassTfidfTransformer(reduce_frequent_words=True))"
        ".fit(docs, vectors).get_topic(0)[:3]",
        "",
        NOT,
        "there is one score of words, which needs no setting",
    ),
    Call(
        "top_n_words",
        "len(BERTopic(top_n_words=5).fit(docs, vectors).get_topic(0))",
        "len(result.top_words(5)[0])",
        BETTER,
        "asked for afterwards, any number",
    ),
    Call(
        "seed_topic_list",
        "BERTopic(embedding_model=encoder, seed_topic_list=[['oil', 'opec'], ['rate', 'bank']])"
        ".fit(docs, vectors).get_topic_info()",
        "method.fit(docs, knowledge=cg.Knowledge().category('oil', words=['oil', 'opec'])"
        ".category('money', words=['rate', 'bank'])).result_.group_names",
        BETTER,
        "the category names the group, and the audit tells whether the words were kept",
    ),
    Call(
        "zeroshot_topic_list",
        "BERTopic(embedding_model=encoder, zeroshot_topic_list=['crude oil', 'sugar'], "
        "zeroshot_min_similarity=0.5).fit(docs, vectors).get_topic_info()",
        "method.fit(docs, knowledge=cg.Knowledge().names(['crude oil', 'sugar'])).result_.group_names",
        BETTER,
        "no threshold to choose ([figures](../evaluation.md#names-alone))",
    ),
    Call(
        "representation_model",
        "BERTopic(embedding_model=encoder, representation_model=KeyBERTInspired())"
        ".fit(docs, vectors).get_topic(0)[:3]",
        "result.group_names[0]",
        DIFFERENT,
        "names are readable and unique by default ([before and after](../group_names.md))",
    ),
    Call(
        "representation_model=OpenAI(...)",
        "BERTopic(representation_model=OpenAI(client, model='small')).fit(docs, vectors).get_topic(0)[0][0]",
        "result.describe('small', server).group_names[0]",
        BETTER,
        "replies are checked and cached; documents leave the machine only with your consent",
    ),
)
READING = (
    Call("topics_", "topic_model.topics_", "result.labels['documents']", SAME),
    Call("probabilities_", "topic_model.probabilities_", "result.confidence", SAME),
    Call(
        "get_topic_info()",
        "topic_model.get_topic_info()",
        "result.groups",
        SAME,
        "Arrow inside: pandas, polars and DuckDB read it",
    ),
    Call("get_topic(0)", "topic_model.get_topic(0)[:3]", "result.top_words(3)[0]", SAME),
    Call("get_topic_freq()", "topic_model.get_topic_freq()", "result.groups['size'].to_pylist()", SAME),
    Call(
        "get_document_info(docs)",
        "topic_model.get_document_info(docs)",
        "result.documents",
        BETTER,
        "with the columns of the input, the second-best group, and whether the document fits",
    ),
    Call(
        "get_representative_docs(0)",
        "topic_model.get_representative_docs(0)",
        "[docs[row] for row in result.representatives(3)[0]]",
        SAME,
    ),
    Call(
        "find_topics(text)",
        "topic_model.find_topics('price of oil')[0]",
        "result.predict_memberships(['price of oil']).argsort()[0, ::-1]",
        SAME,
    ),
    Call(
        "topic_embeddings_",
        "topic_model.topic_embeddings_",
        "[result.directions[result.labels['documents'] == k].mean(axis=0) for k in range(8)]",
        DIFFERENT,
        "documents have directions; groups are distributions of words and directions",
    ),
    Call("c_tf_idf_", "topic_model.c_tf_idf_", "result.word_scores", SAME),
    Call(
        "approximate_distribution(docs)",
        "topic_model.approximate_distribution(docs[:5], calculate_tokens=True)[0]",
        "result.why(0).words[:3]",
        DIFFERENT,
        "memberships are the distribution; `why` has the evidence of each word for the group of a document",
    ),
    Call(
        "hierarchical_topics(docs)",
        "topic_model.hierarchical_topics(docs)",
        "result.hierarchy().to_frame()",
        SAME,
        "[figures](../evaluation.md#the-hierarchy-of-groups)",
    ),
    Call(
        "get_topic_tree(...)",
        "topic_model.get_topic_tree(topic_model.hierarchical_topics(docs))",
        "str(result.hierarchy())",
        SAME,
    ),
    Call(
        "topics_over_time(docs, dates)",
        "topic_model.topics_over_time(docs, moments, nr_bins=4)",
        "result.over('date', time=True)",
        BETTER,
        "shares with intervals ([figures](../evaluation.md#groups-over-time)); dates are read from text",
    ),
    Call(
        "topics_per_class(docs, classes)",
        "topic_model.topics_per_class(docs, classes)",
        "result.over('class')",
        SAME,
    ),
)
CHANGING = (
    Call(
        "merge_topics(docs, [0, 1])",
        "topic_model.merge_topics(docs, [0, 1]) or topic_model.get_topic_freq()",
        "result.merge(0, 1).groups",
        SAME,
        "a new result; the old one stays, and groups keep their numbers",
    ),
    Call(
        "reduce_topics(docs, 4)",
        "topic_model.reduce_topics(docs, nr_topics=4).get_topic_freq()",
        "result.hierarchy().cut(4).names",
        SAME,
        "any level of the tree, without another run",
    ),
    Call(
        "reduce_outliers(docs, topics)",
        "topic_model.reduce_outliers(docs, topic_model.topics_)",
        "result.leave_out(0.05).place_all().labels['documents']",
        BETTER,
        "the other way round: nothing is an outlier unless asked, by a calibrated rule",
    ),
    Call(
        "set_topic_labels(...)",
        "topic_model.set_topic_labels({0: 'Results'}) or topic_model.custom_labels_",
        "result.rename({0: 'Results'}).group_names",
        SAME,
        "one name everywhere: tables, report, figures, knowledge file",
    ),
    Call(
        "update_topics(docs, ...)",
        "topic_model.update_topics(docs, vectorizer_model=CountVectorizer(stop_words='english')) "
        "or topic_model.get_topic(0)[:3]",
        "",
        NOT,
        "names are readable from the start; `rename` and `describe` give others",
    ),
    Call(
        "merge_models([a, b])",
        "BERTopic.merge_models([topic_model, later_topics]).get_topic_info()",
        "result.update(new_docs).changes_since(result)",
        BETTER,
        "finds new groups and tells what changed ([figures](../evaluation.md#documents-that-come-later))",
    ),
    Call(
        "save(...), load(...)",
        "topic_model.save(folder / 'topics', serialization='safetensors') "
        "or len(BERTopic.load(folder / 'topics').topics_)",
        "len(cg.Result.load(result.save(folder / 'model')).labels['documents'])",
        BETTER,
        "nothing is pickled; documents, knowledge and provenance are stored too, with hashes",
    ),
)
DRAWING = (
    Call(
        "visualize_topics()",
        "topic_model.visualize_topics()",
        "result.figures.sizes()",
        DIFFERENT,
        "bars of sizes; how near groups are shows the map",
    ),
    Call(
        "visualize_documents(docs)",
        "topic_model.visualize_documents(docs, embeddings=vectors)",
        "result.figures.map()",
        SAME,
    ),
    Call("visualize_barchart()", "topic_model.visualize_barchart()", "result.figures.words()", SAME),
    Call(
        "visualize_heatmap()",
        "topic_model.visualize_heatmap()",
        "result.figures.heat()",
        DIFFERENT,
        "groups × words; how near groups are shows the hierarchy",
    ),
    Call("visualize_hierarchy()", "topic_model.visualize_hierarchy()", "result.figures.hierarchy()", SAME),
    Call(
        "visualize_topics_over_time(...)",
        "topic_model.visualize_topics_over_time(topic_model.topics_over_time(docs, moments, nr_bins=4))",
        "result.figures.over('date')",
        SAME,
    ),
)
PARTS = {
    "Fitting": FITTING,
    "Reading the result": READING,
    "Changing the groups": CHANGING,
    "Figures": DRAWING,
}
CALLS = tuple(call for part in PARTS.values() for call in part)
