//! On Linux the program is linked at a fixed address. Its tables of names and functions then need
//! no relocation at every start, which reads and writes one and a half megabytes; that such a
//! program is easier to attack matters little without unsafe code.

fn main() {
    let of_target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}"));
    if of_target("OS").as_deref() == Ok("linux") && of_target("ENV").as_deref() == Ok("gnu") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
