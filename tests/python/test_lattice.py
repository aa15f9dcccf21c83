"""Which properties go together, decided a second time by Z3.

The encoding is written anew from the definitions: one real number for each state, one Boolean for
each property, and the choices that realizable and the thresholds leave as disjunctions. Deepness
is complete here, with the differences of scores that the program's own search leaves out.
"""

import itertools
import json
import subprocess

import pytest
import z3

from conftest import AXIO

SEVEN = ["bounded", "monotonic", "convergent", "top-weighted", "localized", "complete", "realizable"]
FIVE = ["priority", "deepness", "deepness-threshold", "closeness-threshold", "confidence"]


class Encoding:
    """All demands on the states of all collections with up to `docs` documents of some levels."""

    def __init__(self, docs, levels=2, extra=()):
        self.top = levels - 1
        self.solver = z3.Solver()
        self.has = {name: z3.Bool(name) for name in SEVEN + FIVE}
        self.score = {}
        self.most = z3.Real("most")
        collections = {tuple(sorted(c)) for d in range(1, docs + 1) for c in itertools.product(range(levels), repeat=d)}
        self.collections = collections | {tuple(sorted(c)) for c in extra}
        for collection in self.collections:
            for k in range(1, len(collection) + 1):
                for seen in sorted(prefixes(collection, k)):
                    self.score[seen, rest(collection, seen)] = z3.Real(f"s{len(self.score)}")
        for seen, below in list(self.score):
            self.demand(seen, below)
        for collection in self.collections:
            if self.top in collection:
                for k in range(1, len(collection) + 1):
                    best = [self.at(seen, rest(collection, seen)) == self.most for seen in prefixes(collection, k)]
                    self.say("realizable", z3.Or(best))

    def at(self, seen, below=()):
        return self.score[tuple(seen), tuple(sorted(below))]

    def say(self, name, fact):
        self.solver.add(z3.Implies(self.has[name], fact))

    def demand(self, seen, below):
        here = self.at(seen, below)
        self.say("realizable", here <= self.most)
        for gain in set(below):
            self.say("monotonic", self.at(seen + (gain,), without(below, gain)) >= here)
            for i, old in enumerate(seen):
                if old < gain:
                    better = seen[:i] + (gain,) + seen[i + 1 :]
                    self.say("convergent", self.at(better, without(below, gain) + (old,)) > here)
        for i, j in itertools.combinations(range(len(seen)), 2):
            if seen[i] < seen[j]:
                self.say("top-weighted", self.at(swap(seen, i, j), below) > here)
        if (seen, ()) in self.score:
            self.say("localized", here == self.at(seen))
        if below == () and set(seen) <= {0, self.top}:
            self.demand_of_whole(seen)
        if set(seen + below) <= {0, self.top} and below == (0,) and self.top in seen:
            self.say("confidence", here > self.at(seen + (0,)))

    def demand_of_whole(self, seen):
        pairs = [i for i in range(len(seen) - 1) if seen[i] > seen[i + 1]]
        for i in pairs:
            self.say("priority", self.at(seen) > self.at(swap(seen, i, i + 1)))
        for i, j in itertools.combinations(pairs, 2):
            if j > i + 1:
                self.say("deepness", self.at(swap(seen, j, j + 1)) > self.at(swap(seen, i, i + 1)))
        if seen.count(self.top) == 1:
            i = seen.index(self.top)
            if i + 2 < len(seen):
                one, two = swap(seen, i, i + 1), swap(seen, i, i + 2)
                self.say("deepness", self.at(seen) - self.at(one) > self.at(one) - self.at(two))

    def threshold(self, n, missed=0, appended=0):
        """One on top, and n after n irrelevant ones, of one collection."""
        one = (self.top,) + (0,) * (2 * n - 1 + appended)
        deep = (0,) * n + (self.top,) * n + (0,) * appended
        return self.at(one, (self.top,) * (n - 1 + missed)), self.at(deep, (0,) * (n - 1) + (self.top,) * missed)

    def deepness_from(self, n, largest):
        for m in range(n, largest + 1):
            one, deep = self.threshold(m)
            self.say("deepness-threshold", one > deep)

    def closeness(self, sizes, missed=0, appended=0):
        at = [self.threshold(n, missed, appended) for n in sizes]
        self.say("closeness-threshold", z3.Or([one < deep for one, deep in at]))

    def lattice(self, names):
        """Minimal contradictions and largest feasible sets, by a map of what is not yet decided."""
        feasible = lambda some: self.solver.check([self.has[n] for n in some]) == z3.sat
        undecided = z3.Solver()
        pick = {n: z3.Bool("pick-" + n) for n in names}
        minimal, largest = set(), set()
        while undecided.check() == z3.sat:
            model = undecided.model()
            seed = [n for n in names if z3.is_true(model.eval(pick[n], model_completion=True))]
            if feasible(seed):
                for n in names:
                    if n not in seed and feasible(seed + [n]):
                        seed.append(n)
                largest.add(frozenset(seed))
                undecided.add(z3.Or([pick[n] for n in names if n not in seed]))
            else:
                for n in list(seed):
                    if not feasible([m for m in seed if m != n]):
                        seed.remove(n)
                minimal.add(frozenset(seed))
                undecided.add(z3.Or([z3.Not(pick[n]) for n in seed]))
        return minimal, largest


