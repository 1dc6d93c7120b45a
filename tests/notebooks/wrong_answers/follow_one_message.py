"""Typical wrong answers of the lab Follow one message, with a part of the hint of each."""

WRONG = {
    "position": {
        "position = (of_our_home[-1].offset, of_our_home[-1].partition)": "in the other order",
        "position = (of_our_home[0].partition, of_our_home[0].offset)": "our home's first message",
        "position = (of_our_home[3].partition, of_our_home[3].offset)": "others after it",
        "position = (records[-1].partition, records[-1].offset)": "is of another home",
        "position = (4, 0)": "there is no record at partition 4, offset 0",
        "position = of_our_home[-1].offset": "is not a pair",
    },
    "row": {
        "condition = \"name = 'Typed by hand'\"": "looks at what is in the row",
        'condition = f"offset = {ours.offset}"': "each partition has its own offset",
        'condition = f"partition = {ours.partition}"': "and yours is one of them",
        'condition = f"partition = 0 AND offset = {ours.offset + 1_000}"': "is not among them",
        'condition = "partition = ours.partition AND offset = ours.offset"': "checking your answer raised",
    },
    "counted": {
        'counted_in = ("95136", "16:00")': "your message was sent",
        'counted_in = ("95136", "07:00")': "the time in California",
        'counted_in = ("95136", "15:58")': "the hour is not right",
        'counted_in = ("94304", "15:00")': "94304 is not where our home is",
    },
}
