"""The driver and its executors, started by Spark's Kubernetes master with the files of kubernetes/.

Kubernetes itself is not here: tests/kubernetes/api.py starts a process for each pod.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from contract.settings import load_settings
from demo.stack.ports import free_port
from tests.kubernetes.api import running_cluster
from tests.kubernetes.rendering import FOLDER, kustomize, pods, render

ROOT = FOLDER.parent
DRIVER = "pipeline-0"
PROGRAM = """
import json, os
from contract.settings import load_settings
from pipeline.spark.session import build_session
spark = build_session(load_settings())
def where(rows):
    for _ in rows:
        yield os.environ["SPARK_EXECUTOR_ID"]
import time
found = set()
while len(found) < 2:
    found = set(spark.sparkContext.parallelize(range(16), 16).mapPartitions(where).collect())
    time.sleep(0.5)
batch = spark.range(1000).selectExpr("id % 7 AS key").groupBy("key").count()
total = sum(row["count"] for row in batch.collect())
print(json.dumps([sorted(found), total]))
spark.stop()
"""


@pytest.mark.spark
@pytest.mark.skipif(kustomize() is None, reason="there is neither kustomize nor kubectl")
def test_the_driver_starts_its_executors_by_our_files_and_they_work_for_it(tmp_path: Path) -> None:
    demo = render("demo")
    python_path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    # An executor takes the python of its PATH: in the image there is one, here it is this one.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    own = {**os.environ, "PYTHONPATH": python_path, "PATH": path}
    conf = _for_this_machine(FOLDER / "base" / "spark" / "pipeline.conf", tmp_path)
    with running_cluster(DRIVER, tmp_path, own) as (cluster, address):
        driver = pods(demo)["pipeline"]["containers"][0]
        (arguments,) = (
            each["value"] for each in driver["env"] if each["name"] == "PYSPARK_SUBMIT_ARGS"
        )
        for name, value in {
            "$(POD_IP)": "127.0.0.1",
            "$(POD_NAME)": DRIVER,
            "$(POD_NAMESPACE)": "nest-cameras",
            "$(EXECUTOR_IMAGE)": "image",
            "/etc/spark/pipeline.conf": shlex.quote(str(conf)),
        }.items():
            arguments = arguments.replace(name, value)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={
                **own,
                "PYSPARK_SUBMIT_ARGS": arguments,
                "NEST_SPARK_MASTER": f"k8s://{address}",
                "NEST_SPARK_UI_PORT": "0",
                "NEST_SPARK_MEMORY": "512m",
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        logs = "\n".join(log.read_text()[-3000:] for log in tmp_path.glob("*.log"))
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-5000:]}\n{logs}"
        assert json.loads(done.stdout.splitlines()[-1]) == [["1", "2"], 1000]
        for process in cluster.processes.values():
            process.wait(60)  # they end with the driver
    (role,) = (each for each in demo if each["kind"] == "Role")
    allowed = {
        (verb, kind)
        for rule in role["rules"]
        for verb in rule["verbs"]
        for kind in rule["resources"]
    }
    assert cluster.asked <= allowed


def _for_this_machine(file: Path, folder: Path) -> Path:
    """Return the configuration with the paths of the image replaced by those of this machine."""
    text = file.read_text()
    template = yaml.safe_load((FOLDER / "base" / "spark" / "executor.yaml").read_text())
    template["spec"]["containers"][0]["command"][0] = sys.executable
    executor = folder / "executor.yaml"
    executor.write_text(yaml.safe_dump(template))
    jars = load_settings().spark_jars.resolve()
    for path, here in {
        "/etc/spark/executor.yaml": str(executor),
        "/opt/nest/jars/spark/*:/opt/nest/jars/s3a/*": f"{jars}/*",
        "file:///app": ROOT.as_uri(),
        "/tmp/spark-warehouse": str(folder / "warehouse"),
        "spark.pyspark.python                              python": (
            f"spark.pyspark.python {sys.executable}"
        ),
        " 1g\n": " 512m\n",
        " 4\n": " 2\n",
        " 7078\n": f" {free_port()}\n",
        " 7079\n": f" {free_port()}\n",
        "0.0.0.0": "127.0.0.1",  # noqa: S104
    }.items():
        assert path in text, path
        text = text.replace(path, here)
    copy = folder / "pipeline.conf"
    copy.write_text(text)
    return copy
