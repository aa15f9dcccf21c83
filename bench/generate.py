"""Makes the data sets of the benchmark, always the same bytes.

  A       6,980 topics x 1,000 documents, one or two relevant documents each: a passage collection
  B       250 topics x 1,000 documents, about 1,250 judged each, grades 0 to 2: an ad-hoc collection
  C       200,000 users x 50 items, about ten relevant each: a recommender
  D       100 runs over the judgements of B
  S       50 topics x 100 documents: the cost of starting
  A.within, A.shuffled, A4    A with lines shuffled within topics; with all lines shuffled; four times A

usage: generate.py FOLDER [A B C D S ...]
"""

import pathlib
import sys

import numpy as np


def distinct(rng, below, n, avoid=()):
    """n different numbers, in random order, none of them in `avoid`."""
    drawn = rng.permutation(np.unique(rng.integers(0, below, int(n * 1.3) + 30)))
    if len(avoid):
        drawn = drawn[~np.isin(drawn, avoid)]
    return drawn[:n]


def run_lines(topic, ids, scores, tag):
    return "".join([f"{topic} Q0 {d} {rank} {score:.6f} {tag}\n" for rank, (d, score) in enumerate(zip(ids, scores), 1)])


def passages(folder, name, topics, depth, seed):
    rng = np.random.default_rng(seed)
    collection = 8_800_000
    numbers = distinct(rng, 1_100_000, topics)
    with open(folder / f"{name}.qrels", "w") as qrels, open(folder / f"{name}.run", "w", buffering=1 << 22) as run:
        for topic in numbers.tolist():
            relevant = distinct(rng, collection, 1 + int(rng.random() < 0.06))
            qrels.writelines(f"{topic} 0 {d} 1\n" for d in relevant.tolist())
            ids = distinct(rng, collection, depth, relevant)
            for d in relevant:
                if rng.random() < 0.85:
                    ids[min(depth - 1, int(rng.pareto(0.45)))] = d
            scores = np.sort(np.round(rng.gamma(4.0, 1.1, depth) + 7 + 5 * rng.random(), 6))[::-1]
            # One score in a hundred is that of its neighbour.
            same = np.flatnonzero(rng.random(depth - 1) < 0.01)
            scores[same + 1] = scores[same]
            run.write(run_lines(topic, ids.tolist(), np.sort(scores)[::-1].tolist(), "passages"))


def names(n):
    kinds = ("FT", "LATIMES", "FBIS", "FR")
    return [f"{kinds[i % 4]}{90 + i % 5}-{i:06d}" for i in range(n)]


def pools():
    rng = np.random.default_rng(2004)
    ids = names(520_000)
    topics = {}
    for topic in [*range(301, 451), *range(601, 701)]:
        judged = distinct(rng, len(ids), int(np.clip(rng.normal(1250, 200), 600, 2200)))
        relevant = int(np.clip(rng.lognormal(3.9, 0.9), 3, 450))
        grades = np.zeros(len(judged), int)
        grades[:relevant] = np.where(rng.random(relevant) < 0.2, 2, 1)
        topics[topic] = judged, grades
    return ids, topics


def pool_qrels(path, ids, topics):
    with open(path, "w") as out:
        for topic, (judged, grades) in topics.items():
            rows = sorted(zip((ids[d] for d in judged), grades.tolist()))
            out.writelines(f"{topic} 0 {d} {g}\n" for d, g in rows)


def pool_run(path, ids, topics, seed, tag):
    rng = np.random.default_rng(seed)
    quality = rng.uniform(0.5, 2.0)
    with open(path, "w", buffering=1 << 22) as out:
        for topic, (judged, grades) in topics.items():
            others = distinct(rng, len(ids), 1400, judged)
            merit = np.concatenate([quality * grades + 0.9 + rng.normal(0, 1, len(judged)), rng.normal(0.55, 1, len(others))])
            best = np.argsort(-merit, kind="stable")[:1000]
            documents = np.concatenate([judged, others])[best]
            out.write(run_lines(topic, [ids[d] for d in documents], np.round(3 * merit[best] + 8, 4).tolist(), tag))


def recommender(folder, users=200_000, depth=50, items=60_000):
    rng = np.random.default_rng(42)
    with open(folder / "C.qrels", "w", buffering=1 << 22) as qrels, open(folder / "C.run", "w", buffering=1 << 22) as run:
        for user in range(1, users + 1):
            relevant = max(1, int(rng.poisson(10)))
            drawn = distinct(rng, items, relevant + depth)
            liked, shown = drawn[:relevant], drawn[relevant:]
            found = np.flatnonzero(rng.random(relevant) < 0.25)[:depth]
            shown[rng.permutation(depth)[: len(found)]] = liked[found]
            qrels.write("".join([f"{user} 0 {d} 1\n" for d in liked.tolist()]))
            run.write(run_lines(user, shown.tolist(), np.sort(np.round(rng.random(depth), 6))[::-1].tolist(), "items"))


def reordered(folder):
    rng = np.random.default_rng(7)
    lines = (folder / "A.run").read_bytes().splitlines(keepends=True)
    within = np.concatenate([start + rng.permutation(1000) for start in range(0, len(lines), 1000)])
    for name, order in (("A.within", within), ("A.shuffled", rng.permutation(len(lines)))):
        with open(folder / f"{name}.run", "wb", buffering=1 << 22) as out:
            out.writelines(lines[i] for i in order.tolist())


def make(folder, what):
    if what == "A":
        passages(folder, "A", 6980, 1000, 1)
        reordered(folder)
    elif what == "A4":
        passages(folder, "A4", 4 * 6980, 1000, 4)
    elif what == "S":
        passages(folder, "S", 50, 100, 5)
    elif what == "B":
        ids, topics = pools()
        pool_qrels(folder / "B.qrels", ids, topics)
        pool_run(folder / "B.run", ids, topics, 1, "adhoc")
    elif what == "C":
        recommender(folder)
    elif what == "D":
        ids, topics = pools()
        (folder / "D").mkdir(exist_ok=True)
        for system in range(100):
            pool_run(folder / "D" / f"system{system:03d}.run", ids, topics, 1000 + system, f"system{system:03d}")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for what in sys.argv[2:] or ["A", "B", "C", "D", "S", "A4"]:
        make(folder, what)
        print(f"{what} made", file=sys.stderr, flush=True)
