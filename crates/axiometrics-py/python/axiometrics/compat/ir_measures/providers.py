"""Who computes which measure, and how it orders documents with equal scores.

The original asks other tools, each of which breaks ties in its own way. Here one library computes
everything, in the order of the tool that the original would have asked.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ... import _native
from ..pytrec_eval import RelevanceEvaluator
from .measures import NOT_PROVIDED, Measure, ParamInfo
from .util import CalcResults, Metric, frame_of, qrel_rows, qrels_dict, run_dict, run_rows

Judgements = dict[str, dict[str, int]]
Rankings = dict[str, dict[str, float]]


class Evaluator:
    """Scores runs by some measures against the same judgements."""

    def __init__(self, measures: Iterable[Measure], qrel_qids: Iterable[str]) -> None:
        self.measures = measures
        self.qrel_qids = qrel_qids

    def iter_calc(self, run: object) -> Iterator[Any]:
        """Values by topic; a topic that has none gets the measure's default."""
        expected = set(itertools.product(self.measures, self.qrel_qids))
        for metric in self._iter_calc(run):
            expected.discard((metric.measure, metric.query_id))
            yield metric
        for measure, query_id in sorted(expected, key=lambda pair: (str(pair[0]), pair[1])):
            yield Metric(query_id=query_id, measure=measure, value=measure.DEFAULT)

    def _iter_calc(self, run: object) -> Iterator[Any]:
        raise NotImplementedError

    def calc_aggregate(self, run: object) -> dict[Measure, float]:
        """The values of all topics."""
        return dict(self.calc(run).aggregated)

    def calc(self, run: object) -> CalcResults:
        """The values of all topics, and those of each."""
        aggregators = {measure: measure.aggregator() for measure in self.measures}
        metrics = []
        for metric in self.iter_calc(run):
            aggregators[metric.measure].add(metric.value)
            metrics.append(metric)
        return CalcResults({m: agg.result() for m, agg in aggregators.items()}, metrics)


class Provider:
    """Computes some measures."""

    NAME: str = ""

    def supports(self, measure: Measure) -> bool:
        """Whether it computes this measure."""
        raise NotImplementedError

    def _evaluator(self, measures: Iterable[Measure], qrels: object) -> Evaluator:
        raise NotImplementedError

    def evaluator(self, measures: Iterable[Measure], qrels: object) -> Evaluator:
        """An evaluator of several runs."""
        return self._evaluator(measures, qrels)

    def iter_calc(self, measures: Iterable[Measure], qrels: object, run: object) -> Iterator[Any]:
        """Values by topic."""
        return self.evaluator(measures, qrels).iter_calc(run)

    def calc_aggregate(
        self, measures: Iterable[Measure], qrels: object, run: object
    ) -> dict[Measure, float]:
        """The values of all topics."""
        return self.evaluator(measures, qrels).calc_aggregate(run)

    def calc(self, measures: Iterable[Measure], qrels: object, run: object) -> CalcResults:
        """The values of all topics, and those of each."""
        return self.evaluator(measures, qrels).calc(run)

    def is_available(self) -> bool:
        """True: nothing has to be installed."""
        return True

    def initialize(self) -> None:
        """Nothing to do."""

    def install_instructions(self) -> str | None:
        """None are needed."""
        return None

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns that a run must have."""
        return ["query_id", "doc_id", "score"]

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns that judgements must have."""
        return ["query_id", "doc_id", "relevance"]


class Way(NamedTuple):
    """How a tool reads runs and judgements."""

    ties: str
    scores: str = "f64"
    #: What becomes of the grades of a topic first, given its ranking.
    grades: Callable[[dict[str, int], dict[str, float]], dict[str, int]] | None = None
    #: A ranking ends here.
    depth: int | None = None
    #: Judgements are read row by row, so that a topic without any is unknown.
    by_row: bool = False
    #: Judgements of subtopics.
    subtopics: bool = False
    #: Topics whose value is undefined are left out instead of counting 0.
    only_defined: bool = False
    #: The places to which values are rounded.
    places: int | None = None
    #: The form of nDCG, whatever a measure says.
    dcg: str | None = None
    #: AP is the mean over the relevant documents that were retrieved.
    found_alone: bool = False


