//! The pages in `docs/papers` are run: every block of commands, against the block that follows it.
//!
//! A block of commands is fenced as `sh`, its output as `text`. Commands run in the root of the
//! repository, one block in one shell; what they print to standard output is compared. A block that
//! needs `../shared/data` is skipped without it. `UPDATE_DOCS=1` writes what came out into the pages.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::support::root;

/// A piece of a page: text as it is, or commands with the output that the page shows.
enum Piece {
    Prose(String),
    Commands { commands: String, shown: Option<String> },
}

const OPEN: &str = "```sh\n";
const OUTPUT: &str = "```text\n";
const CLOSE: &str = "```\n";

/// Takes a page apart. An output may be apart from its commands by blank lines.
fn pieces(page: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find(OPEN) {
        pieces.push(Piece::Prose(rest[..start].to_string()));
        let body = &rest[start + OPEN.len()..];
        let end = body.find(CLOSE).expect("a block of commands ends");
        let commands = body[..end].to_string();
        rest = &body[end + CLOSE.len()..];
        let shown = rest.trim_start_matches('\n').strip_prefix(OUTPUT).map(|output| {
            let end = output.find(CLOSE).expect("a block of output ends");
            rest = &output[end + CLOSE.len()..];
            output[..end].to_string()
        });
        pieces.push(Piece::Commands { commands, shown });
    }
    pieces.push(Piece::Prose(rest.to_string()));
    pieces
}

/// What a block of commands prints. It must succeed.
fn run(commands: &str) -> String {
    let axio = Path::new(env!("CARGO_BIN_EXE_axio"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-e", "-c", commands])
        .current_dir(root())
        .env("PATH", format!("{}:{path}", axio.parent().unwrap().display()))
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{commands}{}", text(&output.stderr));
    // Pages outlive versions.
    text(&output.stdout).replace(&format!("axio {}", env!("CARGO_PKG_VERSION")), "axio")
}

fn needs_data(commands: &str) -> bool {
    commands.contains("../shared/data") && !root().join("../shared/data").is_dir()
}

#[test]
fn every_command_of_the_pages_prints_what_the_page_shows() {
    let folder = root().join("docs/papers");
    let Ok(files) = std::fs::read_dir(&folder) else { return };
    let mut pages: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    let mut wrong = Vec::new();
    for path in pages {
        let page = std::fs::read_to_string(&path).unwrap();
        let mut made = String::new();
        for piece in pieces(&page) {
            let (commands, shown) = match piece {
                Piece::Prose(prose) => {
                    made.push_str(&prose);
                    continue;
                }
                Piece::Commands { commands, shown } => (commands, shown),
            };
            let printed = if needs_data(&commands) {
                eprintln!("skipped without ../shared/data: {commands}");
                shown.clone().unwrap_or_default()
            } else {
                run(&commands)
            };
            if shown.as_deref() != Some(printed.as_str()) {
                wrong.push(format!("{}:\n{commands}prints\n{printed}", path.display()));
            }
            made.push_str(&[OPEN, &commands, CLOSE, "\n", OUTPUT, &printed, CLOSE].concat());
        }
        if std::env::var_os("UPDATE_DOCS").is_some() && made != page {
            std::fs::write(&path, made).unwrap();
        }
    }
    let updated = std::env::var_os("UPDATE_DOCS").is_some();
    assert!(updated || wrong.is_empty(), "{}\nUPDATE_DOCS=1 writes the pages", wrong.join("\n"));
}

#[test]
fn pages_are_taken_apart() {
    let page = "a\n```sh\nx\n```\n\n```text\ny\n```\nb\n```sh\nz\n```\nc\n";
    let found: Vec<String> = pieces(page)
        .into_iter()
        .map(|piece| match piece {
            Piece::Prose(prose) => prose,
            Piece::Commands { commands, shown } => format!("{commands}>{shown:?}"),
        })
        .collect();
    assert_eq!(found, ["a\n", "x\n>Some(\"y\\n\")", "b\n", "z\n>None", "c\n"]);
}
