//! Labels in place of grades: the declared scale decides, whatever was seen of it.

use crate::support::{axio_in, folder};

/// No document is Perfect.
const SCALE: [&str; 5] = ["None", "Low", "High", "Very High", "Perfect"];

/// Judgements between tabs, with labels or with their numbers.
fn judgements(labels: bool) -> Vec<u8> {
    let rows =
        [("1", "a", 2), ("1", "b", 0), ("1", "c", 3), ("2", "a", 1), ("2", "d", 3), ("3", "b", 2)];
    let grade = |grade: usize| if labels { SCALE[grade].to_string() } else { grade.to_string() };
    let rows = rows.map(|(topic, doc, of)| format!("{topic}\t0\t{doc}\t{}\n", grade(of)));
    rows.concat().into_bytes()
}

const A: &[u8] = b"1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 c 3 1 x\n2 Q0 d 1 2 x\n2 Q0 a 2 1 x\n3 Q0 a 1 2 x\n3 Q0 b 2 1 x\n";
const B: &[u8] = b"1 Q0 c 1 3 x\n1 Q0 a 2 2 x\n2 Q0 b 1 2 x\n2 Q0 a 2 1 x\n3 Q0 b 1 2 x\n";

/// Every command answers about labels as about the numbers that they stand for, of which the
/// highest is that of the scale.
#[test]
fn the_declared_scale_decides_the_highest_grade() {
    let labelled = folder(&[("q", &judgements(true)), ("a", A), ("b", B)]);
    let numbered = folder(&[("q", &judgements(false)), ("a", A), ("b", B)]);
    let scale = SCALE.join(",");
    let measures = "RBP HIT@5 ERR nERR BPM(T=2)@5 GAP INST(T=2) nDCG@5 SDCG@3";
    for (args, expected) in [
        (&["eval", "q", "a", "b", "--per-topic", "--format", "tsv", "-m", measures][..], "\t"),
        (&["eval", "q", "a", "--ranges", "-m", measures], "max grade 4"),
        (&["compare", "q", "a", "b", "-m", "RBP ERR"], "max grade 4"),
        (&["gate", "q", "b", "--baseline", "a", "--max-drop", "RBP=0.5"], "RBP"),
        (&["explain", "ERR", "q", "a", "--topic", "1"], "max grade 4"),
        (&["explain", "RBP", "--ranking", "2 0 1"], "max grade 4"),
    ] {
        let found = axio_in(labelled.path(), &[args, &["--labels", &scale]].concat());
        let same = axio_in(numbered.path(), &[args, &["--max-grade", "4"]].concat());
        assert_eq!(
            (&found.stdout, found.code),
            (&same.stdout, same.code),
            "{args:?}: {found} {same}"
        );
        assert!(found.stdout.contains(expected), "{args:?}: {found}");
        assert!(found.code != 2, "{args:?}: {found}");
    }
    // Grade 2 of 4 at rank 1: 0.5 * 2/4.
    let text = axio_in(
        labelled.path(),
        &[
            "eval",
            "q",
            "a",
            "--per-topic",
            "--format",
            "tsv",
            "-m",
            "RBP(p=0.5)@1",
            "--labels",
            &scale,
        ],
    )
    .stdout;
    assert!(text.lines().any(|line| line.ends_with("1\t0.25")), "{text}");
}

#[test]
fn labels_with_spaces_are_read_from_tables_and_named_by_measures() {
    let files = folder(&[
        ("q.csv", b"qid,relevance,docno\n1,Very High,a\n1,\"Low\",b\n1,None,c\n"),
        ("q.tsv", b"1\t0\ta\tVery High\n1\t0\tb\tLow\n1\t0\tc\tNone\n"),
        ("q", b"1 0 a 2\n1 0 b 1\n1 0 c 0\n"),
        ("r", b"1 Q0 b 1 3 x\n1 Q0 a 2 2 x\n1 Q0 c 3 1 x\n"),
    ]);
    let labelled = "RBP(gains={Low:0.25,Very High:1},p=0.5) P(rel=Very High)@2 nDCG@3";
    let numbered = "RBP(gains={1:0.25,2:1},p=0.5) P(rel=2)@2 nDCG@3";
    let value = |qrels: &str, measures: &str| {
        let labels = ["--labels", "None,Low,Very High"];
        let args = ["eval", qrels, "r", "-q", "--format", "tsv", "-m", measures];
        let called = axio_in(files.path(), &[&args[..], &labels].concat());
        assert_eq!(called.code, 0, "{called}");
        called.stdout
    };
    let expected = value("q", numbered);
    // 0.5 * (0.25 + 0.5), and one of two.
    assert!(expected.contains("\t0.375") && expected.contains("\t0.5\n"), "{expected}");
    assert_eq!(value("q.csv", labelled), expected);
    assert_eq!(value("q.tsv", labelled), expected);
}

/// Maddalena and Mizzaro, figure 2a: the assessor has the categories A and B, the system A to D, of
/// which A and B agree with the assessor's A, and C and D with B.
#[test]
fn a_run_may_have_a_scale_of_its_own() {
    const MARKED: &[u8] = b"[alpha]\nscale = \"ranked-categories\"\nlevels = [\"A\", \"B\"]\n\
        [sigma]\nscale = \"ranked-categories\"\nlevels = [\"A\", \"B\"]\nread = \"score\"\n\
        [sets]\nJudged = \"judged(d)\"\n[sim]\nexpr = \"if(a == s, 1, 0)\"\n\
        [avgD]\nover = \"Judged\"\nagg = \"mean\"\n";
    let run = |marks: [&str; 4]| {
        let lines = "abcd".chars().zip(marks).map(|(doc, mark)| format!("1 Q0 {doc} 1 {mark} x\n"));
        lines.collect::<String>().into_bytes()
    };
    let files = folder(&[
        ("marked.toml", MARKED),
        ("q", b"1 0 a A\n1 0 b A\n1 0 c B\n1 0 d B\n"),
        // One mistake in each; where within the category, makes no difference.
        ("r", &run(["A", "B", "C", "A"])),
        ("within", &run(["B", "A", "D", "B"])),
        ("across", &run(["A", "B", "C", "D"])),
    ]);
    let called = axio_in(
        files.path(),
        &[
            "eval",
            "q",
            "r",
            "within",
            "across",
            "-q",
            "--format",
            "tsv",
            "-m",
            "marked.toml",
            "--labels",
            "A,B",
            "--run-labels",
            "A=0,B=0,C=1,D=1",
        ],
    );
    let values: Vec<&str> =
        called.stdout.lines().skip(1).filter_map(|line| line.rsplit('\t').next()).collect();
    assert_eq!(values, ["0.75", "0.75", "1"], "{called}");
    let wrong = axio_in(files.path(), &["eval", "q", "r", "--labels", "A=x"]);
    assert_eq!(wrong.code, 2, "{wrong}");
    assert!(wrong.stderr.contains("expected a number for the grade"), "{wrong}");
}
