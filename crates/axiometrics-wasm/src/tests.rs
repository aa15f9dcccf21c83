//! Requests as the page sends them.

use serde_json::{Value, json};

use crate::Laboratory;

fn ask(laboratory: &mut Laboratory, request: &Value) -> Result<Value, Value> {
    let answer: Value = serde_json::from_str(&laboratory.answer(&request.to_string())).unwrap();
    match answer.get("ok") {
        Some(document) => Ok(document.clone()),
        None => Err(answer["error"].clone()),
    }
}

/// Hands a file over in pieces.
fn hand(laboratory: &mut Laboratory, name: &str, text: impl AsRef<[u8]>) -> u32 {
    let text = text.as_ref();
    let opened = ask(laboratory, &json!({ "op": "open", "name": name, "size": text.len() }));
    let file = opened.unwrap().as_u64().unwrap() as u32;
    for piece in text.chunks(7) {
        laboratory.room(file, piece.len()).unwrap().copy_from_slice(piece);
    }
    file
}

#[test]
fn a_wrong_measure_does_not_hide_the_others() {
    let request = json!({
        "op": "score", "rankings": ["1-10-", "[10]1+2"], "measures": ["P@5", "Q@@", "RBP(p=0.8)"],
        "ranges": true,
    });
    let answer = ask(&mut Laboratory::default(), &request).unwrap();
    assert_eq!(answer["texts"], json!(["P@5", "RBP(p=0.8)"]));
    assert_eq!(answer["errors"][0]["text"], "Q@@");
    let rbp = &answer["document"]["rankings"][0]["measures"][1];
    assert_eq!(rbp["value"], 0.32799999999999996);
    assert_eq!(rbp["range"]["high"], 0.8976000000000001);
}

#[test]
fn a_metric_of_the_pages_own_is_named_by_its_path() {
    let mut laboratory = Laboratory::default();
    let own = |text: &str| json!({ "op": "own", "files": [{ "path": "my.toml", "text": text }] });
    let formula = "name = \"mine\"\nscore = \"sum(d in D : gain(d) / pos(d))\"\n";
    ask(&mut laboratory, &own(formula)).unwrap();
    let request = json!({ "op": "score", "rankings": ["101"], "measures": ["my.toml"] });
    let answer = ask(&mut laboratory, &request).unwrap();
    assert_eq!(answer["document"]["rankings"][0]["measures"][0]["value"], 1.0 + 1.0 / 3.0);
    let error = ask(&mut laboratory, &own("name = \"mine\"\nscore = \"sum(\"\n")).unwrap_err();
    assert_eq!(error["line"], 2);
    // The last one that could be read gives no scores any more.
    let answer = ask(&mut laboratory, &request).unwrap();
    assert_eq!(answer["texts"], json!([]));
    assert_eq!(answer["errors"][0]["error"]["line"], 2);
}

#[test]
fn a_metric_of_the_pages_own_says_whether_it_takes_a_cutoff() {
    let mut laboratory = Laboratory::default();
    for (formula, cutoff) in [
        ("sum(d in D where pos(d) <= k : gain(d))", "optional"),
        ("sum(d in D where pos(d) <= k : gain(d)) / k", "required"),
    ] {
        let file = json!({ "path": "my.toml", "text": format!("score = \"{formula}\"\n") });
        let told = ask(&mut laboratory, &json!({ "op": "own", "files": [file] })).unwrap();
        assert_eq!(told, json!([{ "path": "my.toml", "cutoff": cutoff }]));
    }
    let file = "[alpha]\nscale = \"strict\"\n[sim]\nexpr = \"1\"\n[avgD]\nover = \"D\"\nagg = \"mean\"\n[avgQ]\nagg = \"mean\"\n";
    let file = json!({ "path": "my.toml", "text": file });
    let told = ask(&mut laboratory, &json!({ "op": "own", "files": [file] })).unwrap();
    assert_eq!(told[0]["cutoff"], "never");
}

