"""``python -m pipeline.spark.kubernetes_executor``: what runs in the pod of an executor.

Spark's Kubernetes master says in the pod's environment what the executor is to be. Spark's own
images bring a script that reads it; the package pyspark, which our image is made of, does not.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pyspark

from contract.java import java_command

_OPTION = re.compile(r"SPARK_JAVA_OPT_(\d+)")
_BACKEND = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"
_ARGUMENTS = {
    "--driver-url": "SPARK_DRIVER_URL",
    "--executor-id": "SPARK_EXECUTOR_ID",
    "--cores": "SPARK_EXECUTOR_CORES",
    "--app-id": "SPARK_APPLICATION_ID",
    "--hostname": "SPARK_EXECUTOR_POD_IP",
    "--resourceProfileId": "SPARK_RESOURCE_PROFILE_ID",
    "--podName": "SPARK_EXECUTOR_POD_NAME",
}


def executor_command(environment: Mapping[str, str]) -> list[str]:
    """Return the command of an executor from the environment of its pod."""
    numbered = ((_OPTION.fullmatch(name), value) for name, value in environment.items())
    options = sorted((int(match[1]), value) for match, value in numbered if match)
    heap = environment["SPARK_EXECUTOR_MEMORY"]
    jars = f"{Path(pyspark.__file__).parent}/jars/*"
    class_path = [path for path in (environment.get("SPARK_CLASSPATH"), jars) if path]
    arguments = ((option, environment[name]) for option, name in _ARGUMENTS.items())
    return [
        java_command(),
        *(value for _, value in options),
        *(f"-Xms{heap}", f"-Xmx{heap}"),
        *("-cp", os.pathsep.join(class_path)),
        _BACKEND,
        *(word for argument in arguments for word in argument),
    ]


if __name__ == "__main__":
    command = executor_command(os.environ)
    os.execvp(command[0], command)  # noqa: S606 - the executor takes this process's place
