"""What the pod of an executor runs."""

from pipeline.spark.kubernetes_executor import executor_command


def test_an_executor_is_what_its_pods_environment_says() -> None:
    command = executor_command(
        {
            "SPARK_JAVA_OPT_10": "-Dlast=1",
            "SPARK_JAVA_OPT_2": "-XX:+UseParallelGC",
            "SPARK_EXECUTOR_MEMORY": "1024m",
            "SPARK_CLASSPATH": "/opt/nest/jars/spark/*",
            "SPARK_DRIVER_URL": "spark://CoarseGrainedScheduler@10.0.0.1:7078",
            "SPARK_EXECUTOR_ID": "3",
            "SPARK_EXECUTOR_CORES": "4",
            "SPARK_APPLICATION_ID": "spark-application-1",
            "SPARK_EXECUTOR_POD_IP": "10.0.0.2",
            "SPARK_RESOURCE_PROFILE_ID": "0",
            "SPARK_EXECUTOR_POD_NAME": "pipeline-exec-3",
            "NEST_LAKE": "s3a://nest/lake",
        }
    )
    text = " ".join(command)
    assert "-XX:+UseParallelGC -Dlast=1 -Xms1024m -Xmx1024m -cp /opt/nest/jars/spark/*:" in text
    assert text.endswith(
        "--driver-url spark://CoarseGrainedScheduler@10.0.0.1:7078 --executor-id 3 --cores 4 "
        "--app-id spark-application-1 --hostname 10.0.0.2 --resourceProfileId 0 "
        "--podName pipeline-exec-3"
    )