#[test]
fn a_study_reads_scores_compares_and_explains() {
    let mut laboratory = Laboratory::default();
    let qrels = hand(&mut laboratory, "q.txt", "1 0 a 1\n1 0 b 0\n1 0 c 1\n2 0 a 1\n");
    let asked =
        json!({ "op": "judgements", "file": qrels, "measures": ["AP", "RR"], "ranges": true });
    let told = ask(&mut laboratory, &asked).unwrap();
    assert_eq!((&told["topics"], &told["judgements"]), (&json!(2), &json!(4)));
    for (name, text) in [
        ("x/one.run", "1 Q0 a 1 9 t\n1 Q0 x 2 8 t\n2 Q0 a 1 1 t\n"),
        ("y/one.run", "1 Q0 b 1 9 t\n1 Q0 a 2 8 t\n2 Q0 x 1 2 t\n2 Q0 a 2 1 t\n"),
    ] {
        let file = hand(&mut laboratory, name, text);
        ask(&mut laboratory, &json!({ "op": "run", "file": file, "keep": true })).unwrap();
    }
    let results = ask(&mut laboratory, &json!({ "op": "results", "baseline": 0 })).unwrap();
    let runs = &results["evaluation"]["runs"];
    assert_eq!((&runs[0]["name"], &runs[1]["name"]), (&json!("x/one.run"), &json!("y/one.run")));
    assert_eq!(runs[0]["measures"][0]["topics"], json!({ "1": 0.5, "2": 1.0 }));
    assert_eq!(results["comparison"]["baseline"], "x/one.run");
    let asked = json!({ "op": "topic", "run": 0, "topic": "1", "measure": "AP" });
    let topic = ask(&mut laboratory, &asked).unwrap();
    assert_eq!(topic["unretrieved"], json!([1.0, 0.0]));
    let if_relevant = topic["document"]["documents"][1]["if_relevant"].as_f64().unwrap();
    assert!((if_relevant - 1.0 / 6.0).abs() < 1e-12, "{if_relevant}");
    let asked = json!({ "op": "render", "table": "evaluation", "format": "csv" });
    let text = ask(&mut laboratory, &asked).unwrap();
    assert!(text.as_str().unwrap().contains("x/one.run,AP,1,0.5"), "{text}");
    let asked = json!({ "op": "figures", "measure": "RR", "baseline": 1 });
    let figures = ask(&mut laboratory, &asked).unwrap();
    let sections: Vec<&str> =
        figures.as_array().unwrap().iter().map(|f| f["section"].as_str().unwrap()).collect();
    assert_eq!(sections, ["distributions", "curve", "joint"]);
    assert!(figures[0]["caption"].as_str().unwrap().starts_with("RR over the topics"));
    let asked = json!({ "op": "report", "command": "axio report q.txt x y", "baseline": 0 });
    let page = ask(&mut laboratory, &asked).unwrap();
    let page = page.as_str().unwrap();
    assert!(page.contains("axio report q.txt x y") && page.contains("y/one.run"));
    assert!(page.contains("<th scope=\"row\">AP") || page.contains(">AP<"), "the verdicts on AP");
    let asked = json!({ "op": "report", "command": "", "baseline": 2 });
    assert!(ask(&mut laboratory, &asked).is_err());
}

#[test]
fn compressed_files_and_tables_are_read() {
    let text = "1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n";
    // Whole frames of zstd, as the tool writes them: a block that is not compressed.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, text.len() as u8];
    let head = ((text.len() as u32) << 3) | 1;
    frame.extend(&head.to_le_bytes()[..3]);
    frame.extend(text.as_bytes());
    let mut laboratory = Laboratory::default();
    let qrels = hand(&mut laboratory, "q.txt", b"1 0 a 1\n1 0 b 1\n");
    ask(&mut laboratory, &json!({ "op": "judgements", "file": qrels, "measures": ["AP"] }))
        .unwrap();
    for (name, bytes) in [("plain.run", text.as_bytes()), ("packed.run.zst", &frame)] {
        let file = hand(&mut laboratory, name, bytes);
        ask(&mut laboratory, &json!({ "op": "run", "file": file, "keep": true })).unwrap();
    }
    let results = ask(&mut laboratory, &json!({ "op": "results", "baseline": 0 })).unwrap();
    for run in results["evaluation"]["runs"].as_array().unwrap() {
        assert_eq!(run["measures"][0]["mean"], 1.0, "{run}");
    }
    let broken = hand(&mut laboratory, "broken.parquet", b"PAR1\x15 and no more");
    let error = ask(&mut laboratory, &json!({ "op": "run", "file": broken, "keep": true }));
    let message = error.unwrap_err()["message"].to_string();
    assert!(message.contains("Parquet"), "{message}");
}

#[test]
fn errors_are_the_commands() {
    let mut laboratory = Laboratory::default();
    let error = ask(&mut laboratory, &json!({ "op": "results" })).unwrap_err();
    assert_eq!(error["message"], "no judgements were read yet");
    let qrels = hand(&mut laboratory, "q.txt", "1 0 a 1\n");
    ask(&mut laboratory, &json!({ "op": "judgements", "file": qrels, "measures": ["AP"] }))
        .unwrap();
    let file = hand(&mut laboratory, "other.run", "7 Q0 a 1 9 t\n");
    let error = ask(&mut laboratory, &json!({ "op": "run", "file": file, "keep": true }));
    assert!(error.unwrap_err()["message"].as_str().unwrap().contains("no topic"));
    let file = hand(&mut laboratory, "broken.run", "1 Q0 a 1 nine t\n");
    let error = ask(&mut laboratory, &json!({ "op": "run", "file": file, "keep": true }));
    let error = error.unwrap_err();
    assert_eq!((&error["file"], &error["line"]), (&json!("broken.run"), &json!(1)));
    assert!(ask(&mut laboratory, &json!({ "op": "nonsense" })).is_err());
}

