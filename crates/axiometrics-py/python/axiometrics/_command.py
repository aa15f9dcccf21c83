"""Everything else that the command does, on data in memory.

Each function takes what its subcommand takes: runs and judgements as :func:`evaluate` takes them,
and the options of the command by name, with ``_`` for ``-``. The result is a :class:`Document`.
"""

from __future__ import annotations

import os
import sys

from . import _native
from ._document import Call, Document, Gate, Page
from ._errors import UsageError
from ._measures import Measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from ._document import Measures


def program() -> None:
    """The program ``axio``. It never returns."""
    import signal

    # As any other program: Ctrl-C ends it at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    code = _native.main(sys.argv)
    # Nothing of Python is left to be tidied up.
    os._exit(code)


def compare(
    qrels: object,
    runs: object,
    measures: Measures = None,
    *,
    baseline: str | None = None,
    test: Literal[
        "t", "wilcoxon", "sign", "randomisation", "bootstrap", "tukey", "randomised-tukey"
    ] = "t",
    correction: Literal["holm", "bonferroni", "bh", "none"] | None = None,
    alpha: float = 0.05,
    **options: object,
) -> Document:
    """Compares runs: means with intervals, tests of differences, ranks, joint ranges.

    ``baseline`` is the name of the run that the others are compared with. The other options are
    those of ``axio compare``: ``family``, ``interval``, ``resamples``, ``seed``, ``joint``,
    ``on_ranks``, and the policies of :func:`evaluate`.

    >>> import axiometrics as ax
    >>> topics = [str(n) for n in range(12)]
    >>> qrels = {topic: {"a": 1} for topic in topics}
    >>> runs = {
    ...     "good": {t: {"a": 2.0, "b": 1.0} for t in topics},
    ...     "bad": {t: {"a": float(n % 2), "b": 0.5} for n, t in enumerate(topics)},
    ... }
    >>> found = ax.compare(qrels, runs, "RR", baseline="bad")
    >>> found["measures"][0]["pairs"][0]["significant"]
    True
    """
    call = Call("compare").qrels(qrels).runs(runs).measures(measures)
    if baseline is not None:
        call.baseline(baseline)
    given = {"test": test, "correction": correction, "alpha": alpha}
    return Document(call.options(given | options))


def check(
    *metrics: object,
    only: str | Iterable[str] = (),
    gains: Literal["binary", "graded", "integer"] | None = None,
    max_docs: int | None = None,
    seed: int = 1,
    **options: object,
) -> Checked:
    """Decides which numeric properties and formal constraints measures have.

    Each No comes with a witness. ``only`` asks for some of ``"properties"``, ``"constraints"`` and
    ``"axioms"``, the first two unless it is given. A measure is a name, an object, or a function; ``gains`` states
    what the function's formula is written over.

    >>> import axiometrics as ax
    >>> ax.check("P@5")["monotonic"].verdict
    'violated'
    >>> def found(gains, k, R):
    ...     return sum(g > 0 for g in gains) / R if R else None
    >>> ax.check(found, gains="binary")["monotonic"].verdict
    'holds'
    """
    from ._checked import Checked, of_function, of_names

    groups = [only] if isinstance(only, str) else list(only)
    functions = [m for m in metrics if not isinstance(m, (str, Measure))]
    if functions:
        if len(metrics) > 1:
            raise UsageError("found several metrics, expected one function at a time")
        if options:
            raise UsageError(f"found {next(iter(options))}, which functions do not have")
        return of_function(functions[0], groups, gains, max_docs, seed)
    if gains is not None:
        raise UsageError("gains is for functions; a named measure states its own")
    call = Call("check").add(*(str(metric) for metric in metrics))
    given = {
        "only": ",".join(groups or ["properties", "constraints"]),
        "max_docs": max_docs,
        "seed": seed,
    }
    return of_names(call.options(given | options))


def choose(
    want: Iterable[str] = (), not_: Iterable[str] = (), **options: object
) -> Document:
    """Measures with these properties and without those.

    The options are those of ``axio choose``: ``task``, ``graded``, ``depth``, ``incomplete``,
    ``average``, ``all``.

    >>> import axiometrics as ax
    >>> ax.choose(["convergent"])["fits"][0]["metric"]
    'P@10'
    """
    wanted = [want] if isinstance(want, str) else list(want)
    unwanted = [not_] if isinstance(not_, str) else list(not_)
    return Document(Call("choose").options({"want": wanted, "not": unwanted} | options))


