"""Typical wrong answers of the lab Where a stream begins, with a part of the hint of each."""

_RANGE = """starting_offsets_of_batch = {{"homes": {}}}
ending_offsets_of_batch = {{"homes": {}}}"""

WRONG = {
    "beginning": {
        'starting_offsets = "latest"': "is for all partitions alike",
        "starting_offsets = \"{'homes': {'0': 25, '1': -1}}\"": "this is not JSON",
        'starting_offsets = \'{"0": 25, "1": -1}\'': "the outermost name has to be the topic",
        'starting_offsets = \'{"homes": {"0": 25}}\'': "Spark wants all of the topic's",
        'starting_offsets = \'{"homes": {"0": 25, "1": -2}}\'': "-2 is the beginning",
        'starting_offsets = \'{"homes": {"0": 25, "1": 25}}\'': "more than what is new",
        'starting_offsets = \'{"homes": {"0": 24, "1": -1}}\'': "should begin at 25",
    },
    "batch": {
        _RANGE.format({"0": 21, "1": 19}, {"0": 30, "1": 28}): "is the first offset that is not",
        _RANGE.format({"0": 20, "1": 18}, {"0": 31, "1": 29}): "one record of each partition too",
        _RANGE.format({"0": -2, "1": -2}, {"0": -1, "1": -1}): "also what the first run had read",
        _RANGE.format({"0": 21, "1": 21}, {"0": 31, "1": 25}): "6 of the records are missing",
    },
    "after_the_loss": {
        "goes_on_with, new_query_reads = [3, 4, 5, 6, 7], [6, 7]": "3 to 5 were deleted",
        "goes_on_with, new_query_reads = [], [6, 7]": "with true the query would stop",
        "goes_on_with, new_query_reads = [6, 7], [0, 1, 2, 6, 7]": "does not mean offset 0",
        "goes_on_with, new_query_reads = [7], [6, 7]": "never given again",
    },
}
