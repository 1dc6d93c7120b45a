"""Typical wrong answers of the lab The lake as a stream."""

WRONG = {
    "limit": {
        'limit = {"maxOffsetsPerTrigger": "200"}': "Kafka's source",
        'limit = {"maxFilePerTrigger": "2"}': "limits nothing",
        'limit = {"maxBytesPerTrigger": "2"}': "[100, 100, 100, 100]",
    },
    "start": {
        'start = {"startingOffsets": "2"}': "Kafka's source",
        'start = {"startingVersion": "3"}': "one commit too late",
        'start = {"startingVersion": "latest"}': "read 0 rows",
    },
    "differences": {
        """def differences(expected, found):
    return found.exceptAll(expected), expected.exceptAll(found)
""": "the wrong way round",
        """def differences(expected, found):
    return expected.subtract(found), found.subtract(expected)
""": "works on sets",
        """def differences(expected, found):
    return expected.limit(0), found.limit(0)
""": "0 missing and 0 too many",
    },
}
