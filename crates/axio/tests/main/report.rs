//! `axio report`: the page fetches nothing, trusts no name, stays small, and comes out the same
//! every time.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{axio_in, folder, root};

/// Makes a report in a folder and returns the page.
fn page(folder: &Path, args: &[&str]) -> String {
    let called = axio_in(folder, &[&["report"], args, &["-o", "report.html"]].concat());
    assert_eq!((called.code, called.stdout.as_str()), (0, ""), "{called}");
    std::fs::read_to_string(folder.join("report.html")).unwrap()
}

/// What a browser would go and get: attributes and style rules that name another resource.
fn fetched(page: &str) -> Vec<&str> {
    let marks = [
        "src=",
        "href=",
        "url(",
        "@import",
        "<link",
        "<iframe",
        "<object",
        "<embed",
        "srcset=",
        "fetch(",
        "XMLHttpRequest",
        "import(",
    ];
    let mut found = Vec::new();
    for mark in marks {
        for (at, _) in page.match_indices(mark) {
            let rest =
                &page[at..page[at..].char_indices().nth(40).map_or(page.len(), |(n, _)| at + n)];
            let inside = rest[mark.len()..].trim_start_matches(['"', '\'']).starts_with('#');
            if !inside {
                found.push(rest);
            }
        }
    }
    found
}

/// The elements of a page that are plots.
fn plots(page: &str) -> Vec<&str> {
    page.match_indices("<svg")
        .map(|(at, _)| &page[at..at + page[at..].find("</svg>").unwrap() + "</svg>".len()])
        .collect()
}

#[test]
fn the_page_of_the_example() {
    let out = tempfile::tempdir().unwrap();
    let web = root().join("examples/web");
    let path = |name: &str| web.join(name).display().to_string();
    let files = ["qrels.txt", "bm25.run", "bm25-rm3.run", "dense.run", "hybrid.run"].map(path);
    let args: Vec<&str> = files
        .iter()
        .map(String::as_str)
        .chain(["-m", "nDCG@10 AP DCG", "--plots", "plots"])
        .collect();
    let made = page(out.path(), &args);
    for section in [
        "summary",
        "means",
        "topics",
        "curve",
        "agreement",
        "diagnostics",
        "properties",
        "cite",
        "reproduce",
    ] {
        assert!(made.contains(&format!("<section id=\"{section}\">")), "no {section}");
    }
    assert!(
        made.contains("DCG is unbounded: its mean over topics mixes scales"),
        "no warning about DCG"
    );
    assert!(
        made.contains("-m &#x27;nDCG@10 AP DCG&#x27; --plots plots -o report.html"),
        "no command"
    );
    // The means of four runs have ranges by two measures at least.
    assert!(made.matches("<small class=\"range\">").count() >= 8, "no ranges");
    assert_eq!(fetched(&made), Vec::<&str>::new());
    assert!(!made.contains("http:") && !made.contains("https:"), "an address");

    // The numbers are those of eval.
    let called = axio_in(
        out.path(),
        &["eval", &files[0], &files[4], "-m", "nDCG@10", "--places", "4", "--format", "tsv", "-q"],
    );
    let value = called.stdout.lines().last().unwrap().rsplit('\t').next().unwrap().to_string();
    assert!(made.contains(&value), "{value} is not on the page");

    for plot in plots(&made) {
        roxmltree::Document::parse(plot).unwrap_or_else(|e| panic!("{e}: {plot}"));
    }
    let mut kinds = [0, 0];
    for entry in std::fs::read_dir(out.path().join("plots")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        match path.extension().unwrap().to_str().unwrap() {
            "svg" => {
                let text = String::from_utf8(bytes).unwrap();
                assert_eq!(
                    roxmltree::Document::parse(&text).unwrap().root_element().tag_name().name(),
                    "svg",
                    "{path:?}"
                );
                kinds[0] += 1;
            }
            _ => {
                assert!(bytes.starts_with(b"\x89PNG"), "{path:?}");
                kinds[1] += 1;
            }
        }
    }
    assert_eq!(kinds[0], kinds[1]);
    assert_eq!(kinds[0], plots(&made).len());

    assert!(made == page(out.path(), &args), "another page of the same input");
}