def explain(
    measure: object,
    qrels: object = None,
    run: object = None,
    topic: str | None = None,
    **options: object,
) -> Document:
    """What a measure is; with a run, where its score on a topic comes from.

    >>> import axiometrics as ax
    >>> print(ax.explain("RR"))  # doctest: +ELLIPSIS
    RR...
    """
    call = Call("explain").add(str(measure))
    if qrels is not None:
        call.qrels(qrels)
    if run is not None:
        call.runs(run)
    return Document(call.options({"topic": topic} | options))


def measures(*words: str) -> Document:
    """The measures that mention these words; all of them without words.

    >>> import axiometrics as ax
    >>> [m["name"] for m in ax.measures("reciprocal", "first")["measures"]][0]
    'RR'
    """
    return Document(Call("measures").add(*words))


def organize(
    gold: object,
    systems: object = (),
    measures: Measures = None,
    **options: object,
) -> Document:
    """Scores clusterings, filterings and organizations against a gold standard.

    Each is a path, a table (pandas, polars, Arrow) with some of the columns ``topic``, ``doc``,
    ``level`` and ``cluster``, a :class:`Run` (its ranks become levels) or a :class:`Qrels` (its grades
    do), or a dict from topics to what they hold: the cluster of each document, or levels of clusters
    of documents. Several systems are a list, or a dict from their names. The options are those of
    ``axio organize``.

    >>> import axiometrics as ax
    >>> gold = {"q": {"a": "red", "b": "red", "c": "blue"}}
    >>> mine = {"q": [[["a", "b", "c"]]]}
    >>> found = ax.organize(gold, {"mine": mine, "same": gold}, ["purity", "bcubed_recall"])
    >>> [(system["name"], system["mean"]["purity"]) for system in found["systems"]]
    [('mine', 0.6666666666666666), ('same', 1.0)]
    """
    from ._organizations import file, named

    call = Call("organize")
    call.add(file(call, gold, None, "gold"))
    for name, system in named(systems):
        call.add(file(call, system, name, "system"))
    return Document(call.measures(measures).options(options))


def meta(qrels: object, runs: object, measures: Measures = None, **options: object) -> Document:
    """Compares measures with each other on runs: discriminative power, agreement, pool bias.

    The options are those of ``axio meta``.

    >>> import axiometrics as ax
    >>> qrels = {str(n): {"a": 1} for n in range(8)}
    >>> runs = {
    ...     f"rank {r}": {t: ["x", "y", "z"][: (r + int(t)) % 3] + ["a"] for t in qrels}
    ...     for r in range(3)
    ... }
    >>> found = ax.meta(qrels, runs, ["AP", "RR"])
    >>> found["topics"], [round(mean, 3) for mean in found["measures"][1]["means"]]
    (8, [0.646, 0.562, 0.625])
    """
    return Document(Call("meta").qrels(qrels).runs(runs).measures(measures).options(options))


def plan(
    what: Literal["depth", "judge", "topics"],
    runs: object = None,
    qrels: object = None,
    measures: Measures = None,
    **options: object,
) -> Document:
    """Plans judgements: how deep, which documents next, how many topics.

    The options are those of ``axio plan``.

    >>> import axiometrics as ax
    >>> ax.plan("depth", p=0.8, residual=0.01)["depth"]
    21
    """
    call = Call("plan", what)
    if qrels is not None:
        call.qrels(qrels)
    if runs is not None:
        call.runs(runs)
    return Document(call.measures(measures).options(options))


def _written(grades: Iterable[float]) -> str:
    """Grades in the notation of ``axio score``, which has all their digits and no powers of ten."""
    from decimal import Decimal

    texts = [format(Decimal(repr(float(grade))), "f").removesuffix(".0") for grade in grades]
    # Without a space or a point, every digit would be a grade.
    lone = len(texts) == 1 and len(texts[0]) > 1 and "." not in texts[0]
    return texts[0] + "." if lone else " ".join(texts)


def score_vector(*rankings: object, measures: Measures = None, **options: object) -> Document:
    """Scores rankings that are written down as grades, in the notation of ``axio score``.

    A ranking is a text (``"1 0 1 | 1"``: a relevant document that was not retrieved stands behind
    the bar) or a list of grades from the top. The options are those of ``axio score``.

    >>> import axiometrics as ax
    >>> found = ax.score_vector("1 0 1 | 1", [0, 2], measures=["AP", "P@2"])
    >>> [m["value"] for m in found["rankings"][0]["measures"]]
    [0.5555555555555555, 0.5]
    >>> found["rankings"][1]["measures"][0]["value"]
    0.5
    """
    if not rankings:
        raise UsageError("found no ranking, expected at least one")
    texts = [
        ranking if isinstance(ranking, str) else _written(ranking)  # type: ignore[arg-type]
        for ranking in rankings
    ]
    return Document(Call("score").measures(measures).options(options).add(*texts))


