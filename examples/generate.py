#!/usr/bin/env python3
"""Makes the example collections. Seeded: running it again gives the same bytes.

    python3 examples/generate.py

Each topic has documents with a hidden quality. Judges see the quality with little noise and give a grade; systems see it with more noise and
give a score. Lexical systems score in a BM25-like range with few digits, which makes ties; dense systems score cosines. Documents that no
judge saw (the pool is shallow) have no grade, and some systems lack a topic.
"""

import random
from pathlib import Path

HERE = Path(__file__).parent


def grade(quality, steps):
    """The number of thresholds that the quality reaches."""
    return sum(quality >= step for step in steps)


def bm25(quality, noise, rng):
    return round(max(0.1, 6 + 7 * quality + rng.gauss(0, 4 * noise)), 1)


def dense(quality, noise, rng):
    return round(min(0.99, max(0.01, 0.55 + 0.2 * quality + rng.gauss(0, 0.12 * noise))), 4)


class Collection:
    def __init__(self, folder, seed, topics, documents, steps, pool, systems, name):
        self.folder, self.rng = HERE / folder, random.Random(seed)
        self.topics, self.documents, self.steps, self.pool, self.systems, self.name = topics, documents, steps, pool, systems, name

    def write(self):
        self.folder.mkdir(exist_ok=True)
        rng = self.rng
        judgements, runs = [], {system: [] for system in self.systems}
        for topic in self.topics:
            documents = [self.name(rng) for _ in range(self.documents)]
            quality = {d: rng.betavariate(1.1, 4) for d in sorted(set(documents))}
            if topic == self.topics[4]:  # Nothing relevant was found for this one.
                quality = {d: min(q, 0.1) for d, q in quality.items()}
            pooled = set()
            for system, (score, noise, depth, lacking) in self.systems.items():
                scores = {d: score(q, noise, rng) for d, q in quality.items()}
                ranking = sorted(scores, key=lambda d: (-scores[d], d))[:depth]
                pooled.update(ranking[: self.pool])
                if topic not in lacking:
                    runs[system] += [f"{topic} Q0 {d} {i} {scores[d]} {system}" for i, d in enumerate(ranking, 1)]
            judgements += [f"{topic} 0 {d} {grade(quality[d] + rng.gauss(0, 0.03), self.steps)}" for d in sorted(pooled)]
        self.save("qrels.txt", judgements)
        for system, lines in runs.items():
            self.save(f"{system}.run", lines)

    def save(self, name, lines):
        (self.folder / name).write_text("\n".join(lines) + "\n")


def web_document(rng):
    return f"web-{rng.randrange(10):02}-{rng.randrange(100000):05}"


def passage(rng):
    return f"p{rng.randrange(10**6):06}"


def clusterings(folder, seed, topics, documents, classes):
    """A gold standard and four systems: two that err in opposite ways, two that err at random."""
    rng = random.Random(seed)
    folder = HERE / folder
    folder.mkdir(exist_ok=True)
    header = "topic\tdoc\tlevel\tcluster"
    files = {name: [header] for name in ["gold", "careful", "coarse", "fine", "noisy"]}
    for topic in topics:
        names = [f"{topic}-{i:02}" for i in range(documents)]
        gold = {d: rng.randrange(classes) for d in names}
        moved = lambda share: {d: rng.randrange(classes) if rng.random() < share else c for d, c in gold.items()}
        systems = {
            "gold": gold,
            "careful": moved(0.1),
            "coarse": {d: c // 2 for d, c in gold.items()},
            "fine": {d: 2 * c + rng.randrange(2) for d, c in gold.items()},
            "noisy": moved(0.35),
        }
        for name, clusters in systems.items():
            files[name] += [f"{topic}\t{d}\t1\tc{clusters[d]}" for d in names]
    for name, lines in files.items():
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n")


def ratings(file, seed, users, movies, share):
    """Stars that users gave, as recommenders keep them: a table whose column names are its own."""
    rng = random.Random(seed)
    lines = ["user,movie,stars"]
    for user in range(1, users + 1):
        lines += [f"u{user},m{movie:02},{rng.randint(1, 5)}" for movie in range(1, movies + 1) if rng.random() < share]
    (HERE / file).write_text("\n".join(lines) + "\n")


COLLECTIONS = [
    Collection(
        "web",
        seed=2014,
        topics=[str(t) for t in range(201, 221)],
        documents=90,
        steps=[0.25, 0.4, 0.55],
        pool=12,
        systems={
            "bm25": (bm25, 1.0, 50, []),
            "bm25-rm3": (bm25, 0.8, 50, ["209"]),
            "dense": (dense, 0.6, 50, []),
            "hybrid": (dense, 0.5, 50, []),
        },
        name=web_document,
    ),
    Collection(
        "passages",
        seed=2008,
        topics=[f"q{t:02}" for t in range(1, 31)],
        documents=60,
        steps=[0.5],
        pool=10,
        systems={
            "bm25": (bm25, 1.1, 30, []),
            "dense": (dense, 0.8, 30, ["q17"]),
            "reranked": (dense, 0.4, 30, []),
        },
        name=passage,
    ),
]

if __name__ == "__main__":
    for collection in COLLECTIONS:
        collection.write()
    clusterings("clusterings", seed=2013, topics=[f"t{t:02}" for t in range(1, 13)], documents=20, classes=5)
    ratings("ratings.csv", seed=5, users=8, movies=12, share=0.4)
