"""`nest example`: list the examples, or run one on a Kafka and in a folder of its own."""

import shutil
import tempfile
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from contract.errors import UserError
from contract.settings import Settings
from demo.stack.broker import Broker
from demo.stack.guardian import start_guardian
from demo.stack.ports import free_port
from demo.stack.signals import interruptible_as
from examples.kafka_client_log import silence_kafka_client
from examples.registry import Example, examples


def examples_table() -> Table:
    """Return all examples with the rows of docs/features.md that they show."""
    table = Table("example", "rows", "what it shows", box=None, pad_edge=False)
    for example in examples().values():
        table.add_row(example.name, " ".join(example.rows), Text(example.summary))
    return table


def run_example(settings: Settings, example: Example, console: Console) -> None:
    """Run an example and remove what it left; Kafka starts only if it asks for it.

    Raises UserError where Spark is not installed or the example fails, and Interrupted when a
    signal stops it before its end.
    """
    if not find_spec("pyspark"):
        raise UserError("Examples need Spark: pip install 'nest_camera_analytics[all]'.")
    console.print(Text("\n\n".join(example.paragraphs), style="italic"))
    console.print()
    folder = Path(tempfile.mkdtemp(prefix="nest-example-"))
    stopped = f"{example.name} was stopped before its end."
    try:
        with interruptible_as(stopped), ExitStack() as running:
            _run(settings, example, console, folder, running)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(
    settings: Settings, example: Example, console: Console, folder: Path, running: ExitStack
) -> None:
    from examples.error_text import in_one_line
    from examples.playground import Playground
    from examples.query_context_log import silence_query_context_log
    from pipeline.spark.jvm import stop_session
    from pipeline.spark.session import build_session, silence_jvm

    is_open = settings.model_copy(update={"kafka_secure": False})  # examples are no clients of it
    broker = Broker(is_open, folder / "kafka", folder / "kafka.log", free_port())

    def start_kafka() -> str:
        running.enter_context(broker)
        running.callback(start_guardian(broker.pid, folder).kill)
        return broker.bootstrap_servers

    silence_kafka_client()
    silence_query_context_log()
    run = example.load()
    with console.status("Spark starts."):
        spark = build_session(settings, example.name, is_short=True)
    try:
        silence_jvm(spark)
        run(Playground(spark, folder, console, start_kafka, kafka_pid=lambda: broker.pid))
    except Exception as error:
        raise UserError(f"{example.name} failed: {in_one_line(error)}") from error
    finally:
        stop_session(spark)