def fuse(
    runs: object,
    method: str = "rrf",
    *,
    norm: str = "min-max",
    weights: Iterable[float] | None = None,
    qrels: object = None,
    training: object = None,
    name: str | None = None,
    **options: object,
) -> _native.Run:
    """Makes one run of several.

    ``method`` is one of ``axio fuse --methods``, with its parameters in brackets: ``"rrf(k=60)"``.
    Methods that learn take judgements and a judged run for each run.

    >>> import axiometrics as ax
    >>> one, two = {"q": {"a": 9.0, "b": 1.0}}, {"q": {"b": 0.5, "c": 0.4}}
    >>> ax.fuse([one, two], "sum", name="both").to_dict()["q"]["b"]
    1.0
    """
    call = Call("fuse").runs(runs).options({"method": method, "norm": norm, "to": "jsonl"})
    if weights is not None:
        call.options({"weights": ",".join(repr(float(weight)) for weight in weights)})
    if qrels is not None:
        call.options({"qrels": call.file(qrels, "qrels", None)})
        call.options({"training": call.run_files(training)})
    _, text, _ = call.options(options).run(None)
    return _native.Run(text.encode(), name=name or method)


def fit(path: str | os.PathLike[str], measures: Measures = None, **options: object) -> Document:
    """Fits the user of a measure to what people did; the options are those of ``axio fit``.

    >>> import axiometrics as ax, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "stops.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("rank,count\\n1,2\\n2,1\\n3,1\\n")
    ...     round(ax.fit(path, "RBP")["fits"][0]["value"], 4)
    0.4286
    """
    return Document(Call("fit").add(os.fspath(path)).measures(measures).options(options))


def risk(
    qrels: object, baseline: object, runs: object, measures: Measures = None, **options: object
) -> Document:
    """Wins and losses against a baseline, with losses weighted more: URisk, TRisk, GeoRisk.

    The options are those of ``axio risk``.

    >>> import axiometrics as ax
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    >>> before = {"q1": ["a", "x"], "q2": ["x", "a"]}
    >>> after = {"q1": ["x", "a"], "q2": ["a", "x"]}
    >>> found = ax.risk(qrels, before, after, "RR", alpha=1)["risks"][0]
    >>> found["wins"], found["losses"], found["urisk"]
    (1, 1, -0.25)
    """
    call = Call("risk").qrels(qrels)
    call.add(*call.run_files(baseline, "baseline"))
    return Document(call.runs(runs).measures(measures).options(options))


def standardize(
    qrels: object, runs: object, measures: Measures = None, **options: object
) -> Document:
    """Scores relative to the mean and the spread of the runs on each topic.

    The options are those of ``axio standardize``.

    >>> import axiometrics as ax
    >>> qrels = {"q1": {"a": 1}}
    >>> runs = {"first": {"q1": ["a", "x"]}, "second": {"q1": ["x", "a"]}}
    >>> found = ax.standardize(qrels, runs, "RR")
    >>> [(run["run"], round(run["scores"]["RR"], 3)) for run in found["runs"]]
    [('first', 0.707), ('second', -0.707)]
    """
    return Document(Call("standardize").qrels(qrels).runs(runs).measures(measures).options(options))


def session(
    sessions: str | os.PathLike[str] | Mapping[str, Iterable[str]],
    qrels: object,
    runs: object,
    measures: str | Iterable[str] | None = None,
    **options: object,
) -> Document:
    """Scores the queries of a session together: sDCG, nsDCG and sRBP.

    ``sessions`` maps each session to the topics of its queries in their order, or is a file with a
    session and a topic on each line. The options are those of ``axio session``.

    >>> import axiometrics as ax
    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> run = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}}
    >>> found = ax.session({"s": ["q1", "q2"]}, qrels, run, "nsDCG@2")
    >>> round(found["runs"][0]["measures"][0]["mean"], 4)
    0.7786
    """
    call = Call("session")
    if isinstance(sessions, (str, os.PathLike)):
        call.add(os.fspath(sessions))
    else:
        call.add(call.lines("sessions", ((s, t) for s, topics in sessions.items() for t in topics)))
    for measure in [measures] if isinstance(measures, str) else measures or []:
        call.options({"measures": str(measure)})
    return Document(call.qrels(qrels).runs(runs).options(options))