def _not_negative(grades: dict[str, int], ranking: dict[str, float]) -> dict[str, int]:
    return {doc: max(grade, 0) for doc, grade in grades.items()}


def _ideal(grades: dict[str, int], ranking: dict[str, float]) -> dict[str, int]:
    """The ideal ranking as the original orders it, each document with a grade of its own: by grade,
    then by score, which is 0 for a document that was not retrieved."""
    ideal = [doc for doc in grades if grades[doc] > 0]
    ideal.sort(key=lambda doc: ranking.get(doc, 0.0), reverse=True)
    ideal.sort(key=lambda doc: grades[doc], reverse=True)
    own = {doc: len(ideal) - place for place, doc in enumerate(ideal)}
    return {doc: own.get(doc, 0) for doc in grades}


Accepts = dict[str, dict[str, tuple[Any, ...] | None]]


class NativeProvider(Provider):
    """Computes measures as one of the original's tools does."""

    def __init__(self, name: str, way: Way, measures: Accepts) -> None:
        self.NAME = name
        self.way = way
        self.accepts = measures

    def supports(self, measure: Measure) -> bool:
        measure.validate_params()
        limits = self.accepts.get(measure.NAME or "")
        if limits is None or hasattr(measure, "runtime_impl"):
            return False
        for name in measure.SUPPORTED_PARAMS:
            allowed = limits.get(name)
            if allowed is REQUIRED and measure[name] is NOT_PROVIDED:
                return False
            if allowed not in (None, REQUIRED) and measure[name] not in allowed:
                return False
        return True

    def _evaluator(self, measures: Iterable[Measure], qrels: object) -> Evaluator:
        measures = list(measures)
        for measure in measures:
            forced = self.way.dcg is not None and measure.NAME == "nDCG"
            asked = measure(dcg=self.way.dcg) if forced else measure
            if not self.supports(asked):
                raise ValueError(f"unsupported measure {measure}")
        return NativeEvaluator(measures, qrels, self.way)


class NativeEvaluator(Evaluator):
    """Scores runs with the library."""

    def __init__(self, measures: list[Measure], qrels: object, way: Way) -> None:
        self.way = way
        self.qrels: Any
        if way.subtopics:
            rows = list(qrel_rows(qrels))
            super().__init__(measures, {row.query_id for row in rows})
            text = "".join(
                f"{row.query_id}\t{getattr(row, 'iteration', '0')}\t{row.doc_id}\t{row.relevance}\n"
                for row in rows
            )
            self.qrels = _native.Qrels(text.encode(), facet="subtopic") if rows else {}
        else:
            grades = qrels_dict(qrels)
            self.qrels = {topic: docs for topic, docs in grades.items() if docs}
            super().__init__(measures, set(self.qrels if way.by_row else grades))

    def iter_calc(self, run: object) -> Iterator[Any]:
        return self._iter_calc(run) if self.way.only_defined else super().iter_calc(run)

    def _iter_calc(self, run: object) -> Iterator[Any]:
        rankings = run_dict(run)
        judged = self.qrels if isinstance(self.qrels, dict) else set(self.qrel_qids)
        ranked = {topic: docs for topic, docs in rankings.items() if docs}
        if not any(topic in judged for topic in ranked):
            return
        qrels = self.qrels
        if self.way.grades is not None:
            qrels = {
                topic: self.way.grades(docs, rankings.get(topic, {}))
                for topic, docs in qrels.items()
            }
        columns: dict[Measure, Mapping[str, float | None]] = {}
        by_scale: dict[int | None, list[Measure]] = {}
        for measure in self.measures:
            by_trec_eval = _trec_name(measure)
            if by_trec_eval is not None:
                columns[measure] = _by_trec_eval(by_trec_eval, measure, qrels, ranked)
            else:
                by_scale.setdefault(highest_grade(measure), []).append(measure)
        for max_grade, measures in by_scale.items():
            asked = [expression(measure, self.way.dcg) for measure in measures]
            for measure, column in zip(measures, self._columns(qrels, ranked, asked, max_grade)):
                columns[measure] = column
        if self.way.found_alone:
            for measure in (measure for measure in self.measures if measure.NAME == "AP"):
                [recall] = self._columns(qrels, ranked, [f"SetR(rel={measure['rel']})"], None)
                columns[measure] = {
                    topic: value / recall[topic] if value and recall[topic] else 0.0
                    for topic, value in columns[measure].items()
                }
        for topic in rankings:
            if topic not in judged:
                continue
            for measure in self.measures:
                value = columns[measure].get(topic)
                if value is None and self.way.only_defined:
                    continue
                value = 0.0 if value is None else value
                if self.way.places is not None:
                    value = round(value, self.way.places)
                yield Metric(query_id=topic, measure=measure, value=value)

    def _columns(
        self, qrels: Any, ranked: Rankings, asked: list[str], max_grade: int | None
    ) -> list[dict[str, Any]]:
        """The values of each of these measures by topic."""
        with warnings.catch_warnings():
            # The original has none.
            warnings.simplefilter("ignore")
            scores = _native.evaluate(
                qrels, [ranked], [None], [*asked],
                missing="zero", undefined="zero", ties=self.way.ties, scores=self.way.scores,
                max_grade=max_grade, depth=self.way.depth, order="desc", duplicates="error",
                map=None, pool="max", lenient=False, prune=False, ranges=None, threads=1,
                per_topic=True, progress=None,
            )  # fmt: skip
        topics = scores.topics(0)
        return [dict(zip(topics, scores.values(0, at))) for at in range(len(asked))]


