# One image a room. Packages come before code, so that a change of code is built in seconds.
ARG PYTHON_IMAGE=python:3.12-slim-bookworm

# ---- What every room needs: a user with a home, and a folder for the shared volume ----
FROM ${PYTHON_IMAGE} AS base
ENV PYTHONUNBUFFERED=1 \
    PYTHONPATH=/app \
    UV_LINK_MODE=copy \
    NEST_STATE=/opt/nest \
    NEST_LAKE=/var/lib/nest/lake \
    NEST_CHECKPOINTS=/var/lib/nest/checkpoints \
    NEST_BIND_ADDRESS=0.0.0.0
RUN useradd --uid 10001 --create-home nest \
 && install --directory --owner=nest --group=nest /var/lib/nest /var/lib/nest-state /var/tmp/spark
WORKDIR /app
COPY requirements/install_packages.sh requirements/pyspark-build.txt requirements/
ENTRYPOINT ["python", "-m", "demo.cli"]

# ---- installer: uv, which installs packages in a fraction of pip's time ----
FROM ${PYTHON_IMAGE} AS installer
COPY requirements/installer.txt .
RUN pip install --disable-pip-version-check --require-hashes --prefix /installer -r installer.txt

# uv writes no bytecode: that of all packages would be 50 MB in the dashboard's image. The last step
# of each image with Python imports its room instead: that keeps the bytecode of what is used, without
# which a start takes several times as long, and fails if something was left out that is imported.

# ---- producer: the simulated homes ----
FROM base AS producer
COPY requirements/producer.txt requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh producer
COPY contract contract
COPY producer producer
COPY demo demo
RUN python -c "import demo.cli, producer.produce"
USER nest
CMD ["produce"]

# ---- nest: the report, the check and the doctor, without Spark ----
FROM base AS check-packages
COPY requirements/check.txt requirements/leave_out.py requirements/left-out.list requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh check \
 && python requirements/leave_out.py pyarrow

FROM check-packages AS nest
COPY requirements/secure.txt requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh secure
COPY data data
COPY contract contract
COPY check check
COPY demo demo
RUN python -c "import check, demo.health.check, demo.commands.doctor, demo.commands.report, demo.cli"
USER nest
CMD ["--help"]

# ---- drill: breaks the demo through Docker's engine; its packages lie on those of the check ----
FROM check-packages AS drill
COPY requirements/drill.txt requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh drill
COPY data data
COPY contract contract
COPY check check
COPY demo demo
RUN python -c "import check, demo.drills.registry, demo.cli, docker"
ENTRYPOINT ["python", "-m", "demo.cli", "drill", "--in-docker"]

# ---- metrics: what Prometheus scrapes; its packages lie on those of the check ----
FROM check-packages AS metrics
COPY requirements/monitoring.txt requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh monitoring
COPY contract contract
COPY demo demo
COPY monitoring monitoring
RUN python -c "import demo.commands.metrics, demo.cli"
USER nest
CMD ["metrics"]

# ---- dashboard: the page; its packages lie on those of the check ----
FROM check-packages AS dashboard
COPY requirements/dashboard.txt requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh dashboard \
 && python requirements/leave_out.py numpy pandas pydeck streamlit
COPY data data
COPY contract contract
COPY check check
COPY demo demo
COPY dashboard dashboard
RUN python -c "import check, demo.commands.follow_report, demo.cli, demo.stack.dashboard_argv; \
               import streamlit.web.bootstrap; \
               from dashboard import asgi, server; \
               from dashboard.views import cameras, lake, live, message, present, proof, report; \
               from dashboard.widgets import navigation, notices, page_guide, page_links"
USER nest
CMD ["dashboard"]

