//! The command `axio`.
use axiometrics::{io, measure, score::*, warning::Warnings};
use std::io::Write;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let threads: usize = args[1].parse().unwrap();
    let mut w = Warnings::default();
    let metrics = measure::parse_list("nDCG@10 AP RR@10 P@10 R@1000").unwrap();
    let q = io::read_qrels(&io::Source::open(&args[2]).unwrap(), axiometrics::data::Needs::POSITIVE, false, &mut w).unwrap();
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    for run in &args[3..] {
        let mut e = Evaluation::new(&q, &metrics);
        e.threads = threads;
        let s = e.run(&io::Source::open(run).unwrap(), &mut w).unwrap();
        for (c, m) in metrics.iter().enumerate() {
            let name = m.to_string();
            for (r, t) in s.topics.iter().enumerate() {
                out.write_all(name.as_bytes()).unwrap();
                out.write_all(b"\t").unwrap();
                out.write_all(q.topic_bytes(*t)).unwrap();
                writeln!(out, "\t{}", s.get(r, c).unwrap_or(f64::NAN)).unwrap();
            }
            writeln!(out, "{name}\tall\t{}", s.summary(m, c, Undefined::Zero).unwrap()).unwrap();
        }
    }
}
