//! One run has one mean by a measure, with its own interval, wherever both are shown.

use std::path::Path;

use serde_json::Value;

use crate::support::{axio_in, folder, root};

/// What the table of a page's summary shows of a run: the mean in full, and the numbers below it.
fn summary(page: &str, run: &str) -> Vec<(f64, Vec<String>)> {
    let table = page.split_once("id=\"summary-table\"").unwrap().1;
    let table = table.split_once("</table>").unwrap().0;
    let row = table.split_once(&format!("<bdi>{run}</bdi>")).unwrap().1;
    let row = row.split_once("</tr>").unwrap().0;
    let cells = row.split("<td").skip(1);
    let small = |cell: &str| -> Vec<String> {
        let parts = cell.split("<small").skip(1);
        let text =
            |part: &str| part.split_once('>').unwrap().1.split_once('<').unwrap().0.to_string();
        parts.map(text).collect()
    };
    cells
        .map(|cell| {
            let sort = cell.split_once("data-sort=\"").unwrap().1.split_once('"').unwrap().0;
            (sort.parse().unwrap(), small(cell))
        })
        .collect()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let called = axio_in(folder, &[args, &["--format", "json", "-q"]].concat());
    assert!(called.code < 2, "{args:?}: {called}");
    serde_json::from_str(&called.stdout).unwrap()
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Asks `compare`, `report`, `eval` and `gate` for the same runs. The topics that count are found here
/// from the scores of `eval`: those with a relevant document and a score of every run.
fn agree(at: &Path, files: &[&str], measures: &str, options: &[&str], without_relevant: &[&str]) {
    fn of(args: &[String]) -> Vec<&str> {
        args.iter().map(String::as_str).collect()
    }
    let with = |command: &[&str], files: &[&str]| -> Vec<String> {
        let args = [command, files, &["-m", measures], options].concat();
        args.into_iter().map(str::to_string).collect()
    };
    let eval = json(at, &of(&with(&["eval", "--per-topic"], files)));
    let compared = json(at, &of(&with(&["compare", "--joint", "never"], files)));
    let mut report = with(&["report"], files);
    report.extend(["-o".to_string(), "report.html".to_string()]);
    let called = axio_in(at, &of(&report));
    assert_eq!(called.code, 0, "{called}");
    let page = std::fs::read_to_string(at.join("report.html")).unwrap();
    for (m, measure) in compared["measures"].as_array().unwrap().iter().enumerate() {
        let name = measure["measure"].as_str().unwrap();
        let topics = |run: &Value| run["measures"][m]["topics"].as_object().unwrap().clone();
        let runs = eval["runs"].as_array().unwrap();
        let counts = |topic: &&String| {
            !without_relevant.contains(&topic.as_str())
                && runs.iter().all(|run| topics(run).get(*topic).is_some_and(Value::is_f64))
        };
        for (r, system) in measure["systems"].as_array().unwrap().iter().enumerate() {
            let run = runs[r]["name"].as_str().unwrap();
            assert_eq!(system["name"], run);
            let scores = topics(&runs[r]);
            let own: Vec<f64> = scores
                .iter()
                .filter(|(t, _)| counts(t))
                .map(|(_, x)| x.as_f64().unwrap())
                .collect();
            let mean = system["mean"].as_f64().unwrap();
            assert_eq!(measure["topics"], own.len());
            assert!((mean - mean_of(&own)).abs() < 1e-12, "{run} {name}");
            let ends = [&system["interval"]["lower"], &system["interval"]["upper"]];
            let [lower, upper] = ends.map(|end| end.as_f64().unwrap());
            assert!((lower..=upper).contains(&mean), "{run} {name}");
            // The page: the mean in full, its interval, and the other mean by its name.
            let (shown, below) = &summary(&page, run)[m];
            assert_eq!(*shown, mean, "{run} {name}");
            assert_eq!(below[0], format!("{lower:.3} to {upper:.3}"), "{run} {name}");
            let eval_mean = runs[r]["measures"][m]["mean"].as_f64().unwrap();
            assert!((system["eval_mean"].as_f64().unwrap() - eval_mean).abs() < 1e-15);
            let named = format!("eval {eval_mean:.4}");
            assert_eq!(below.contains(&named), !measure["eval_differs"].is_null(), "{below:?}");
            assert!(below.len() <= 3, "{below:?}");
        }
    }
    // A gate of two runs is about the topics of a comparison of these two.
    if let [qrels, baseline, .., run] = files {
        let two = json(at, &of(&with(&["compare", "--joint", "never"], &[qrels, baseline, run])));
        let name = measures.split(' ').next().unwrap();
        let drop = format!("{name}=0.9");
        let args = ["gate", qrels, run, "--baseline", baseline, "--max-drop", &drop];
        let gate = json(at, &[&args[..], options, &["--allow-changes"]].concat());
        let check = &gate["runs"][0]["checks"][0];
        let means = [&check["baseline_mean"], &check["mean"]].map(|x| x.as_f64().unwrap());
        for (system, mean) in two["measures"][0]["systems"].as_array().unwrap().iter().zip(means) {
            assert!((system["mean"].as_f64().unwrap() - mean).abs() < 1e-12, "{system} {check}");
        }
        assert_eq!(check["topics"], two["measures"][0]["topics"]);
    }
}

/// The example has a topic without relevant documents.
#[test]
fn a_mean_is_over_the_topics_of_its_interval() {
    let web = root().join("examples/web");
    let out = tempfile::tempdir().unwrap();
    let files = ["qrels.txt", "bm25.run", "bm25-rm3.run", "dense.run", "hybrid.run"]
        .map(|name| web.join(name).display().to_string());
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    agree(out.path(), &files, "nDCG@10 AP RR P@10 RBP(p=0.8)", &[], &["205"]);
}

/// Topics that a run lacks, and a measure that is undefined on some.
#[test]
fn runs_with_other_topics_are_averaged_over_those_of_all() {
    let (mut qrels, mut runs) = (String::new(), [String::new(), String::new(), String::new()]);
    for topic in 0..12 {
        let grade = u32::from(topic != 7);
        qrels += &format!("{topic} 0 a {grade}\n{topic} 0 b 0\n{topic} 0 c {grade}\n");
        for (r, run) in runs.iter_mut().enumerate() {
            if topic == 2 + 3 * r {
                continue;
            }
            for (d, doc) in ["a", "b", "c", "x"].iter().enumerate() {
                *run += &format!("{topic} Q0 {doc} 1 {} r\n", (d * (r + 2) + topic * (r + 1)) % 7);
            }
        }
    }
    let files = folder(&[
        ("q", qrels.as_bytes()),
        ("one", runs[0].as_bytes()),
        ("two", runs[1].as_bytes()),
        ("three", runs[2].as_bytes()),
    ]);
    let names = ["q", "one", "two", "three"];
    agree(files.path(), &names, "AP nDCG@3", &["--missing", "skip"], &["7"]);
    agree(files.path(), &names, "AP nDCG@3", &[], &["7"]);
    agree(files.path(), &names, "AP RR", &["--missing", "skip", "--undefined", "skip"], &["7"]);
}

/// A report on one run shows the mean and the interval that a comparison of it with itself shows.
#[test]
fn a_report_on_one_run_shows_the_mean_of_a_comparison() {
    let web = root().join("examples/web");
    let out = tempfile::tempdir().unwrap();
    let path = |name: &str| web.join(name).display().to_string();
    let (qrels, run) = (path("qrels.txt"), path("dense.run"));
    let called = axio_in(out.path(), &["report", &qrels, &run, "-m", "RR AP", "-o", "report.html"]);
    assert_eq!(called.code, 0, "{called}");
    let page = std::fs::read_to_string(out.path().join("report.html")).unwrap();
    let compared = json(out.path(), &["compare", &qrels, &run, &path("bm25.run"), "-m", "RR AP"]);
    for (m, (mean, below)) in summary(&page, "dense.run").iter().enumerate() {
        let system = &compared["measures"][m]["systems"][0];
        assert_eq!(system["mean"].as_f64().unwrap(), *mean);
        let ends = [&system["interval"]["lower"], &system["interval"]["upper"]];
        let [lower, upper] = ends.map(|end| end.as_f64().unwrap());
        assert_eq!(below[0], format!("{lower:.3} to {upper:.3}"));
    }
}
