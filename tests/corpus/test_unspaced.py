"""Text without spaces is told of; text whose words are parted is not."""

import warnings

import pytest

import colligate as cg
from colligate.errors import UnspacedTextWarning

CHINESE = ["今天天气很好我们去公园散步吧", "机器学习是人工智能的一个分支", "人工智能正在改变我们的世界"]
THAI = ["วันนี้อากาศดีเราไปเดินเล่นที่สวนสาธารณะกันเถอะ", "การเรียนรู้ของเครื่องเป็นสาขาหนึ่งของปัญญาประดิษฐ์"]
JAPANESE = ["今日は天気がいいので公園へ散歩に行きましょう", "機械学習は人工知能の一分野です"]


@pytest.mark.parametrize("texts", [CHINESE, THAI, JAPANESE, [*CHINESE, "a line in English"]])
def test_clauses_that_count_as_words_are_told_of(texts):
    with pytest.warns(UnspacedTextWarning, match=r"whole clauses, such as .*put spaces between the words"):
        cg.Corpus.from_texts(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["今天 天气 很 好 我们 去 公园 散步", "机器 学习 是 人工 智能 的 一个 分支"],
        ["วันนี้ อากาศ ดี เรา ไป เดินเล่น ที่ สวนสาธารณะ", "การเรียนรู้ ของ เครื่อง เป็น สาขา"],
        ["donaudampfschifffahrtsgesellschaft", "снег и лёд на дороге", "आज मौसम अच्छा है"],
        ["a long report in English that quotes 人工智能正在改变我们的世界 once"],
    ],
)
def test_words_that_are_parted_are_not(texts):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cg.Corpus.from_texts(texts, analyser=cg.Analyser(stop_words=None))