def _trec_name(measure: Measure) -> str | None:
    """What pytrec_eval is asked for, if trec_eval 9 differs from the library's measure."""
    if measure.NAME == "IPrec":
        # It rounds levels of recall in a way of its own.
        return f"iprec_at_recall_{measure['recall']:.2f}"
    if measure.NAME == "SetF" and measure["beta"] != 1.0:
        # What is called beta there is its square, which the root need not give back.
        return f"set_F_{measure['beta']}"
    return None


def _by_trec_eval(
    asked: str, measure: Measure, qrels: Judgements, run: Rankings
) -> dict[str, float]:
    evaluator = RelevanceEvaluator(qrels, {asked}, measure["rel"], measure["judged_only"])
    found = evaluator.evaluate(run)
    return {topic: value for topic, values in found.items() for value in values.values()}


def highest_grade(measure: Measure) -> int | None:
    """The highest grade of the scale, if the measure does not take it from the judgements."""
    if measure.NAME == "SDCG":
        highest: int = measure["max_rel"] - measure["min_rel"]
        return highest
    return 4 if measure.NAME == "ERR" else None


def expression(measure: Measure, dcg: str | None = None) -> str:
    """The measure in the library's words; nDCG in this form, if one is given."""
    params = {
        name: value
        for name, value in measure.params.items()
        if name != measure.AT_PARAM and value is not NOT_PROVIDED
    }
    name = str(measure.NAME)
    if name == "nDCG" and dcg is not None:
        params["dcg"] = dcg
    if name == "SDCG":
        low, high = params.pop("min_rel", 0), params.pop("max_rel")
        if low:
            params["gains"] = {grade: max(grade - low, 0) for grade in range(high + 1)}
    elif name in ("INST", "INSQ", "NERR10", "NERR11"):
        # The user of cwl_eval stops there.
        params["depth"] = 1000
    shown = ",".join(f"{key}={_text(value)}" for key, value in params.items())
    text = f"{name}({shown})" if shown else name
    if measure.AT_PARAM in measure.params:
        text += f"@{measure.params[measure.AT_PARAM]}"
    return text


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{gain}" for key, gain in value.items()) + "}"
    return repr(value)


