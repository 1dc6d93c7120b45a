"""`nest topics`: create the topics and verify every setting that the guarantees depend on."""

from kafka.errors import KafkaError

from contract.connections import open_admin
from contract.errors import UserError
from contract.topics import create_topics, set_guards, topic_differences


def ensure_topics(bootstrap_servers: str) -> list[str]:
    """Create the topics that are missing, set missing guards, verify all, return the new names.

    Raises UserError naming every setting that differs, or what the broker refused.
    """
    with open_admin(bootstrap_servers) as admin:
        try:
            created = create_topics(admin)
            differences = set_guards(admin, topic_differences(admin))
        except KafkaError as error:
            raise UserError(f"The broker at {bootstrap_servers} refused: {error}") from None
    if differences:
        lines = "\n".join(f"  {difference}" for difference in differences)
        raise UserError(
            f"These topics do not have the settings that the demo needs:\n{lines}\n"
            "Change the setting on the broker, or delete the topic and run `nest topics` again."
        )
    return created
