//! The help texts: every subcommand shows an example, and every example runs.

use std::process::Command;

use crate::support::{Called, root, stdout};

fn subcommands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let listed =
        help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    // Names stand at the second column; what stands deeper goes on with the text above it.
    let names = listed
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .filter_map(|l| l.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

/// Runs the examples in a command's help, of which there is one at least.
fn run_examples(command: &[&str]) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_axio")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let help = stdout(&[command, &["--help"]].concat());
    let examples: Vec<&str> = help
        .lines()
        .skip_while(|l| !l.starts_with("Example"))
        .skip(1)
        .take_while(|l| !l.is_empty())
        .map(str::trim)
        .collect();
    assert!(!examples.is_empty(), "{command:?} --help shows no example");
    for example in examples {
        assert!(example.starts_with("axio "), "{command:?}: {example}");
        let called: Called = Command::new("sh")
            .args(["-c", example])
            .current_dir(root())
            .env("PATH", &path)
            .output()
            .unwrap()
            .into();
        assert_eq!(called.code, 0, "{example}: {called}");
    }
}

#[test]
fn every_example_runs() {
    let names = subcommands();
    assert!(names.contains(&"eval".to_string()), "{names:?}");
    for name in names {
        run_examples(&[&name]);
    }
    for question in ["depth", "topics", "judge"] {
        run_examples(&["plan", question]);
    }
}

#[test]
fn the_help_of_eval() {
    insta::assert_snapshot!("help_eval", stdout(&["eval", "--help"]));
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&["completions", shell]).contains("per-topic"), "{shell}");
    }
    assert!(stdout(&["man"]).starts_with(".ie"), "no manual page");
    let folder = tempfile::tempdir().unwrap();
    stdout(&["man", "--output", &folder.path().display().to_string()]);
    assert!(folder.path().join("axio-eval.1").is_file());
}

#[test]
fn manual_pages_are_written_to_a_folder_that_is_new() {
    let folder = crate::support::folder(&[]);
    let pages = folder.path().join("new/man");
    stdout(&["man", "-o", pages.to_str().unwrap()]);
    assert!(pages.join("axio-eval.1").is_file());
}
