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
from demo.stack.ports import free_port
from demo.stack.signals import interruptible
from examples.registry import Example, examples


def as_table() -> Table:
    """Return all examples with the rows of docs/features.md that they show."""
    table = Table("example", "rows", "what it shows", box=None, pad_edge=False)
    for example in examples().values():
        table.add_row(example.name, " ".join(example.rows), Text(example.summary))
    return table


def run_example(settings: Settings, example: Example, console: Console) -> None:
    """Run an example and remove what it left; Kafka starts only if it asks for it.

    Raises UserError where Spark is not installed, and what the example failed with.
    """
    if not find_spec("pyspark"):
        raise UserError("Examples need Spark: pip install 'nest_camera_analytics[all]'.")
    console.print(Text("\n\n".join(example.paragraphs), style="italic"))
    console.print()
    folder = Path(tempfile.mkdtemp(prefix="nest-example-"))
    try:
        with interruptible(), ExitStack() as running:
            _run(settings, example, console, folder, running)
    except KeyboardInterrupt:
        raise UserError(f"{example.name} was stopped before its end.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(
    settings: Settings, example: Example, console: Console, folder: Path, running: ExitStack
) -> None:
    from examples.error_text import in_one_line
    from examples.playground import Playground
    from pipeline.session import build_session

    def start_kafka() -> str:
        broker = Broker(settings, folder / "kafka", folder / "kafka.log", free_port())
        running.enter_context(broker)
        return broker.bootstrap_servers

    run = example.load()
    with console.status("Spark starts."):
        spark = build_session(settings, example.name)
    try:
        run(Playground(spark, folder, console, start_kafka))
    except Exception as error:
        raise UserError(f"{example.name} failed: {in_one_line(error)}") from error
    finally:
        spark.stop()
