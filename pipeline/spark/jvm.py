"""The Java process in which Spark runs: how it is started, and whether it lives."""

import logging
import os
import subprocess
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException, PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from contract.errors import UserError
from pipeline.spark.failure_advice import advice
from pipeline.spark.failures import causes
from pipeline.spark.jvm_output import JvmOutput, describe_end
from pipeline.spark.spark_submit_jvm import halt_spark_submit_jvm, is_spark_submit_jvm_gone

_SPARK_ENV = Path(__file__).parent / "spark_env"
_MAY_LINGER_S = 5.0
"""How long a JVM may take to be gone after a connection to it broke."""


class JvmEnded(UserError):
    """The JVM is gone; the message says why, and what to do.

    Where a signal killed it, the exit code says so, as of a shell whose command was killed:
    whoever runs us, as ``nest up`` does, starts again what was killed.
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        if code < 0:
            self.exit_code = 128 - code


def is_connection_lost(error: Exception) -> bool:
    """Tell whether an error is Python's own, because the JVM did not answer."""
    return isinstance(error, ConnectionError) or (
        isinstance(error, Py4JError) and not isinstance(error, Py4JJavaError)
    )


@contextmanager
def explained_failures() -> Iterator[None]:
    """Raise UserError for whatever Spark cannot do, and JvmEnded where its JVM is gone."""
    try:
        yield
    except JvmEnded:
        raise
    except Exception as error:
        wait = _MAY_LINGER_S if is_connection_lost(error) else 0
        if (jvm := current_jvm()) and (death := jvm.death(wait)):
            raise death from None
        if is_connection_lost(error) and is_spark_submit_jvm_gone(wait):
            raise JvmEnded(
                "Spark's Java process, which spark-submit had started, has ended. Nothing is lost: "
                "start again."
            ) from None
        if isinstance(error, Py4JJavaError | PySparkException):
            found = causes(error)
            raise UserError(f"Spark failed: {found[-1]}\n{advice(found)}") from error
        raise


def stop_session(spark: SparkSession) -> None:
    """Stop a session, unless its JVM is gone."""
    jvm = current_jvm()
    if not (jvm.death(0) if jvm else is_spark_submit_jvm_gone(0)):
        spark.stop()


class Jvm:
    """A running JVM, a child of this process."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: JvmOutput) -> None:
        self._process = process
        self._output = output

    def death(self, within: float) -> JvmEnded | None:
        """Return the error that says why it ended; None if it lives ``within`` seconds later."""
        try:
            code = self._process.wait(within)
        except subprocess.TimeoutExpired:
            return None
        self.silence()
        return JvmEnded(describe_end(code, self._output.last_line()), code)

    def silence(self) -> None:
        """Print nothing more of what Java and PySpark say while they end; py4j is mute anyway."""
        self._output.is_shown = False
        warnings.filterwarnings("ignore", "Unable to cleanly shutdown Spark JVM", RuntimeWarning)

    def end(self) -> None:
        """Let the JVM end by itself, and wait until it has; Spark has to be stopped before."""
        self.silence()
        self._process.stdin.close()  # type: ignore[union-attr]  # it ends with its input
        self._process.wait()

    def kill(self) -> None:
        """End the JVM at once; what its queries were doing is done again at the next start."""
        self.silence()
        self._process.kill()


class _Started:
    """The JVM of this process: Spark allows only one."""

    jvm: Jvm | None = None


def current_jvm() -> Jvm | None:
    """Return the JVM that this process has started, if any."""
    return _Started.jvm


def halt_spark() -> None:
    """End the JVM of Spark at once; what its queries were doing is done again at the next start."""
    if jvm := current_jvm():
        jvm.kill()
    else:
        halt_spark_submit_jvm()


def start_context(conf: SparkConf) -> SparkContext:
    """Start a JVM, and Spark in it; UserError, in Java's own words, if the JVM does not start."""
    os.environ.setdefault("SPARK_CONF_DIR", str(_SPARK_ENV))
    mute_py4j()
    reading, writing = os.pipe()
    output = JvmOutput(reading)
    try:
        # Of what is open here, the JVM inherits only the locks: all else closes when it starts.
        options = {"stderr": writing, "close_fds": False}
        gateway = launch_gateway(conf, options)  # type: ignore[no-untyped-call]
    except PySparkRuntimeError as error:
        os.close(writing)
        output.join(5)
        if (code := _exit_code_of_launch(error)) < 0:
            raise JvmEnded(describe_end(code, output.last_line()), code) from None
        raise UserError(
            f"Spark's Java process did not start: {output.cause()}. `nest doctor` examines this "
            "machine; NEST_SPARK_MASTER and NEST_SPARK_MEMORY say what Spark asks of it."
        ) from None
    os.close(writing)
    _Started.jvm = Jvm(gateway.proc, output)
    output.show()
    context = SparkContext(conf=conf, gateway=gateway)
    # The server that takes the tasks' counters would print a traceback when the JVM is gone.
    context._accumulatorServer.handle_error = _ignore  # type: ignore[method-assign]
    return context


def _exit_code_of_launch(error: PySparkRuntimeError) -> int:
    """Return with what the process ended that PySpark has started; 1 if that cannot be told.

    PySpark says only that it has ended. The process itself is a variable of its function.
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if isinstance(process := frame.f_locals.get("proc"), subprocess.Popen):
            return process.wait() or 1
    return 1


def mute_py4j() -> None:
    """Let py4j log nothing of lost connections: each error is raised, too, and explained then."""
    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    logging.getLogger().addFilter(_is_not_of_py4j)  # part of it is logged without a name


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts


def _ignore(request: object, client_address: object) -> None:
    """Say nothing of a request that failed."""
