//! trec_eval's own test of its qrels_jg format.

use axiometrics::measure::Metric;

use crate::trec::{self, Topic};

#[test]
#[ignore = "needs ../shared/data: trec_eval's numbers for judgement groups"]
fn trec_evals_numbers() {
    let folder = trec::data("trec_eval");
    let results = trec::text(&folder.join("results.test"));
    let run = trec::run(&results);
    let expected = trec::text(&folder.join("out.test.qrels_jg"));
    for file in ["qrels.123", "qrels.comments.123"] {
        let text = trec::text(&folder.join(file));
        let qrels = trec::qrels(&text);
        let topics: Vec<(&str, Topic)> =
            qrels.iter().map(|(id, rows)| (*id, Topic::new(rows, &run[id]))).collect();
        let mut compared = 0;
        for line in expected.lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (name, topic, value) = (fields[0], fields[1], fields[2]);
            if ["runid", "num_q"].contains(&name) {
                continue;
            }
            let metric: Metric = name.parse().unwrap();
            let score = |t: &Topic| metric.score(&t.view()).value().unwrap_or(0.0);
            let ours = match topic {
                "all" => topics.iter().map(|(_, t)| score(t)).sum::<f64>() / topics.len() as f64,
                id => score(&topics.iter().find(|t| t.0 == id).unwrap().1),
            };
            assert_eq!(format!("{ours:.4}"), value, "{file}: {line}");
            compared += 1;
        }
        assert_eq!(compared, 80);
    }
}
