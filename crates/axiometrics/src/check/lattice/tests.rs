use super::*;

#[test]
fn found() {
    let t = std::time::Instant::now();
    let lattice = Lattice::get();
    eprintln!("{:?}", t.elapsed());
    for c in &lattice.contradictions { eprintln!("{:?}\n{}", c.properties, c.derivation.text()); }
    for f in &lattice.feasible { eprintln!("{:?} without {:?}", f, Set::TWELVE.without(*f)); }
}
