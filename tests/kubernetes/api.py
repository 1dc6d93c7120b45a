"""As much of Kubernetes' API as Spark's driver needs: a pod that it asks for becomes a process.

It shows that driver and executors find each other by our files. It knows no nodes, no images and
no rights: what a real cluster does with the manifests it cannot show.
"""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.kubernetes.rendering import Manifest


class Cluster:
    """The pods that were asked for, each with its process, and what was asked."""

    def __init__(self, driver: str, folder: Path, environment: dict[str, str]) -> None:
        self.pods: dict[str, Manifest] = {driver: _pod(driver)}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.asked: set[tuple[str, str]] = set()
        """Verb and kind, as in a Role's rules."""
        self._folder, self._environment = folder, environment
        self._version = 1
        self.ended = threading.Event()

    def create(self, pod: Manifest) -> Manifest:
        """Start what the pod's container runs."""
        name = pod["metadata"]["name"]
        container = pod["spec"]["containers"][0]
        given = {each["name"]: each.get("value", "127.0.0.1") for each in container["env"]}
        given["SPARK_LOCAL_DIRS"] = str(self._folder)  # a volume, which nobody mounts here
        command = [*container["command"], *container.get("args", [])]
        with (self._folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                command,
                env={**self._environment, **given},
                cwd=self._folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._version += 1
        pod["metadata"] |= {"uid": name, "resourceVersion": str(self._version)}
        pod["status"] = {"phase": "Running", "podIP": "127.0.0.1"}
        self.pods[name] = pod
        return pod

    def matching(self, selector: str) -> list[Manifest]:
        """Return the pods that a selector ``name=value,name!=value`` means."""
        terms = [each.split("=", 1) for each in selector.split(",") if each]
        wanted = {name: value for name, value in terms if not name.endswith("!")}
        unwanted = {name[:-1]: value for name, value in terms if name.endswith("!")}
        for name, process in self.processes.items():
            if process.poll() is not None and name in self.pods:
                self.pods[name]["status"]["phase"] = "Failed" if process.returncode else "Succeeded"
        return [
            pod
            for pod in self.pods.values()
            if wanted.items() <= pod["metadata"].get("labels", {}).items()
            and not unwanted.items() & pod["metadata"].get("labels", {}).items()
        ]

    def delete(self, names: list[str]) -> None:
        for name in names:
            self.pods.pop(name, None)
            if name in self.processes:
                self.processes[name].terminate()

    def end(self) -> None:
        self.ended.set()
        for process in self.processes.values():
            process.kill()
            process.wait()


def _pod(name: str) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "nest-cameras", "uid": name},
        "spec": {"containers": []},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


@contextmanager
def running_cluster(
    driver: str, folder: Path, environment: dict[str, str]
) -> Iterator[tuple[Cluster, str]]:
    """Serve the API on a free port; yield the cluster and its address."""
    cluster = Cluster(driver, folder, environment)
    handler = type("Handler", (_Handler,), {"cluster": cluster})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield cluster, f"http://127.0.0.1:{server.server_port}"
        finally:
            cluster.end()
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    cluster: Cluster
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, query = self._target()
        name = path[5] if len(path) > 5 else None
        verb = "watch" if "watch" in query else "get" if name else "list"
        self.cluster.asked.add((verb, path[4]))
        if verb == "watch":
            self._answer(503, _status("there are no watches here"))  # the driver lists pods as well
        elif verb == "list":
            is_pods = path[4] == "pods"
            items = self.cluster.matching(query.get("labelSelector", "")) if is_pods else []
            metadata = {"resourceVersion": "1"}
            self._answer(200, {"kind": "List", "metadata": metadata, "items": items})
        elif pod := self.cluster.pods.get(str(name)):
            self._answer(200, pod)
        else:
            self._answer(404, _status("not found"))

    def do_POST(self) -> None:
        path, _ = self._target()
        self.cluster.asked.add(("create", path[4]))
        self._answer(201, self.cluster.create(self._body()))

    def do_PATCH(self) -> None:
        path, _ = self._target()
        self.cluster.asked.add(("patch", path[4]))
        self._body()
        self._answer(200, self.cluster.pods.get(path[5], _pod(path[5])))

    def do_DELETE(self) -> None:
        path, query = self._target()
        self._body()
        name = path[5] if len(path) > 5 else None
        self.cluster.asked.add(("delete" if name else "deletecollection", path[4]))
        if path[4] == "pods":
            found = self.cluster.matching(query.get("labelSelector", ""))
            self.cluster.delete([name] if name else [each["metadata"]["name"] for each in found])
        self._answer(200, {"kind": "Status", "apiVersion": "v1", "status": "Success"})

    def _target(self) -> tuple[list[str], dict[str, str]]:
        """Return the parts of ``api/v1/namespaces/NAMESPACE/KIND/NAME``, and the query."""
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        return parts.path.strip("/").split("/"), query

    def _body(self) -> Any:
        length = int(self.headers.get("Content-Length") or 0)
        return json.loads(self.rfile.read(length) or b"{}")

    def _answer(self, code: int, content: Manifest) -> None:
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
        if os.environ.get("NEST_TEST_API_LOG"):
            print(format % args, flush=True)  # noqa: T201


def _status(message: str) -> Manifest:
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message}