# ---- java: those modules of Java 17 that Spark, the labs' Kafka and the object store use ----
FROM base AS jdk
RUN apt-get update \
 && apt-get install --yes --no-install-recommends openjdk-17-jdk-headless \
 && rm -rf /var/lib/apt/lists/*
# java.se has no TLS with elliptic curves (jdk.crypto.ec), no login for Hadoop (jdk.security.auth),
# no figures of processor and memory (jdk.management), and nothing outside Java's standard.
RUN jlink --output /opt/java --no-header-files --no-man-pages --strip-java-debug-attributes \
      --add-modules java.se,jdk.crypto.ec,jdk.security.auth,jdk.management,jdk.naming.dns,jdk.zipfs,jdk.unsupported,jdk.incubator.vector \
 # Debian's Java trusts the certificates of the system: as they are in the base image.
 && cp --remove-destination --dereference /etc/ssl/certs/java/cacerts /opt/java/lib/security/cacerts \
 # Java's own classes in a file to map into memory, which Debian's package makes as well.
 && /opt/java/bin/java -Xshare:dump

FROM base AS java
ENV JAVA_HOME=/opt/java \
    PATH=/opt/java/bin:$PATH
COPY --from=jdk /opt/java /opt/java

# ---- spark: what the pipeline needs of it ----
FROM java AS spark
COPY requirements/pipeline.txt requirements/leave_out.py requirements/left-out.list requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh pipeline \
 && python requirements/leave_out.py numpy pandas pyarrow pyspark

# Fetched at build time, with their checksums verified, so that a start needs no network.
FROM spark AS jars
COPY contract/__init__.py contract/errors.py contract/java.py contract/
COPY demo/__init__.py demo/
COPY demo/stack/__init__.py demo/stack/
COPY demo/stack/jars demo/stack/jars
RUN python -c "from pathlib import Path; from demo.stack.jars.lock import DEMO, S3A; \
               from demo.stack.jars.fetch import fetch_jars; \
               fetch_jars(Path('/opt/nest'), lambda done, total: None, (*DEMO, S3A))"

# ---- object-store: an S3-compatible one, for docker-compose.cluster.yml ----
FROM jars AS object-store-jars
RUN python -c "from pathlib import Path; from demo.stack.jars.lock import S3PROXY; \
               from demo.stack.jars.fetch import fetch_jars; \
               fetch_jars(Path('/opt/nest'), lambda done, total: None, (S3PROXY,))"

FROM java AS object-store
COPY --from=object-store-jars /opt/nest/jars/s3proxy /opt/nest/jars/s3proxy
COPY demo/cluster/s3proxy_logging.xml demo/cluster/object_store.sh ./
RUN install --directory --owner=nest --group=nest /var/lib/object-store /run/object-store
USER nest
ENTRYPOINT ["sh", "object_store.sh"]

# ---- labs: the notebooks in JupyterLab, with everything that they use ----
# The examples use all of Spark: here is what the pipeline leaves out of it.
FROM java AS rest-of-spark
COPY requirements/pipeline.txt requirements/leave_out.py requirements/left-out.list requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh pipeline \
 && python requirements/leave_out.py pyspark --into /rest-of-spark

FROM spark AS labs
COPY --from=rest-of-spark /rest-of-spark /
COPY requirements/labs.txt requirements/
RUN --mount=type=bind,from=installer,source=/installer/bin/uv,target=/usr/local/bin/uv \
    --mount=type=cache,target=/root/.cache/uv \
    sh requirements/install_packages.sh labs
# No question about Jupyter's news over the first lab.
RUN jupyter labextension disable "@jupyterlab/apputils-extension:announcements"
COPY --from=jars /opt/nest/jars /opt/nest/jars
COPY data data
COPY contract contract
COPY producer producer
COPY pipeline pipeline
COPY dashboard dashboard
COPY check check
COPY examples examples
COPY demo demo
COPY monitoring monitoring
COPY labs labs
COPY docs docs
RUN jupyter lab --version \
 && python -c "import delta.tables, ipykernel.kernelapp, labs, pandas, pipeline.app"
COPY --chown=nest notebooks notebooks
USER nest
ENTRYPOINT []
CMD ["jupyter", "lab", "--no-browser", "--ServerApp.ip=0.0.0.0", \
     "--LabApp.default_url=/lab/tree/notebooks"]

# ---- pipeline: Spark and its jars ----
FROM spark AS pipeline
COPY --from=jars /opt/nest/jars/spark /opt/nest/jars/spark
COPY --from=jars /opt/nest/jars/s3a /opt/nest/jars/s3a
COPY data data
COPY contract contract
COPY demo demo
COPY pipeline pipeline
COPY nest_camera_analytics nest_camera_analytics
# Spark's classes in a file to map into memory, as `nest jars --share-classes` writes it, which would
# fetch the jars of Kafka, too.
RUN python -c "from contract.settings import load_settings; \
               from pipeline.commands.share_spark_classes import share_spark_classes; \
               share_spark_classes(load_settings()); \
               import demo.cli, pipeline.app, pipeline.commands.repair"
USER nest
CMD ["pipeline"]