class RuntimeProvider(Provider):
    """Computes measures that are Python functions over data frames."""

    NAME = "runtime"

    def supports(self, measure: Measure) -> bool:
        measure.validate_params()
        return hasattr(measure, "runtime_impl")

    def _evaluator(self, measures: Iterable[Measure], qrels: object) -> Evaluator:
        frame = frame_of(qrels, qrel_rows, ["query_id", "doc_id", "relevance", "iteration"])
        if "query_id" not in frame.columns:
            found = frame.columns.to_list()
            raise ValueError(
                f"Required column query_id not found in qrels. Found columns was {found}"
            )
        by = ["query_id", *(["doc_id"] if "doc_id" in frame.columns else [])]
        return RuntimeEvaluator(measures, frame.sort_values(by=by))

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return list(
            {column for measure in measures for column in getattr(measure, "RUN_INPUTS", [])}
        )

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return list(
            {column for measure in measures for column in getattr(measure, "QREL_INPUTS", [])}
        )


class RuntimeEvaluator(Evaluator):
    """Calls the functions."""

    def __init__(self, measures: Iterable[Measure], qrels: Any) -> None:
        super().__init__(measures, set(qrels["query_id"].unique()))
        self.qrels = qrels

    def _iter_calc(self, run: object) -> Iterator[Any]:
        frame = frame_of(run, run_rows, ["query_id", "doc_id", "score"])
        if "query_id" not in frame.columns:
            found = frame.columns.to_list()
            raise ValueError(
                f"Required column query_id not found in run. Found columns was {found}"
            )
        if "score" in frame.columns:
            frame = frame.sort_values(by=["query_id", "score"], ascending=[True, False])
        else:
            frame = frame.sort_values(by=["query_id"])
        for measure in self.measures:
            yield from measure.runtime_impl(self.qrels, frame)  # type: ignore[attr-defined]


