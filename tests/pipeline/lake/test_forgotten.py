"""Pipeline and check find a forgotten id in the same texts."""

import sys

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from check.forgotten import ForgottenIds
from contract.forgotten import Forgotten
from pipeline.lake.forgotten import mentions_forgotten

pytestmark = pytest.mark.spark

FORGOTTEN = Forgotten().with_ids(["home-1"])
BLANKS = [chr(code) for code in range(sys.maxunicode) if chr(code).isspace()]
OTHERS = [*"\"'`/\\?&=#,;:{}[]()<>|", *"-._~!@$%^*+é\u200b\u00ad\u180e\ufeff\x00\x7f"]
TEXTS = [f"x{each}home-1{each}y" for each in (*BLANKS, *OTHERS)]


def test_the_same_characters_end_a_word(spark: SparkSession) -> None:
    texts = spark.createDataFrame([(text,) for text in TEXTS], "text STRING")
    found = texts.where(mentions_forgotten(F.col("text"), FORGOTTEN)).collect()
    ids = ForgottenIds(FORGOTTEN.salt, FORGOTTEN.digests)
    assert [row.text for row in found] == [text for text in TEXTS if ids.is_mentioned(text)]
    assert len(found) > len(BLANKS)
