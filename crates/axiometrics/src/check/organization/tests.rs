//! The tables of the clustering and filtering constraints, and every witness recomputed.
use super::*;

#[test]
fn show() {
    for r in run_all(&all_subjects(), &Options::default()) {
        let cell = |f: &Finding<Instance>| format!("{}:{}", f.name, f.verdict.word());
        println!("{} {:?} {:?}", r.subject, r.findings.iter().map(cell).collect::<Vec<_>>(), r.non_informative);
        for f in &r.findings { if f.scope == Some(Scope::General) { println!("      {} {}", f.name, f.verdict.reason()); } }
    }
}
