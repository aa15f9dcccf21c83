//! What people type today, and the measure that it is.

use super::*;

fn canonical(text: &str) -> String {
    parse_list(text).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn trec_eval() {
    for (typed, measure) in [
        ("num_q num_ret num_rel num_rel_ret", "NumQ NumRet NumRel NumRet(rel=1)"),
        ("num_nonrel_judged_ret", "NumNonrelRet"),
        ("map gm_map Rprec bpref gm_bpref recip_rank", "AP GMAP RPrec Bpref GMBpref RR"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("iprec_at_recall.0,.1,1", "IPrec@0 IPrec@0.1 IPrec@1"),
        ("P.5,10 P_20 recall_100 success_1", "P@5 P@10 P@20 R@100 Success@1"),
        ("infAP", "infAP"),
        (
            "Rprec_mult_0.20 Rprec_mult.0.2,1.4",
            "RPrecMult(m=0.2) RPrecMult(m=0.2) RPrecMult(m=1.4)",
        ),
        ("utility 11pt_avg", "Utility IPrec11"),
        (
            "ndcg ndcg_cut_10 ndcg_rel Rndcg G binG dcg ideal_dcg",
            "nDCG nDCG@10 ndcg_rel Rndcg G binG DCG IDCG",
        ),
        ("map_cut.10", "AP@10"),
        ("relative_P_5 relative_P.5,10", "RelP@5 RelP@5 RelP@10"),
        (
            "set_P set_recall set_relative_P set_map set_F",
            "SetP SetR SetP(relative=true) SetAP SetF",
        ),
        (
            "yaap rbp rbp_0.95 unj_5 unj.10,20",
            "yaAP RBP(p=0.9) RBP(p=0.95) Unjudged@5 Unjudged@10 Unjudged@20",
        ),
    ] {
        assert_eq!(canonical(typed), measure, "{typed}");
    }
}

#[test]
fn ir_measures() {
    for typed in [
        "Accuracy",
        "Accuracy(rel=2)@10",
        "BPM(T=1,min_rel=0,max_rel=3)@10",
        "Bpref(rel=2)",
        "Compat(p=0.8)",
        "ERR@20",
        "infAP(rel=2)",
        "INSQ(T=2,max_rel=3)",
        "INST(T=1,min_rel=0,max_rel=3)",
        "IPrec@0.1",
        "IPrec(rel=2)@0.25",
        "Judged",
        "Judged@10",
        "NERR8(max_rel=3)@20",
        "NERR9(min_rel=0,max_rel=3)@20",
        "NERR10(p=0.9,max_rel=3)",
        "NERR11(T=1,max_rel=3)",
        "NumQ",
        "NumRel(rel=2)",
        "NumRet(rel=2)",
        "SetAP(rel=2)",
        "SetF(beta=2)",
        "SetF(beta=2,judged_only=true)",
        "SetP(rel=2)",
        "SetR",
    ] {
        assert_eq!(canonical(typed), typed);
    }
    assert_eq!(
        canonical("SetRelP NumRelRet IPrec(0.5) Compat(normalize=False)"),
        "SetP(relative=true) NumRet(rel=1) IPrec@0.5 Compat(normalize=false)"
    );
    assert_eq!(canonical("ERR(max_grade=4)@20 INST(2)"), "ERR(max_rel=4)@20 INST(T=2)");
}

#[test]
fn ranx() {
    for (typed, measure) in [
        ("hits@10 hit_rate@10 precision@5 recall@100", "NumRet(rel=1)@10 Success@10 P@5 R@100"),
        ("f1@10 f1@10-l2", "F@10 F(rel=2)@10"),
        ("ndcg@10-l2 dcg_burges-l2", "nDCG(rel=2)@10 DCG(dcg=exp-log2,rel=2)"),
        ("r_precision r-precision mrr map@100", "RPrec RPrec RR AP@100"),
        (
            "dcg@10 dcg_burges@10 ndcg@10 ndcg_burges@10",
            "DCG@10 DCG(dcg=exp-log2)@10 nDCG@10 nDCG(dcg=exp-log2)@10",
        ),
        ("bpref bpref-l2 rbp.95 rbp.95-l2", "Bpref Bpref(rel=2) RBP(p=0.95) RBP(p=0.95,rel=2)"),
    ] {
        assert_eq!(canonical(typed), measure, "{typed}");
    }
}

#[test]
fn cwl_eval() {
    for (printed, measure) in [
        ("P@5 RR AP", "P@5 RR AP"),
        ("RBP@0.9 RBP@10", "RBP(p=0.9) RBP@10"),
        ("NDCG-k@10", "SDCG@10"),
        ("INSQ-T=1.0 INST-T=2.0", "INSQ(T=1,depth=1000) INST(T=2,depth=1000)"),
        ("TBG-H@22 U-L@6300", "TBG(halflife=22,depth=1000) U(L=6300,depth=999)"),
        ("NPV-r@0.1", "NPV(rate=0.1,depth=1000)"),
        ("BPM-Static-T=1.0-K=10 BPM-Static-T=2-K=5.0", "BPM(T=1)@10 BPM(T=2)@5"),
        ("IFT-C1-T=2.0-b1=0.9-R1=10", "IFT(T=2,b1=0.9,R1=10,form=goal)"),
        ("IFT-C2-A=0.2-b2=0.9-R2=1e-05", "IFT(A=0.2,b2=0.9,R2=0.00001,form=rate)"),
        (
            "IFT-C1-C2-T=2-b1=0.9-R1=10-A=0.2-b2=0.9-R2=1",
            "IFT(T=2,b1=0.9,R1=10,A=0.2,b2=0.9,R2=1,form=both)",
        ),
        ("NERR-EQ8@k=9 NERR-EQ9@k=9", "NERR8@9 NERR9@9"),
        ("NERR-EQ10@phi=0.9 NERR-EQ11@T=1.0", "NERR10(p=0.9,depth=1000) NERR11(T=1,depth=1000)"),
        ("SET-k@10-b@0.5", "CWL(c='((i + 2)^0.5 - (i + 1)^0.5) / ((i + 1)^0.5 - i^0.5)',depth=10)"),
    ] {
        assert_eq!(canonical(printed), measure, "{printed}");
        let titles: Vec<String> = parse_list(printed).unwrap().iter().map(Metric::title).collect();
        assert_eq!(titles.join(" "), printed);
    }
}

#[test]
fn refused() {
    for (typed, because) in [
        ("IPrec", "needs a recall"),
        ("IPrec@2", "from 0 to 1"),
        ("Utility(d=1)", "docs"),
        ("INST(T=0.2)", "from 0.5"),
        ("BPM", "needs a cutoff"),
        ("NERR8(min_rel=2,max_rel=1)@5", "above min_rel"),
        ("set_F.4", "unknown measure"),
        ("SetP@5", "takes no cutoff"),
        ("INST-T=0.2", "from 0.5"),
        ("RBP@0", "cutoff"),
        ("BPM-Dynamic-T=1-K=10-hb=1.0-hc=1.0", "gain_med"),
    ] {
        let error = parse(typed).unwrap_err().to_string();
        assert!(error.contains(because), "{typed}: {error}");
    }
}