def prefixes(collection, k):
    """The top k of all rankings, built rank by rank: permutations would be too many."""
    tops = {()}
    for _ in range(k):
        tops = {seen + (gain,) for seen in tops for gain in set(rest(collection, seen))}
    return tops


def rest(collection, seen):
    left = list(collection)
    for gain in seen:
        left.remove(gain)
    return tuple(sorted(left))


def without(below, gain):
    left = list(below)
    left.remove(gain)
    return tuple(left)


def swap(seen, i, j):
    other = list(seen)
    other[i], other[j] = other[j], other[i]
    return tuple(other)


@pytest.fixture(scope="module")
def found():
    """What the program says: minimal contradictions and largest feasible sets."""
    done = subprocess.run([AXIO, "choose", "--format", "json"], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    sets = lambda key: {frozenset(entry["properties"]) for entry in said[key]}
    return sets("contradictions"), sets("feasible")


def among(found, names):
    """The part of what was found that is about some properties."""
    minimal, largest = found
    kept = {part & set(names) for part in largest}
    return {c for c in minimal if c <= set(names)}, {a for a in kept if not any(a < b for b in kept)}


@pytest.mark.parametrize("docs, levels", [(3, 2), (4, 2), (5, 2), (3, 3)])
def test_the_seven_properties(found, docs, levels):
    assert Encoding(docs, levels).lattice(SEVEN) == among(found, SEVEN)


BY_CONTEXT = frozenset(["monotonic", "realizable", "deepness-threshold", "closeness-threshold"])


def test_with_the_constraints(found):
    """Collections of up to five documents, and one in which deepness-threshold may hold from n = 3
    on, after closeness-threshold at n = 2. Without contexts, one contradiction is missing."""
    encoding = Encoding(5, extra=[(1,) * 3 + (0,) * 5])
    encoding.deepness_from(3, 3)
    encoding.closeness((1, 2))
    minimal, largest = encoding.lattice(SEVEN + FIVE)
    assert minimal == found[0] - {BY_CONTEXT}
    joined = frozenset(SEVEN + FIVE) - {"convergent", "top-weighted", "localized", "priority", "deepness", "confidence"}
    assert joined in largest
    assert {s for s in largest if s != joined} == {s for s in found[1] if not s < joined}


def test_thresholds_in_context():
    """The contradiction that is missing there, and that nothing smaller will do."""
    encoding = Encoding(5)
    encoding.deepness_from(2, 2)
    encoding.closeness((1,), missed=1, appended=2)
    assert encoding.lattice(sorted(BY_CONTEXT))[0] == {BY_CONTEXT}
