"""Measures as objects that compose: ``nDCG @ 10``, ``AP(rel=2)``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any


class _NotProvided:
    def __repr__(self) -> str:
        return "NOT_PROVIDED"


NOT_PROVIDED: Any = _NotProvided()


class Agg(ABC):
    """Makes one value of those of all topics."""

    @abstractmethod
    def add(self, value: float) -> None:
        """Takes the value of a topic."""

    @abstractmethod
    def result(self) -> float:
        """The value of all."""


class MeanAgg(Agg):
    """The mean; ``default`` of nothing."""

    def __init__(self, default: float = float("nan")) -> None:
        self.sum = 0.0
        self.count = 0
        self.default = default

    def add(self, value: float) -> None:
        self.sum += value
        self.count += 1

    def result(self) -> float:
        return self.sum / self.count if self.count else self.default


class SumAgg(Agg):
    """The sum."""

    def __init__(self) -> None:
        self.sum: float = 0

    def add(self, value: float) -> None:
        self.sum += value

    def result(self) -> float:
        return self.sum


class ParamInfo:
    """What a parameter may be."""

    def __init__(
        self,
        dtype: type | None = None,
        required: bool = False,
        choices: Any = NOT_PROVIDED,
        default: Any = NOT_PROVIDED,
        desc: str | None = None,
    ) -> None:
        self.dtype = dtype
        self.required = required
        self.choices = choices
        self.default = default
        self.desc = desc

    def validate(self, value: Any) -> bool:
        """Whether a value fits."""
        if value is NOT_PROVIDED:
            return not self.required
        if self.dtype is not None and not isinstance(value, self.dtype):
            return False
        return self.choices is NOT_PROVIDED or value in self.choices


class Measure:
    """A measure with its parameters."""

    NAME: str | None = None
    PRETTY_NAME: str | None = None
    SHORT_DESC: str | None = None
    AT_PARAM = "cutoff"
    SUPPORTED_PARAMS: dict[str, ParamInfo] = {}
    DEFAULT: float = 0.0
    __name__: str | None = None

    def __init__(self, **params: Any) -> None:
        self.params = params
        self.validated = False

    def validate_params(self) -> None:
        """An AssertionError if a parameter is unknown, missing, or of a wrong type."""
        if self.validated:
            return
        unknown = list(self.params.keys() - self.SUPPORTED_PARAMS.keys())
        assert len(unknown) == 0, f"unsupported params found: {unknown}"
        for name, info in self.SUPPORTED_PARAMS.items():
            value = self.params.get(name, NOT_PROVIDED)
            assert info.validate(value), f"invalid param {name}={value!r}"
        self.validated = True

    def __call__(self, **params: Any) -> Measure:
        return type(self)(**{**self.params, **params})

    def __matmul__(self, at: Any) -> Measure:
        return self(**{self.AT_PARAM: at})

    def __getitem__(self, name: str) -> Any:
        return self.params.get(name, self.SUPPORTED_PARAMS[name].default)

    def iter_calc(self, qrels: object, run: object) -> Iterator[Any]:
        """Values by topic."""
        from . import iter_calc

        self.validate_params()
        return iter_calc([self], qrels, run)

    def calc_aggregate(self, qrels: object, run: object) -> float:
        """The value of all topics."""
        from . import calc_aggregate

        value: float = calc_aggregate([self], qrels, run)[self]
        return value

    def calc(self, qrels: object, run: object) -> Any:
        """The value of all topics, and those of each."""
        from . import calc
        from .util import CalcResults

        aggregated, per_query = calc([self], qrels, run)
        return CalcResults(aggregated[self], per_query)

    def evaluator(self, qrels: object) -> Any:
        """An evaluator of several runs."""
        from . import evaluator

        return evaluator([self], qrels)

    def aggregator(self) -> Agg:
        """What makes one value of those of all topics."""
        return MeanAgg()

    def __repr__(self) -> str:
        shown = ",".join(
            f"{name}={_shown(value)}"
            for name, value in self.params.items()
            if name != self.AT_PARAM and value != self.SUPPORTED_PARAMS[name].default
        )
        text = f"{self.__name__}({shown})" if shown else str(self.__name__)
        return f"{text}@{self.params[self.AT_PARAM]}" if self.AT_PARAM in self.params else text

    def __str__(self) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{v}" for k, v in sorted(value.items()) if k != v) + "}"
    return repr(value)


BaseMeasure = Measure
registry: dict[str, Measure] = {}


def register(
    measure: Measure, aliases: list[str] | None = None, name: str | None = None
) -> dict[str, Measure]:
    """Makes a measure known by its name, and by others."""
    for known in [name or measure.__name__ or "", *(aliases or [])]:
        assert known not in registry
        registry[known] = measure
    return registry


_CUTOFF = ParamInfo(int, desc="ranking cutoff threshold")
_CUTOFF_REQUIRED = ParamInfo(int, required=True, desc="ranking cutoff threshold")
_REL = ParamInfo(int, default=1, desc="minimum relevance score to be considered relevant")
_REL_OPTIONAL = ParamInfo(int, desc="minimum relevance score to be counted")
_JUDGED = ParamInfo(bool, default=False, desc="ignore documents without judgements")
_MIN = ParamInfo(int, default=0, desc="minimum relevance score")
_MAX = ParamInfo(int, required=True, desc="maximum relevance score")
_GOAL = ParamInfo(float, default=1.0, desc="total desired gain (normalized)")
_DCG = ParamInfo(str, choices=["log2", "exp-log2"], default="log2", desc="DCG formulation")
_LOG2 = ParamInfo(str, choices=["log2"], default="log2", desc="DCG formulation")
_GAINS = ParamInfo(dict, desc="custom gain mapping")
_ALPHA = ParamInfo(float, default=0.5, desc="redundancy intolerance")
_BETA = ParamInfo(float, default=0.5, desc="patience")


def _p(default: float) -> ParamInfo:
    return ParamInfo(float, default=default, desc="persistence")


def _measure(
    name: str,
    title: str,
    aliases: tuple[str, ...] = (),
    at: str = "cutoff",
    total: bool = False,
    default: float = 0.0,
    **params: ParamInfo,
) -> Measure:
    """A measure of the list: its class, registered under its names."""
    members: dict[str, Any] = {
        "__name__": name,
        "NAME": name,
        "PRETTY_NAME": title,
        "SHORT_DESC": title,
        "AT_PARAM": at,
        "SUPPORTED_PARAMS": params,
        "DEFAULT": default,
        "__doc__": title,
        "__module__": __name__,
    }
    if total:
        members["aggregator"] = lambda self: SumAgg()
    measure: Measure = type(f"_{name}", (Measure,), members)()
    register(measure, list(aliases))
    return measure


Accuracy = _measure("Accuracy", "Accuracy", cutoff=_CUTOFF, rel=_REL)
AP = MAP = _measure(
    "AP", "Average precision", ("MAP",), cutoff=_CUTOFF, rel=_REL, judged_only=_JUDGED
)
BPM = _measure(
    "BPM", "Bejeweled player model", T=_GOAL, min_rel=_MIN, max_rel=_MAX, cutoff=_CUTOFF_REQUIRED
)
Bpref = BPref = _measure("Bpref", "Binary preference", ("BPref",), rel=_REL)
Compat = _measure(
    "Compat",
    "Compatibility",
    p=_p(0.95),
    normalize=ParamInfo(bool, default=True, desc="apply normalization"),
)
ERR_IA = _measure("ERR_IA", "Intent-aware ERR", cutoff=_CUTOFF, rel=_REL, judged_only=_JUDGED)
nERR_IA = _measure(
    "nERR_IA", "Intent-aware normalised ERR", cutoff=_CUTOFF, rel=_REL, judged_only=_JUDGED
)
alpha_DCG = _measure(
    "alpha_DCG",
    "Alpha DCG",
    ("α_DCG",),
    cutoff=_CUTOFF,
    rel=_REL,
    alpha=_ALPHA,
    judged_only=_JUDGED,
)
alpha_nDCG = _measure(
    "alpha_nDCG",
    "Alpha nDCG",
    ("α_nDCG",),
    cutoff=_CUTOFF,
    rel=_REL,
    alpha=_ALPHA,
    judged_only=_JUDGED,
)
α_DCG = alpha_DCG
α_nDCG = alpha_nDCG
NRBP = _measure("NRBP", "Novelty- and rank-biased precision", rel=_REL, alpha=_ALPHA, beta=_BETA)
nNRBP = _measure("nNRBP", "Normalised NRBP", rel=_REL, alpha=_ALPHA, beta=_BETA)
AP_IA = MAP_IA = _measure("AP_IA", "Intent-aware AP", ("MAP_IA",), rel=_REL, judged_only=_JUDGED)
P_IA = _measure("P_IA", "Intent-aware precision", cutoff=_CUTOFF, rel=_REL, judged_only=_JUDGED)
StRecall = _measure("StRecall", "Subtopic recall", cutoff=_CUTOFF, rel=_REL)
ERR = _measure("ERR", "Expected reciprocal rank", cutoff=_CUTOFF)
INST = _measure("INST", "INST", T=_GOAL, min_rel=_MIN, max_rel=_MAX)
INSQ = _measure("INSQ", "INSQ", T=_GOAL, min_rel=_MIN, max_rel=_MAX)
infAP = _measure("infAP", "Inferred AP", rel=_REL)
IPrec = _measure(
    "IPrec",
    "Interpolated precision at recall",
    at="recall",
    recall=ParamInfo(float, required=True, desc="recall threshold"),
    rel=_REL,
    judged_only=_JUDGED,
)
Judged = _measure("Judged", "Share of judged documents", cutoff=_CUTOFF)
nDCG = NDCG = _measure(
    "nDCG", "Normalized DCG", ("NDCG",), cutoff=_CUTOFF, dcg=_DCG, gains=_GAINS, judged_only=_JUDGED
)
NERR8 = _measure(
    "NERR8", "Nearly ERR, equation 8", cutoff=_CUTOFF_REQUIRED, min_rel=_MIN, max_rel=_MAX
)
NERR9 = _measure(
    "NERR9", "Nearly ERR, equation 9", cutoff=_CUTOFF_REQUIRED, min_rel=_MIN, max_rel=_MAX
)
NERR10 = _measure("NERR10", "Nearly ERR, equation 10", p=_p(0.9), min_rel=_MIN, max_rel=_MAX)
NERR11 = _measure("NERR11", "Nearly ERR, equation 11", T=_GOAL, min_rel=_MIN, max_rel=_MAX)
NumQ = _measure("NumQ", "Number of queries", total=True)
NumRel = _measure("NumRel", "Number of relevant documents", total=True, rel=_REL)
NumRet = _measure("NumRet", "Number of retrieved documents", total=True, rel=_REL_OPTIONAL)
NumRelRet = NumRet(rel=1)
register(NumRelRet, name="NumRelRet")
P = Precision = _measure(
    "P", "Precision", ("Precision",), cutoff=_CUTOFF_REQUIRED, rel=_REL, judged_only=_JUDGED
)
R = Recall = _measure(
    "R", "Recall", ("Recall",), cutoff=_CUTOFF_REQUIRED, rel=_REL, judged_only=_JUDGED
)
RBP = _measure("RBP", "Rank-biased precision", cutoff=_CUTOFF, p=_p(0.8), rel=_REL_OPTIONAL)
Rprec = RPrec = _measure("Rprec", "Precision at R", ("RPrec",), rel=_REL, judged_only=_JUDGED)
RR = MRR = _measure(
    "RR", "Reciprocal rank", ("MRR",), cutoff=_CUTOFF, rel=_REL, judged_only=_JUDGED
)
SDCG = _measure(
    "SDCG", "Scaled DCG", cutoff=_CUTOFF_REQUIRED, dcg=_LOG2, min_rel=_MIN, max_rel=_MAX
)
SetP = _measure(
    "SetP",
    "Set precision",
    rel=_REL,
    relative=ParamInfo(bool, default=False, desc="divide by the highest that there could be"),
    judged_only=_JUDGED,
)
SetRelP = SetP(relative=True)
register(SetRelP, name="SetRelP")
SetR = _measure("SetR", "Set recall", rel=_REL)
SetF = _measure(
    "SetF",
    "Set F",
    rel=_REL,
    beta=ParamInfo(float, default=1.0, desc="relative importance of R to P"),
    judged_only=_JUDGED,
)
SetAP = _measure("SetAP", "Set AP", rel=_REL, judged_only=_JUDGED)
Success = _measure("Success", "Success", cutoff=_CUTOFF_REQUIRED, rel=_REL, judged_only=_JUDGED)
