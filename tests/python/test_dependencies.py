"""`deny.toml` against the libraries that are locked, also where cargo-deny is not installed."""

import collections
import json
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DENY = tomllib.loads((ROOT / "deny.toml").read_text())


def locked():
    """Every library for every platform, with all features."""
    command = ["cargo", "metadata", "--format-version", "1", "--all-features", "--locked"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [package for package in json.loads(done.stdout)["packages"] if package["source"]]


def permitted(licence, allowed):
    """Whether an SPDX expression can be met by these licences."""
    words = re.findall(r"[()]|[^\s()]+(?: WITH [^\s()]+)?", licence.replace("/", " OR "))
    known = {"AND": "and", "OR": "or", "(": "(", ")": ")"}
    return eval(" ".join(known.get(word, str(word in allowed)) for word in words))


def test_licences_are_permitted():
    rules = DENY["licenses"]
    own = {rule["crate"]: set(rule["allow"]) for rule in rules["exceptions"]}
    packages = locked()
    assert len(packages) > 100
    refused = [
        (package["name"], package["license"])
        for package in packages
        if not permitted(package["license"] or "none", set(rules["allow"]) | own.get(package["name"], set()))
    ]
    assert refused == []
    assert not permitted("GPL-3.0 AND MIT", {"MIT"}) and permitted("GPL-3.0 OR (MIT AND Zlib)", {"MIT", "Zlib"})


def test_second_versions_are_named_with_the_reason():
    versions = collections.defaultdict(set)
    for package in locked():
        versions[package["name"]].add(tuple(int(part) for part in re.split(r"[.+-]", package["version"])[:3]))
    older = {f"{name}@{v[0]}" if v[0] else f"{name}@0.{v[1]}" for name, known in versions.items() for v in sorted(known)[:-1]}
    assert older == {rule["crate"] for rule in DENY["bans"]["skip"]}


def test_libraries_come_from_the_registry_and_none_opens_a_connection():
    packages = locked()
    assert {package["source"].split("+")[0] for package in packages} == {"registry"}
    assert not {package["name"] for package in packages} & {rule["crate"] for rule in DENY["bans"]["deny"]}
