"""Organizations as :func:`axiometrics.organize` takes them, as files of the command."""

from __future__ import annotations

import os

from . import _native
from ._document import Call
from ._errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: What a topic of the JSON format can be made of.
PARTS = {"levels", "tail", "weights", "links"}
EXPECTED = (
    "a path, a table with some of the columns topic, doc, level and cluster, a Run, a Qrels, or a "
    "dict from topics to levels of clusters, or to the cluster of each document"
)


def named(systems: object) -> list[tuple[str | None, object]]:
    """Systems with their names: one, a list, or a dict from names to systems."""
    if isinstance(systems, (list, tuple)):
        return [(None, system) for system in systems]
    if isinstance(systems, dict) and not _is_organization(systems):
        return [(str(name), system) for name, system in systems.items()]
    return [(None, systems)]


def file(call: Call, given: object, name: str | None, usual: str) -> str:
    """The name of a file that holds an organization, in memory if it is in none."""
    if isinstance(given, (_native.Run, _native.Qrels)):
        return call.file(given, "run" if isinstance(given, _native.Run) else "qrels", name or usual)
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        if name is None:
            return path
        with open(path, "rb") as opened:
            return call.hold(name, opened.read())
    if isinstance(given, dict):
        import json

        topics = {str(topic): _topic(str(topic), value) for topic, value in given.items()}
        return call.hold(name or usual, json.dumps(topics).encode())
    text = _native.table_text(given, name or usual)
    if text is None:
        kind = type(given).__name__
        raise UsageError(f"{name or usual}: found an object of type {kind}, expected {EXPECTED}")
    return call.hold(name or usual, text)


def _is_organization(given: Mapping[object, object]) -> bool:
    """Whether a dict is from topics, and not from the names of systems."""
    first = next(iter(given.values()), [])
    if isinstance(first, (list, tuple)):
        return True
    if not isinstance(first, dict):
        return False
    if first.keys() <= PARTS and all(isinstance(part, (list, dict)) for part in first.values()):
        return True
    # The cluster of each document; the topics of a system hold more than that.
    return not isinstance(next(iter(first.values()), None), (dict, list, tuple))


def _topic(topic: str, value: object) -> object:
    """A topic of the JSON format: levels as they are, clusters by document as one level."""
    if not isinstance(value, dict) or value.keys() <= PARTS and value:
        return value
    clusters: dict[object, list[str]] = {}
    level: list[list[str]] = []
    for doc, cluster in value.items():
        if cluster is None or cluster != cluster:
            level.append([str(doc)])
        elif isinstance(cluster, (list, tuple, dict, set)):
            raise UsageError(
                f"topic {topic}: found the cluster {cluster!r} of document {doc!r}, "
                "expected a name or a number"
            )
        else:
            clusters.setdefault(cluster, []).append(str(doc))
    return [[*clusters.values(), *level]]
