"""In place of ``ir_measures``: change the import, keep the calls.

>>> from axiometrics.compat import ir_measures
>>> from axiometrics.compat.ir_measures import nDCG, AP, RR
>>> qrels = {"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}}
>>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d9": 0.5, "d2": 0.4}}
>>> ir_measures.calc_aggregate([RR, AP(rel=2)], qrels, run)[RR]
0.75

Nothing else has to be installed. Measures are computed by one library, in the order of equal scores
that the original's tool for a measure has: by descending id for those of pytrec_eval, by ascending
id for ``RR@k``, ``Judged`` and ``Compat``, in the order of the run for those of cwl_eval.
"""

from __future__ import annotations

from . import measures, providers, util
from .by_ranx import ranx
from .measures import (
    AP,
    AP_IA,
    BPM,
    ERR,
    ERR_IA,
    INSQ,
    INST,
    MAP,
    MAP_IA,
    MRR,
    NDCG,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    NRBP,
    P_IA,
    RBP,
    RR,
    SDCG,
    Accuracy,
    BaseMeasure,
    BPref,
    Bpref,
    Compat,
    IPrec,
    Judged,
    MeanAgg,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    ParamInfo,
    Precision,
    R,
    Recall,
    RPrec,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    StRecall,
    Success,
    SumAgg,
    alpha_DCG,
    alpha_nDCG,
    infAP,
    nDCG,
    nERR_IA,
    nNRBP,
    α_DCG,
    α_nDCG,
)  # fmt: skip
from .providers import (
    Evaluator,
    FallbackProvider,
    Provider,
    accuracy,
    compat,
    cwl_eval,
    define,
    define_byquery,
    gdeval,
    judged,
    msmarco,
    pyndeval,
    pytrec_eval,
    runtime,
)  # fmt: skip
from .util import (
    CalcResults,
    Metric,
    Qrel,
    ScoredDoc,
    parse_measure,
    parse_trec_measure,
    read_trec_qrels,
    read_trec_run,
)

providers.registry[ranx.NAME] = ranx
DefaultPipeline = FallbackProvider(
    [runtime, pytrec_eval, cwl_eval, compat, pyndeval, judged, msmarco, gdeval, accuracy, ranx]
)
evaluator = DefaultPipeline.evaluator
iter_calc = DefaultPipeline.iter_calc
calc_aggregate = DefaultPipeline.calc_aggregate
calc = DefaultPipeline.calc
run_inputs = DefaultPipeline.run_inputs
qrel_inputs = DefaultPipeline.qrel_inputs

__all__ = [
    "AP", "AP_IA", "BPM", "ERR", "ERR_IA", "INSQ", "INST", "MAP", "MAP_IA", "MRR", "NDCG", "NERR10",
    "NERR11", "NERR8", "NERR9", "NRBP", "P_IA", "RBP", "RR", "SDCG", "Accuracy", "BPref",
    "BaseMeasure", "Bpref", "CalcResults", "Compat", "DefaultPipeline", "Evaluator", "IPrec",
    "Judged", "MeanAgg", "Measure", "Metric", "NumQ", "NumRel", "NumRelRet", "NumRet", "P",
    "ParamInfo", "Precision", "Provider", "Qrel", "R", "RPrec", "Recall", "Rprec", "ScoredDoc",
    "SetAP", "SetF", "SetP", "SetR", "SetRelP", "StRecall", "Success", "SumAgg", "accuracy",
    "alpha_DCG", "alpha_nDCG", "calc", "calc_aggregate", "compat", "cwl_eval", "define",
    "define_byquery", "evaluator", "gdeval", "infAP", "iter_calc", "judged", "measures", "msmarco",
    "nDCG", "nERR_IA", "nNRBP", "parse_measure", "parse_trec_measure", "providers", "pyndeval",
    "pytrec_eval", "qrel_inputs", "ranx", "read_trec_qrels", "read_trec_run", "run_inputs", "runtime",
    "util", "α_DCG", "α_nDCG",
]  # fmt: skip
