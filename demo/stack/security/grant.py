"""Give each Kafka user its rights; what nobody is given, nobody may do."""

from collections.abc import Iterator
from itertools import chain

from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourceType,
)
from kafka.errors import KafkaError

from contract.errors import UserError
from contract.kafka.acls import RIGHTS, Right
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_admin

_OPERATIONS = {operation.name.replace("_", ""): operation for operation in ACLOperation}


def grant_rights(kafka: Kafka) -> None:
    """Give all users what `contract/kafka/acls.py` lists; safe to repeat.

    The client must be a superuser. Raises UserError when Kafka refuses.
    """
    entries = list(chain.from_iterable(_entries(user) for user in RIGHTS))
    with open_admin(kafka) as admin:
        try:
            failed = admin.create_acls(entries)["failed"]
        except KafkaError as error:
            raise UserError(f"Kafka did not take the users' rights: {error}") from None
    if failed:
        raise UserError(f"Kafka did not take the users' rights: {failed[0]}")


def _entries(user: str) -> Iterator[ACL]:
    for right in RIGHTS[user]:
        for operation in right.operations:
            yield ACL(
                principal=f"User:{user}",
                host="*",
                operation=_OPERATIONS[operation.upper()],
                permission_type=ACLPermissionType.ALLOW,
                resource_pattern=_pattern(right),
            )


def _pattern(right: Right) -> ResourcePattern:
    kind = ResourceType[right.kind.upper()]
    form = ACLResourcePatternType.PREFIXED if right.is_prefix else ACLResourcePatternType.LITERAL
    return ResourcePattern(kind, right.name, form)