def define(
    impl: Callable[[Any, Any], Iterable[tuple[str, float]]],
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: list[str] | None = None,
    qrel_inputs: list[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure from a function of two data frames, judgements and run, to (topic, value) pairs."""

    class RuntimeMeasure(Measure):
        SUPPORTED_PARAMS = (
            {"cutoff": ParamInfo(int, desc="ranking cutoff threshold")} if support_cutoff else {}
        )
        NAME = name
        __name__ = name
        RUN_INPUTS = run_inputs if run_inputs is not None else ["query_id", "doc_id", "score"]
        QREL_INPUTS = (
            qrel_inputs if qrel_inputs is not None else ["query_id", "doc_id", "relevance"]
        )
        SHORT_DESC = short_desc
        PRETTY_NAME = pretty_name

        def runtime_impl(self, qrels: Any, run: Any) -> Iterator[Metric]:
            cutoff = self.params.get("cutoff")
            if cutoff is not None:
                run = run.groupby("query_id").head(cutoff).reset_index(drop=True)
            for query_id, value in impl(qrels, run):
                yield Metric(query_id, self, value)

        def __repr__(self) -> str:
            return super().__repr__() if self.NAME is not None else object.__repr__(self)

    return RuntimeMeasure()


def define_byquery(
    impl: Callable[[Any, Any], float],
    name: str | None = None,
    support_cutoff: bool = True,
    **more: Any,
) -> Measure:
    """A measure from a function that is called with the two data frames of one topic at a time."""

    def each(qrels: Any, run: Any) -> Iterator[tuple[str, float]]:
        for query_id, own in run.groupby("query_id"):
            yield query_id, impl(qrels[qrels["query_id"] == query_id], own)

    return define(each, name or getattr(impl, "__name__", repr(impl)), support_cutoff, **more)


class FallbackProvider(Provider):
    """Asks the first of its providers that computes a measure."""

    def __init__(self, providers: list[Provider]) -> None:
        self.providers = providers

    def _shared_out(self, measures: Iterable[Measure]) -> list[tuple[Provider, list[Measure]]]:
        left = list(dict.fromkeys(measures))
        shares: list[tuple[Provider, list[Measure]]] = []
        for provider in self.providers:
            own = [measure for measure in left if provider.supports(measure)]
            if own:
                shares.append((provider, own))
                left = [measure for measure in left if measure not in own]
        if left:
            raise ValueError(f"Unsupported measures {set(left)}.")
        return shares

    def _evaluator(self, measures: Iterable[Measure], qrels: object) -> Evaluator:
        measures = list(measures)
        shares = self._shared_out(measures)
        kept = _repeatable(qrels)
        evaluators = [provider.evaluator(own, kept) for provider, own in shares]
        if len(evaluators) == 1:
            return evaluators[0]
        return FallbackEvaluator(list(dict.fromkeys(measures)), evaluators)

    def supports(self, measure: Measure) -> bool:
        return any(provider.supports(measure) for provider in self.providers)

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        shares = self._shared_out(measures)
        return list({column for provider, own in shares for column in provider.run_inputs(own)})

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        shares = self._shared_out(measures)
        return list({column for provider, own in shares for column in provider.qrel_inputs(own)})


class FallbackEvaluator(Evaluator):
    """The evaluators of several providers."""

    def __init__(self, measures: list[Measure], evaluators: list[Evaluator]) -> None:
        super().__init__(measures, evaluators[0].qrel_qids if evaluators else set())
        self.evaluators = evaluators

    def _iter_calc(self, run: object) -> Iterator[Any]:
        kept = _repeatable(run)
        for evaluator in self.evaluators:
            yield from evaluator.iter_calc(kept)


def _repeatable(data: Any) -> Any:
    """What can be gone through more than once."""
    if isinstance(data, dict) or hasattr(data, "itertuples") or not hasattr(data, "__iter__"):
        return data
    return list(data)


#: A parameter that must be given.
REQUIRED: tuple[Any, ...] = ("required",)
_NONE = (NOT_PROVIDED,)
_GRADED: dict[str, tuple[Any, ...] | None] = {}
_SUBTOPICS = "ERR_IA nERR_IA alpha_DCG alpha_nDCG NRBP nNRBP AP_IA P_IA StRecall".split()

class PytrecEvalProvider(NativeProvider):
    """Computes the measures of pytrec_eval."""

    def __init__(self) -> None:
        graded = "P Rprec AP R Bpref NumRet NumQ SetAP SetF SetP SetR Success IPrec infAP".split()
        super().__init__(
            "pytrec_eval",
            Way("docid-desc", "f32"),
            {
                "RR": {"cutoff": _NONE},
                "nDCG": {"dcg": ("log2",)},
                "NumRel": {"rel": (1,)},
                **dict.fromkeys(graded, _GRADED),
            },
        )


pytrec_eval = PytrecEvalProvider()
cwl_eval = NativeProvider(
    "cwl_eval",
    Way("file", grades=_not_negative, depth=1000, by_row=True, found_alone=True),
    {
        "P": {"judged_only": (False,)},
        "RR": {"cutoff": _NONE, "judged_only": (False,)},
        "AP": {"cutoff": _NONE, "judged_only": (False,)},
        "RBP": {"cutoff": _NONE, "rel": REQUIRED},
        "SDCG": {"dcg": ("log2",)},
        **dict.fromkeys("BPM NERR8 NERR9 NERR10 NERR11 INST INSQ".split(), _GRADED),
    },
)
compat = NativeProvider("compat", Way("docid-asc", grades=_ideal), {"Compat": _GRADED})
pyndeval = NativeProvider(
    "pyndeval", Way("file", subtopics=True), dict.fromkeys(_SUBTOPICS, _GRADED)
)
judged = NativeProvider("judged", Way("docid-asc", grades=_not_negative), {"Judged": _GRADED})
msmarco = NativeProvider(
    "msmarco", Way("docid-asc", by_row=True), {"RR": {"judged_only": (False,)}}
)
gdeval = NativeProvider(
    "gdeval",
    Way("docid-desc", by_row=True, places=5, dcg="exp-log2"),
    {
        "nDCG": {"cutoff": REQUIRED, "dcg": ("exp-log2",), "gains": _NONE, "judged_only": (False,)},
        "ERR": {"cutoff": REQUIRED},
    },
)
accuracy = NativeProvider("accuracy", Way("file", only_defined=True), {"Accuracy": _GRADED})
runtime = RuntimeProvider()
registry: dict[str, Provider] = {
    provider.NAME: provider
    for provider in (
        accuracy, compat, cwl_eval, gdeval, judged, msmarco, pyndeval, pytrec_eval, runtime,
    )
}  # fmt: skip
