//! trec_eval's own test of its z-scores.

use std::collections::HashMap;

use axiometrics::io::zscores;

use crate::trec;

#[test]
#[ignore = "needs ../shared/data: trec_eval's numbers for standardised scores"]
fn trec_evals_numbers() {
    let folder = trec::data("trec_eval");
    let references =
        zscores::read(trec::text(&folder.join("zscores_file")).as_bytes(), "zscores_file").unwrap();
    let plain = trec::text(&folder.join("out.test.aq"));
    let mut scores: HashMap<(String, String), f64> = HashMap::new();
    for line in plain.lines() {
        let f: Vec<&str> = line.split_whitespace().collect();
        if let Ok(x) = f[2].parse() {
            scores.insert((f[0].to_string(), f[1].to_string()), x);
        }
    }
    let mut compared = 0;
    for line in trec::text(&folder.join("out.test.aqZ")).lines() {
        let f: Vec<&str> = line.split_whitespace().collect();
        let (Some(measure), topic, Ok(printed)) =
            (f[0].strip_prefix('Z'), f[1], f[2].parse::<f64>())
        else {
            continue;
        };
        if topic == "all" {
            continue;
        }
        let Some(reference) = references.get(topic.as_bytes(), measure) else {
            assert_eq!(printed, axiometrics::score::standardize::TREC_EVAL_MISSING, "{line}");
            continue;
        };
        let x = scores[&(measure.to_string(), topic.to_string())];
        let ours = reference.z(x).unwrap();
        // The plain score is printed to four places, and so is its z.
        let rounding =
            0.00005 * (1.0 + if reference.sd > 0.0 { 1.0 / reference.sd } else { 0.0 }) + 1e-9;
        assert!((ours - printed).abs() <= rounding, "{line}: {ours}");
        compared += 1;
    }
    assert_eq!(compared, 285);
}
