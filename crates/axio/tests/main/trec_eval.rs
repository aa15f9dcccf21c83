//! `axio trec_eval` against trec_eval's own tests, byte for byte, and by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const AXIO: &str = env!("CARGO_BIN_EXE_axio");

fn trec_eval(folder: &Path, args: &str) -> Output {
    Command::new(AXIO)
        .arg("trec_eval")
        .args(args.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The folder of trec_eval's own tests.
fn shared() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/trec_eval")
}

#[test]
#[ignore = "needs ../shared/data: the fifteen tests of trec_eval 10, byte for byte"]
fn the_fifteen_tests_of_trec_eval_byte_for_byte() {
    let folder = shared();
    for (args, expected) in [
        ("qrels.test results.test", "out.test"),
        ("qrels.test.with-comments results.test", "out.test"),
        ("qrels.comment.test results.comment.test", "out.comment.test"),
        ("-m all_trec qrels.test results.test", "out.test.a"),
        ("-m all_trec -q qrels.test results.test", "out.test.aq"),
        ("-m all_trec -q -c qrels.test results.trunc", "out.test.aqc"),
        ("-m all_trec -q -c -M100 qrels.test results.trunc", "out.test.aqcM"),
        ("-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test", "out.test.aql"),
        ("-m all_prefs -q -R prefs prefs.test prefs.results.test", "out.test.prefs"),
        ("-m all_prefs -q -R prefs prefs.comment.test prefs.results.test", "out.test.prefs"),
        ("-m all_prefs -q -R qrels_prefs qrels.test results.test", "out.test.qrels_prefs"),
        ("-m qrels_jg -q -R qrels_jg qrels.123 results.test", "out.test.qrels_jg"),
        ("-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test", "out.test.qrels_jg"),
        (
            "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 \
             -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 qrels.test results.test",
            "out.test.meas_params",
        ),
        ("-q -m all_trec -Z zscores_file qrels.test results.test", "out.test.aqZ"),
    ] {
        let output = trec_eval(&folder, args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        let expected = fs::read(folder.join(expected)).unwrap();
        assert!(output.stdout == expected, "{args} does not print the expected bytes");
    }
}

/// Topics 1 and 2 in both files, 3 only judged, 9 only retrieved. In topic 2 document d was pooled
/// and not assessed.
const QRELS: &str = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d -1\n3 0 e 1\n";
const RUN: &str = "\
1 Q0 a 1 3.0 tag
1 Q0 x 2 2.0 tag
1 Q0 c 3 1.0 tag
2 Q0 d 1 2.0 tag
2 Q0 a 2 1.0 tag
9 Q0 a 1 1.0 last
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("qrels", QRELS), ("run", RUN)].iter().chain(files) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Lines as `measure topic value`.
fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[track_caller]
fn check(args: &str, expected: &[&str]) {
    let folder = folder(&[]);
    assert_eq!(lines(&trec_eval(folder.path(), &format!("{args} qrels run"))), expected, "{args}");
}

/// The exit code, and what standard error says; nothing is printed.
#[track_caller]
fn fails(folder: &Path, args: &str, code: i32, message: &str) {
    let output = trec_eval(folder, args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args}: {error}");
    assert!(error.contains(message), "{args}: {error}");
    assert!(output.stdout.is_empty(), "{args}");
}

#[test]
fn the_form_of_a_line() {
    let folder = folder(&[]);
    let output = trec_eval(folder.path(), "-q -m map -m num_ret -m runid qrels run");
    let expected = "num_ret               \t1\t3\nmap                   \t1\t0.8333\nnum_ret               \t2\t2\nmap                   \t2\t0.5000\n\
                    runid                 \tall\tlast\nnum_ret               \tall\t5\nmap                   \tall\t0.6667\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn missing_topics_count_only_with_c() {
    check("-m num_q -m map -m num_rel", &["num_q all 2", "num_rel all 3", "map all 0.6667"]);
    check("-c -m num_q -m map -m num_rel", &["num_q all 3", "num_rel all 4", "map all 0.4444"]);
    // A missing topic has no residual, and its yaap is that of an empty ranking: ln(1/2).
    check(
        "-c -q -n -D 0.3 -m rbp_resid -m yaap -m num_ret",
        &["num_ret 3 0", "yaap 3 -0.6931", "rbp_resid 3 0.0000"],
    );
}

#[test]
fn depth_level_and_judged_documents_only() {
    check(
        "-M1 -q -n -m map -m num_ret",
        &["num_ret 1 1", "map 1 0.5000", "num_ret 2 1", "map 2 0.0000"],
    );
    check(
        "-l2 -q -n -m map -m num_rel",
        &["num_rel 1 1", "map 1 1.0000", "num_rel 2 0", "map 2 0.0000"],
    );
    check(
        "-J -q -n -m map -m num_ret",
        &["num_ret 1 2", "map 1 1.0000", "num_ret 2 1", "map 2 1.0000"],
    );
    // Depth first, then the condensed list.
    check("-J -M2 -q -n -m num_ret", &["num_ret 1 1", "num_ret 2 1"]);
    check("-D 1.2 -q -m map", &["map 2 0.5000", "map all 0.5000"]);
}

#[test]
fn the_size_of_the_collection() {
    // Of 10 documents 3 are retrieved in topic 1 and 2 in topic 2, all relevant ones among them.
    check(
        "-N10 -q -n -m utility.0,0,0,1",
        &["utility_0,0,0,1 1 7.0000", "utility_0,0,0,1 2 8.0000"],
    );
    check("-q -n -m utility", &["utility 1 1.0000", "utility 2 0.0000"]);
}

#[test]
fn parameters_of_measures() {
    check("-n -q -D 0.1 -m P.3,1", &["P_1 1 1.0000", "P_3 1 0.6667"]);
    // A repeated measure adds, and leaves the usual cutoffs out.
    check("-n -q -D 0.1 -m P.3 -m P -m P.1,3", &["P_1 1 1.0000", "P_3 1 0.6667"]);
    check("-n -q -D 0.1 -m relstring -m relstring.2", &["relstring_2 1 '2-'"]);
    check("-n -q -m relstring", &["relstring 1 '2-1'", "relstring 2 '.1'"]);
    // x is beta squared: P = 2/3, R = 1: 5 P R / (4 P + R) = (10/3) / (11/3).
    check("-n -q -D 0.1 -m set_F.4", &["set_F_4 1 0.9091"]);
    // (3 + 9 / 2) / (9 + 3 * 0.6309).
    check("-n -q -D 0.1 -m ndcg.1=9,2=3", &["ndcg_1=9,2=3 1 0.6885"]);
    check(
        "-n -q -D 0.1 -m map.5 -m iprec_at_recall.1",
        &["map 1 0.8333", "iprec_at_recall_1.00 1 0.6667"],
    );
    check("-n -q -D 0.1 -m 11pt_avg.0,1", &["11pt_avg_0,1 1 0.8333"]);
}

#[test]
fn rbp_and_its_residual() {
    // Grades 2 - 1 scaled by the topic's highest: 0.1 (1 + 0.5 * 0.81).
    check("-n -q -D 0.1 -m rbp", &["rbp 1 0.1405"]);
    check("-n -q -D 0.1 -m rbp.p=0.5,1=1,2=5", &["rbp_p=0.5,1=1,2=5 1 0.5250"]);
    // Where grade 0 has a negative gain, it is the lower end of the scale: (2 + 1) / 3, and nothing
    // for an unjudged document.
    check("-n -q -D 0.1 -m rbp.p=0.5,0=-1", &["rbp_p=0.5,0=-1 1 0.5833"]);
    // One unjudged document at rank 2, and all below rank 3: 0.1 * 0.9 + 0.729.
    check("-n -q -D 0.1 -m rbp_resid", &["rbp_resid 1 0.8190"]);
    // If all is judged, what lies below the end of the ranking: 0.9^2.
    check("-J -n -q -D 0.1 -m rbp_resid", &["rbp_resid 1 0.8100"]);
}

#[test]
fn grades_are_whole_numbers_and_ties_go_by_descending_id() {
    let folder = folder(&[
        ("fractions", "1 0 a 0.9\n1 0 b 1.9\n1 0 c -0.5\n"),
        ("ties", "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n1 Q0 c 3 1 t\n"),
    ]);
    let output = trec_eval(folder.path(), "-n -q -m relstring -m num_rel fractions ties");
    assert_eq!(lines(&output), ["num_rel 1 1", "relstring 1 '010'"]);
}

#[test]
fn wrong_usage_is_exit_1() {
    let folder = folder(&[]);
    fails(folder.path(), "-m nope qrels run", 1, "illegal measure 'nope'");
    fails(folder.path(), "-m ndcg_cut_10 qrels run", 1, "ndcg_cut.10");
    fails(folder.path(), "-x qrels run", 1, "usage:");
    fails(folder.path(), "qrels", 1, "usage:");
}

#[test]
fn wrong_input_is_exit_2() {
    let folder = folder(&[
        ("bad", "1 Q0 a 1 3.0 tag\n1 Q0 b\n"),
        ("badqrels", "1 0 a\n"),
        ("empty", ""),
        ("remarks", "# nothing\n"),
    ]);
    fails(folder.path(), "nowhere run", 2, "nowhere: no such file");
    fails(folder.path(), "qrels nowhere", 2, "nowhere: no such file");
    fails(folder.path(), "qrels bad", 2, "bad:2:");
    fails(folder.path(), "badqrels run", 2, "badqrels:1:");
    fails(folder.path(), "qrels empty", 2, "empty");
    fails(folder.path(), "qrels remarks", 2, "remarks: ");
    fails(folder.path(), "-R nope qrels run", 2, "Illegal rel_format 'nope'");
    fails(folder.path(), "-T nope qrels run", 2, "Illegal retrieval results format 'nope'");
    fails(folder.path(), "-Z nowhere qrels run", 2, "nowhere");
    fails(folder.path(), "-m P.0 qrels run", 2, "Cannot initialize measure 'P'");
    fails(folder.path(), "-m P.5,5 qrels run", 2, "Cannot initialize measure 'P'");
    fails(folder.path(), "-m ndcg.1 qrels run", 2, "Cannot initialize measure 'ndcg'");
    // What the measure is called elsewhere is not told.
    let why =
        "Cannot initialize measure 'rbp': parameter p: found \"1\", expected a number above 0";
    fails(folder.path(), "-m rbp.p=1 qrels run", 2, why);
    fails(folder.path(), "-m ndcg.1=2,1=3 qrels run", 2, "Cannot initialize measure 'ndcg'");
    // Parameters are read before anything is calculated, whatever the order.
    for measures in ["-m map_avgjg -m P.0", "-m P.0 -m map_avgjg", "-m P_avgjg.0"] {
        fails(folder.path(), &format!("{measures} qrels run"), 2, "Cannot initialize measure");
    }
    for (format, measures) in
        [("qrels", "map"), ("qrels_jg", "qrels_jg"), ("prefs", "prefs"), ("qrels_prefs", "prefs")]
    {
        let args = format!("-R {format} -m {measures} empty run");
        fails(folder.path(), &args, 2, "empty: ");
    }
}

#[test]
fn what_cannot_be_calculated_is_exit_4() {
    let folder = folder(&[
        ("twice", "1 Q0 a 1 3.0 tag\n1 Q0 a 2 2.0 tag\n"),
        ("twicejudged", "1 0 a 1\n1 0 a 2\n"),
    ]);
    fails(folder.path(), "qrels twice", 4, "\"a\"");
    fails(folder.path(), "twicejudged run", 4, "\"a\"");
    fails(folder.path(), "-R qrels_jg -m qrels_jg twicejudged run", 2, "\"a\"");
    fails(folder.path(), "-R qrels_jg -m qrels_jg qrels twice", 4, "\"a\"");
    fails(folder.path(), "-R qrels_prefs -m prefs_simp qrels twice", 4, "\"a\"");
    fails(folder.path(), "-R qrels_jg -m map qrels run", 4, "Can't calculate measure 'map'");
    fails(folder.path(), "-m utility.1,2 qrels run", 4, "utility");
}

#[test]
fn no_topic_in_common_is_exit_7_but_for_c() {
    let folder = folder(&[("other", "7 Q0 a 1 3.0 tag\n")]);
    fails(folder.path(), "qrels other", 7, "No queries");
    assert_eq!(
        lines(&trec_eval(folder.path(), "-c -m num_q -m map qrels other")),
        ["num_q all 3", "map all 0.0000"]
    );
}

#[test]
fn comments_and_blank_lines_anywhere() {
    let qrels =
        format!("# first\n\n{}  # last", QRELS.replace("2 0 a 1\n", "2 0 a 1\n# between\n"));
    let run = format!("# first\n{}\n# last line", RUN.replace("2 Q0 d", "# between\n\n2 Q0 d"));
    let folder = folder(&[("remarks.qrels", &qrels), ("remarks.run", &run)]);
    let plain = trec_eval(folder.path(), "-q -m all_trec qrels run");
    let remarked = trec_eval(folder.path(), "-q -m all_trec remarks.qrels remarks.run");
    assert!(!plain.stdout.is_empty());
    assert_eq!(lines(&plain), lines(&remarked));
}

#[test]
fn scattered_topics_and_standard_input() {
    let mut shuffled: Vec<&str> = RUN.lines().collect();
    shuffled.swap(0, 4);
    shuffled.swap(1, 3);
    let folder = folder(&[("shuffled", &format!("{}\n", shuffled.join("\n")))]);
    let plain = lines(&trec_eval(folder.path(), "-q -m all_trec qrels run"));
    assert_eq!(lines(&trec_eval(folder.path(), "-q -m all_trec qrels shuffled")), plain);
    let run = fs::File::open(folder.path().join("run")).unwrap();
    let mut piped = Command::new(AXIO);
    piped
        .args(["trec_eval", "-qm", "all_trec", "qrels", "-"])
        .current_dir(folder.path())
        .stdin(Stdio::from(run));
    assert_eq!(lines(&piped.output().unwrap()), plain);
}

#[cfg(unix)]
#[test]
fn through_a_link_named_trec_eval() {
    let folder = folder(&[]);
    let link = folder.path().join("trec_eval");
    std::os::unix::fs::symlink(AXIO, &link).unwrap();
    let output = Command::new(&link)
        .args(["-m", "map", "qrels", "run"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(lines(&output), ["map all 0.6667"]);
}

#[test]
fn help_and_version() {
    let folder = folder(&[]);
    let help = trec_eval(folder.path(), "-h -m rbp -R prefs");
    let text = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(
        help.status.success()
            && text.contains("--Judged_docs_only")
            && text.contains("Rank-biased precision")
            && text.contains("subgroup")
    );
    assert!(text.lines().all(|line| line.len() < 100));
    let version = trec_eval(folder.path(), "--version");
    assert!(version.status.success() && version.stdout.is_empty());
    assert!(String::from_utf8_lossy(&version.stderr).starts_with("trec_eval version 10"));
}

/// What trec_eval prints for a topic with so many relevant documents, of which so many are found
/// among so many retrieved.
fn counts(relevant: usize, retrieved: usize, found: usize, args: &str) -> String {
    let folder = TempDir::new().unwrap();
    let qrels: String = (0..relevant).map(|i| format!("1 0 r{i} 1\n")).collect();
    let run: String = (0..retrieved)
        .map(|i| if i < found { format!("r{i}") } else { format!("n{i}") })
        .enumerate()
        .map(|(i, doc)| format!("1 Q0 {doc} 1 {} x\n", retrieved - i))
        .collect();
    fs::write(folder.path().join("qrels"), qrels).unwrap();
    fs::write(folder.path().join("run"), run).unwrap();
    let output = trec_eval(folder.path(), &format!("{args} qrels run"));
    String::from_utf8(output.stdout).unwrap()
}

/// 18/64 is 0.28125, which rounds down; trec_eval divides twice and ends up above it.
#[test]
fn set_f_is_rounded_as_trec_eval_does() {
    let printed = counts(21, 43, 9, "-m set_F");
    assert_eq!(printed.split_whitespace().last(), Some("0.2813"), "{printed}");
    let printed = counts(4, 4, 0, "-m set_F");
    assert_eq!(printed.split_whitespace().last(), Some("0.0000"), "{printed}");
}

/// A gain below 0 has no place in the ideal ranking.
#[test]
fn losses_are_not_in_the_ideal() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("qrels"), "1 0 a 1\n1 0 b 2\n1 0 c 0\n").unwrap();
    fs::write(folder.path().join("run"), "1 Q0 b 1 1 x\n").unwrap();
    let output = trec_eval(folder.path(), "-m ndcg.1=-1 qrels run");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.split_whitespace().last(), Some("1.0000"), "{printed}");
}