#[test]
fn verdicts_and_what_goes_together() {
    let mut laboratory = Laboratory::default();
    let asked = json!({ "op": "check", "measure": "P@5", "groups": ["property"], "max_docs": 3 });
    let verdicts = ask(&mut laboratory, &asked).unwrap();
    assert_eq!(verdicts["metrics"][0]["verdicts"][1]["verdict"], "violated");
    let catalogue = ask(&mut laboratory, &json!({ "op": "catalogue" })).unwrap();
    assert!(catalogue["measures"].as_array().unwrap().len() > 100);
    let defined = ask(&mut laboratory, &json!({ "op": "define", "measure": "P" })).unwrap();
    assert_eq!(defined["title"], "Precision");
}

#[test]
fn an_organization_beside_the_gold_standard() {
    let asked = json!({
        "op": "organize", "gold": "d1 {d2 d3} / d4", "system": "d1 d2 / {d3 d4}", "differences": 10,
    });
    let answer = ask(&mut Laboratory::default(), &asked).unwrap();
    let system = &answer["document"]["systems"][0];
    assert_eq!(system["mean"]["R"], 0.9001674156313331);
    assert_eq!(system["explain"]["1"]["lost"][0]["relation"], "d2 with d3");
}

/// The page, the comparison and the report that the page hands over show one mean with one interval,
/// of one run as of several.
#[test]
fn means_are_those_of_the_comparison_and_of_the_report() {
    let web = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/web");
        std::fs::read(path.join(name)).unwrap()
    };
    let measures = json!(["AP", "RR", "nDCG@10"]);
    for names in [&["dense.run"][..], &["bm25.run", "dense.run", "hybrid.run"]] {
        let mut laboratory = Laboratory::default();
        let qrels = hand(&mut laboratory, "qrels.txt", web("qrels.txt"));
        let asked =
            json!({ "op": "judgements", "file": qrels, "measures": measures, "ranges": true });
        ask(&mut laboratory, &asked).unwrap();
        for name in names {
            let file = hand(&mut laboratory, name, web(name));
            ask(&mut laboratory, &json!({ "op": "run", "file": file, "keep": true })).unwrap();
        }
        let results = ask(&mut laboratory, &json!({ "op": "results", "baseline": 0 })).unwrap();
        let asked = json!({ "op": "report", "command": "axio report", "baseline": 0 });
        let report = ask(&mut laboratory, &asked).unwrap();
        let report = report.as_str().unwrap();
        for (m, measure) in measures.as_array().unwrap().iter().enumerate() {
            let means = &results["means"][m];
            assert_eq!((&means["measure"], &means["topics"]), (measure, &json!(19)));
            assert_eq!(means["left_out_topics"], json!(["205"]));
            for (r, name) in names.iter().enumerate() {
                let system = &means["systems"][r];
                let evaluated = &results["evaluation"]["runs"][r]["measures"][m];
                // Topic 205 counts as 0 in an evaluation of all twenty topics.
                let (mean, all) = (system["mean"].as_f64(), evaluated["mean"].as_f64());
                let (mean, all) = (mean.unwrap(), all.unwrap());
                assert!((19.0 * mean - 20.0 * all).abs() < 1e-12, "{name} {measure}");
                assert!(system["interval"]["lower"].as_f64().unwrap() <= mean);
                assert!(system["interval"]["upper"].as_f64().unwrap() >= mean);
                assert!(system["range"]["low"].as_f64().unwrap() <= mean + 1e-12);
                assert!(
                    report.contains(&format!("data-sort=\"{mean}\"")),
                    "{name} {measure} {mean}"
                );
                if names.len() > 1 {
                    let compared = &results["comparison"]["measures"][m]["systems"][r];
                    for field in ["name", "mean", "interval", "range", "eval_mean"] {
                        assert_eq!(compared[field], system[field], "{name} {measure} {field}");
                    }
                }
            }
        }
        // dense.run by RR over 19 topics, by hand: 18 times 1 and once 1/2.
        let dense = names.iter().position(|name| *name == "dense.run").unwrap();
        let mean = results["means"][1]["systems"][dense]["mean"].as_f64().unwrap();
        assert!((mean - 18.5 / 19.0).abs() < 1e-12, "{mean}");
    }
}
