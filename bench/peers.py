"""The peers, each from file to printed scores of the five measures, per topic and mean: peers.py NAME QRELS RUN."""

import sys

MEASURES = ["ndcg_cut_10", "map", "recip_rank", "P_10", "recall_1000"]


def pytrec_eval(qrels, run):
    import pytrec_eval

    with open(qrels) as q, open(run) as r:
        judged, ranked = pytrec_eval.parse_qrel(q), pytrec_eval.parse_run(r)
    scores = pytrec_eval.RelevanceEvaluator(judged, set(MEASURES)).evaluate(ranked)
    for measure in MEASURES:
        for topic, values in scores.items():
            print(topic, measure, values[measure])
        print("all", measure, sum(v[measure] for v in scores.values()) / len(scores))


def ir_measures(qrels, run):
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    measures = [nDCG @ 10, AP, RR @ 10, P @ 10, R @ 1000]
    result = ir_measures.calc(measures, ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run))
    for metric in result.per_query:
        print(metric.query_id, metric.measure, metric.value)
    print(result.aggregated)


def ranx(qrels, run):
    from ranx import Qrels, Run, evaluate

    judged, ranked = Qrels.from_file(qrels, kind="trec"), Run.from_file(run, kind="trec")
    names = ["ndcg@10", "map", "mrr@10", "precision@10", "recall@1000"]
    means = evaluate(judged, ranked, names, make_comparable=True)
    for name, topics in ranked.scores.items():
        for topic, value in topics.items():
            print(topic, name, value)
    print(means)


if __name__ == "__main__":
    {"pytrec_eval": pytrec_eval, "ir_measures": ir_measures, "ranx": ranx}[sys.argv[1]](*sys.argv[2:])
