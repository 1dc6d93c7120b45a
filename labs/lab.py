"""A lab's own corner of Kafka, Spark and the disk, and the checks of its exercises."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import IO, Any, TypeVar, cast

from rich.console import Console

from contract.errors import UserError
from contract.kafka.connections import open_admin
from contract.settings import Settings
from contract.topic_admin import delete_topics
from examples.playground import Playground
from labs.exercise import WIDTH, Exercise, exercises_of, lines
from labs.runtime import ROOT, Runtime, runtime

T = TypeVar("T")


@dataclass
class Lab(Playground):
    """What a notebook works with; everything of a playground, and the lab's exercises.

    Nothing outside of it is touched: not the topics, the lake or the checkpoints of a demo.
    """

    runtime: Runtime = field(default_factory=runtime)
    exercises: dict[str, Exercise] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)
    _names: Counter[str] = field(default_factory=Counter)
    _facts: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def settings(self) -> Settings:
        """The project's settings with this lab's Kafka, lake, checkpoints and device_locations."""
        playground = super().settings
        names = ("bootstrap_servers", "lake", "checkpoints", "device_locations")
        return self.runtime.settings.model_copy(
            update={name: getattr(playground, name) for name in names}
        )

    def topic(
        self,
        name: str,
        partitions: int = 1,
        config: Mapping[str, str] | None = None,
        replicas: int = 1,
    ) -> str:
        """Create an empty topic and return its name; one that exists is made anew."""
        with open_admin(self.bootstrap_servers) as admin:
            delete_topics(admin, [name])
        return super().topic(name, partitions, config, replicas)

    def database(self, name: str) -> str:
        """Create a database of the catalog and return its name; one that exists is made anew."""
        self.spark.sql(f"DROP DATABASE IF EXISTS {name} CASCADE")
        return super().database(name)

    def fresh(self, name: str) -> str:
        """Return a name that this lab has not used yet, for a topic, table or checkpoint."""
        self._names[name] += 1
        return f"{name}-{self._names[name]}"

    def fact(self, name: str, find: Callable[[], T]) -> T:
        """Return what a check needs again and again; it is found the first time only."""
        if name not in self._facts:
            self._facts[name] = find()
        found: T = self._facts[name]
        return found

    def check(self, exercise: str, *answers: object) -> None:
        """Say whether the answer to an exercise is right, and if not, why."""
        if exercise not in self.exercises:
            names = ", ".join(self.exercises)
            raise UserError(f"There is no exercise {exercise}. This lab has {names}.")
        number, total = list(self.exercises).index(exercise) + 1, len(self.exercises)
        is_right, text = self.exercises[exercise].judge(self, answers)
        if is_right:
            self._done.add(exercise)
            done = f"({len(self._done)} of {total} done)"
            print(lines(f"✓ Exercise {number} of {total} is right: {text} {done}"))
        else:
            self._done.discard(exercise)
            print(lines(f"✗ Exercise {number} of {total}, not yet: {text}"))

    def reset(self) -> None:
        """Stop the lab's streams and empty its Kafka and folder; no exercise is done any more."""
        for query in self.spark.streams.active:
            query.stop()
        self.runtime.clear()
        self.spark = self.runtime.new_session()
        self.__dict__.pop("settings", None)
        self._done.clear()
        self._names.clear()
        self._facts.clear()

    def close(self) -> None:
        """Say what is done, stop Kafka and Spark, and remove what the lab has written."""
        still_open = [name for name in self.exercises if name not in self._done]
        done, total = len(self._done), len(self.exercises)
        self.reset()
        if not self.runtime.is_shared:
            self.runtime.stop()
        rest = f" Still open: {', '.join(still_open)}." if still_open else ""
        print(f"{done} of {total} exercises done.{rest} Kafka and Spark of this lab are gone.")


def open_lab(name: str) -> Lab:
    """Return a lab with an empty Kafka and folder; the first one starts Kafka and Spark.

    The current folder becomes the project's, where the paths of settings begin. Raises UserError
    where Java or the jars are missing.
    """
    os.chdir(ROOT)
    exercises = exercises_of(import_module(f"labs.checks.{name}"))
    ours = runtime()
    lab = Lab(
        ours.new_session(),
        ours.folder,
        Console(
            file=cast(IO[str], _Output()), width=WIDTH, force_jupyter=False, force_terminal=False
        ),
        start_kafka=lambda: ours.broker.bootstrap_servers,
        kafka_pid=lambda: ours.broker.pid,
        runtime=ours,
        exercises=exercises,
    )
    lab.reset()
    print(
        f"Ready: an empty Kafka, Spark and a folder for this lab, and {len(exercises)} exercises."
    )
    return lab


class _Output:
    """Writes to what is standard output by then: a notebook has another one for each cell."""

    def write(self, text: str) -> int:
        """Write the text."""
        return sys.stdout.write(text)

    def flush(self) -> None:
        """Write out what is held back."""
        sys.stdout.flush()