def convert(
    source: str | os.PathLike[str] | _native.Run | _native.Qrels,
    target: str | os.PathLike[str],
    **options: object,
) -> None:
    """Writes a run or judgements to a file, in the format of its name or that of ``to``.

    The options are those of ``axio convert``; ``from_`` and ``as_`` are ``--from`` and ``--as``.

    >>> import axiometrics as ax, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.parquet")
    ...     ax.convert(ax.Run({"q": {"a": 2.0, "b": 1.0}}), path)
    ...     ax.Run(path).to_dict()
    {'q': {'a': 2.0, 'b': 1.0}}
    """
    call = Call("convert")
    call.add(call.given(source), os.fspath(target)).options(options).run(None)


def validate(
    *files: str | os.PathLike[str] | _native.Run | _native.Qrels, **options: object
) -> Document:
    """What is wrong or odd about runs and judgements, in files or in memory.

    The options are those of ``axio validate``.

    >>> import axiometrics as ax
    >>> run = ax.Run({"q": {"a": 1.0, "b": 1.0}})
    >>> len(ax.validate(run)["files"])
    1
    """
    call = Call("validate")
    return Document(call.add(*(call.given(file) for file in files)).options(options))


def command(
    name: str,
    *arguments: str | os.PathLike[str] | _native.Run | _native.Qrels,
    **options: object,
) -> Document:
    """Any subcommand that writes JSON, with its arguments and options, for what has no function here.

    >>> import axiometrics as ax
    >>> qrels, run = ax.Qrels({"q": {"a": 1}}), ax.Run({"q": {"b": 2.0, "a": 1.0}})
    >>> ax.command("eval", qrels, run, measures="RR", ideal=True)["runs"][0]["measures"][0]["mean"]
    0.5
    """
    call = Call(name)
    call.command += [call.given(argument) for argument in arguments]
    return Document(call.options(options))


def gate(
    qrels: object,
    runs: object,
    baseline: object = None,
    *,
    max_drop: dict[str, float] | None = None,
    min: dict[str, float] | None = None,
    undecided: Literal["fail", "pass"] | None = None,
    **options: object,
) -> Gate:
    """Whether runs are not worse than a baseline by more than is allowed, or at least as good as
    ``min`` says, which needs no baseline.

    The result is true exactly if all runs passed, so ``assert ax.gate(...)`` is a test. If the gate
    cannot decide, asking for its truth raises :class:`Undecided`, unless ``undecided`` says whether
    that counts as a pass or as a failure.

    >>> import axiometrics as ax
    >>> qrels = {str(n): {"a": 1} for n in range(10)}
    >>> run = {topic: {"a": 1.0} for topic in qrels}
    >>> worse = {topic: {"x": 2.0, "a": 1.0} for topic in qrels}
    >>> assert ax.gate(qrels, run, run, max_drop={"RR": 0.01})
    >>> bool(ax.gate(qrels, worse, run, max_drop={"RR": 0.01}))
    False
    """
    call = Call("gate").qrels(qrels).runs(runs)
    limits = {
        "baseline": [] if baseline is None else call.run_files(baseline, "baseline"),
        "max_drop": [f"{measure}={x}" for measure, x in (max_drop or {}).items()],
        "min": [f"{measure}={x}" for measure, x in (min or {}).items()],
        "undecided": undecided,
    }
    return Gate(call.options(limits | options), follow=undecided is not None)


def report(qrels: object, runs: object, measures: Measures = None, **options: object) -> Page:
    """The page of ``axio report``: tables, plots and diagnostics in one file of HTML.

    >>> import axiometrics as ax
    >>> qrels = {str(n): {"a": 1, "b": 1} for n in range(6)}
    >>> run = {topic: {"a": 2.0, "x": 1.5, "b": 1.0} for topic in qrels}
    >>> str(ax.report(qrels, {"mine": run}, "AP"))[:15]
    '<!DOCTYPE html>'
    """
    import tempfile

    call = Call("report").qrels(qrels).runs(runs).measures(measures).options(options)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.html")
        call.options({"output": path}).run(None)
        with open(path, encoding="utf-8") as file:
            return Page(file.read())


if TYPE_CHECKING:
    from ._checked import Checked