/// The page says which test was asked for, and its intervals keep to the range of the measure.
#[test]
fn the_test_can_be_chosen() {
    let out = tempfile::tempdir().unwrap();
    let path = |name: &str| root().join("examples/web").join(name).display().to_string();
    let files = ["qrels.txt", "bm25.run", "dense.run", "hybrid.run"].map(path);
    let args = |more: &[&'static str]| -> Vec<String> {
        files.iter().cloned().chain(more.iter().map(ToString::to_string)).collect()
    };
    let made = |more: &[&'static str]| {
        page(out.path(), &args(more).iter().map(String::as_str).collect::<Vec<_>>())
    };
    let chosen = made(&[
        "-m",
        "RR AP",
        "--test",
        "wilcoxon",
        "--correction",
        "bonferroni",
        "--alpha",
        "0.01",
        "--seed",
        "7",
        "--baseline",
        "dense.run",
    ]);
    for part in [
        "Wilcoxon",
        "corrected by bonferroni over 2 tests (2 pairs of one measure); alpha 0.01",
        "99% interval",
        "Differences from <bdi>dense.run</bdi>",
    ] {
        assert!(chosen.contains(part), "{part}");
    }
    assert!(
        chosen.contains("whatever the") || chosen.contains("could turn it round"),
        "no sentence on unjudged documents"
    );
    // The mean RR of dense.run is 0.925 on 20 topics; Student's interval would end at 1.04.
    assert!(made(&["-m", "RR"]).contains("to 1.000"));
    assert!(
        made(&["-m", "RR", "--test", "tukey"])
            .contains("The intervals hold for all pairs of a measure together.")
    );
    let refused = axio_in(
        out.path(),
        &[
            &["report"],
            &args(&["--test", "tukey", "--correction", "holm"])
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()[..],
        ]
        .concat(),
    );
    assert_eq!(refused.code, 2, "{refused}");
}

#[test]
fn names_are_not_markup() {
    let evil = "<script>alert(1)</script>";
    let topic = "</title><img/src=x>&\"'$a$";
    let mut judged = String::new();
    let mut runs = [String::new(), String::new(), String::new()];
    for number in 0..6 {
        for doc in 0..5 {
            writeln!(judged, "{topic}{number} 0 <u>{doc} {}", (doc + number) % 2).unwrap();
            for (r, run) in runs.iter_mut().enumerate() {
                writeln!(
                    run,
                    "{topic}{number} Q0 <u>{doc} 1 {} {evil}",
                    (doc * (r + 2) + number) % 7
                )
                .unwrap();
            }
        }
    }
    let files = folder(&[
        ("qrels", judged.as_bytes()),
        ("<script>alert(1)<&script>.run", runs[0].as_bytes()),
        ("\"'><svg onload=x>.run", runs[1].as_bytes()),
        ("$x$\u{1}.run", runs[2].as_bytes()),
    ]);
    let made = page(
        files.path(),
        &[
            "qrels",
            "<script>alert(1)<&script>.run",
            "\"'><svg onload=x>.run",
            "$x$\u{1}.run",
            "-m",
            "AP P@3 nDCG",
        ],
    );
    assert_eq!(made.matches("<script>").count(), 1, "a script besides our own");
    for markup in ["<img", "<svg onload", "<u>", "<script>alert"] {
        assert!(!made.contains(markup), "{markup}");
    }
    assert!(made.contains("&lt;script&gt;alert(1)&lt;&amp;script&gt;.run"));
    assert!(!plots(&made).is_empty());
    for plot in plots(&made) {
        roxmltree::Document::parse(plot).unwrap_or_else(|e| panic!("{e}: {plot}"));
    }
}

#[test]
fn a_hundred_runs_fit() {
    let out = tempfile::tempdir().unwrap();
    let mut state = 1u64;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let mut judged = String::new();
    for topic in 0..250 {
        for doc in 0..20 {
            writeln!(judged, "{topic} 0 d{doc} {}", random(3)).unwrap();
        }
    }
    std::fs::write(out.path().join("qrels"), judged).unwrap();
    let names: Vec<String> =
        (0..100).map(|r| format!("a-system-with-a-long-name-{r:03}.run")).collect();
    for name in &names {
        let mut run = String::new();
        for topic in 0..250 {
            let from = random(20);
            for rank in 0..10 {
                writeln!(run, "{topic} Q0 d{} {rank} {} r", (from + 7 * rank) % 23, 10 - rank)
                    .unwrap();
            }
        }
        std::fs::write(out.path().join(name), run).unwrap();
    }
    let args: Vec<&str> =
        std::iter::once("qrels").chain(names.iter().map(String::as_str)).collect();
    let made = page(out.path(), &args);
    assert!(made.len() < 5_000_000, "{} bytes", made.len());
    for plot in plots(&made) {
        roxmltree::Document::parse(plot).unwrap();
    }
}

#[test]
fn one_run_one_topic() {
    let files = folder(&[("qrels", b"1 0 a 1\n1 0 b 0\n"), ("r", b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")]);
    let made = page(files.path(), &["qrels", "r", "-m", "AP NumRel GMAP DCG"]);
    assert!(made.contains("1 run, 1 judged topic"), "{made}");
    assert!(!made.contains("significantly"));
}

#[test]
fn bad_usage() {
    let files = folder(&[("qrels", b"1 0 a 1\n"), ("r", b"1 Q0 a 1 2 x\n")]);
    for (args, message) in [
        (&["report", "-", "-"][..], "standard input (-) is named more than once"),
        (&["report", "qrels", "r", "--baseline", "s"], "found no run called \"s\""),
        (&["report", "qrels", "r", "-o", "no/such/folder.html"], "no/such/folder.html"),
    ] {
        let called = axio_in(files.path(), args);
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
        assert!(called.stderr.contains(message), "{called}");
    }
}
