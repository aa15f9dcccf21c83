//! The pages in `docs` are run: every block that shows a command, against the output it shows.
//!
//! Each page has a folder of its own, in which everything of the root of the repository is found, so
//! that its commands can write files. The blocks run in the order of the page:
//!
//! - `sh`: all of the block is one script, which must succeed. A `text` block that follows is its
//!   standard output. In `docs/papers` there must be one.
//! - `$ command` in any other block, and below it what the command prints: its standard output, or
//!   its errors if there is none. Long lines may be broken between words.
//! - `toml NAME`: the file of this name.
//! - `<!-- setup ... -->`: a script that readers need not see.
//!
//! `<!-- not run: REASON -->` exempts the block that follows. A block that needs `../shared/data` is
//! skipped without it. `UPDATE_DOCS=1` writes what came out into the pages.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::root;

/// A piece of a page.
#[derive(Debug, PartialEq)]
enum Piece {
    /// A line outside of blocks, or the lines of a block that runs nothing.
    Prose(String),
    /// A script, and the output that the page shows.
    Script { script: String, shown: Option<String> },
    /// A block of commands, each with what it prints.
    Transcript { kind: String, steps: Vec<(String, String)> },
    /// A file that the page shows.
    File { name: String, text: String },
    /// A script in a comment.
    Setup(String),
}

const FENCE: &str = "```";
const SETUP: &str = "<!-- setup\n";
const NOT_RUN: &str = "<!-- not run: ";

/// Takes a page apart. An output may follow its script after blank lines.
fn pieces(page: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut exempt = false;
    let mut rest = page;
    while !rest.is_empty() {
        if let Some(setup) = rest.strip_prefix(SETUP) {
            let (script, behind) = setup.split_once("-->\n").expect("a comment ends");
            pieces.push(Piece::Setup(script.to_string()));
            rest = behind;
            continue;
        }
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        let Some(kind) = line.strip_prefix(FENCE) else {
            exempt |= line.strip_prefix(NOT_RUN).is_some_and(|reason| reason.len() > " -->".len());
            let end = rest.len() - behind.len();
            pieces.push(Piece::Prose(rest[..end].to_string()));
            rest = behind;
            continue;
        };
        let (body, behind) = block(behind);
        let whole = &rest[..rest.len() - behind.len()];
        rest = behind;
        if std::mem::take(&mut exempt) {
            pieces.push(Piece::Prose(whole.to_string()));
        } else if kind == "sh" {
            let output = rest.trim_start_matches('\n').strip_prefix("```text\n");
            let shown = output.map(block).filter(|(shown, _)| !is_transcript(shown));
            if let Some((_, behind)) = shown {
                rest = behind;
            }
            let shown = shown.map(|(shown, _)| shown.to_string());
            pieces.push(Piece::Script { script: body.to_string(), shown });
        } else if let Some(name) = kind.strip_prefix("toml ") {
            pieces.push(Piece::File { name: name.to_string(), text: body.to_string() });
            pieces.push(Piece::Prose(whole.to_string()));
        } else if is_transcript(body) {
            pieces.push(Piece::Transcript { kind: kind.to_string(), steps: steps(body) });
        } else {
            pieces.push(Piece::Prose(whole.to_string()));
        }
    }
    pieces
}

/// The lines of a block, and what follows its end.
fn block(text: &str) -> (&str, &str) {
    if let Some(behind) = text.strip_prefix("```\n") {
        return ("", behind);
    }
    let end = text.find("\n```").expect("a block ends") + 1;
    let behind = &text[end + FENCE.len()..];
    (&text[..end], behind.strip_prefix('\n').unwrap_or(behind))
}

fn is_transcript(body: &str) -> bool {
    body.starts_with("$ ")
}

/// The commands of a transcript with what follows each. A command that ends in a backslash goes on.
fn steps(body: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for line in body.split_inclusive('\n') {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push((command.to_string(), String::new())),
            (None, Some((command, shown))) => {
                if command.ends_with("\\\n") { command } else { shown }.push_str(line);
            }
            (None, None) => {}
        }
    }
    steps
}

/// A folder that looks like the root of the repository, beside the data of the tests.
struct Workplace(tempfile::TempDir);

/// What a command did.
struct Done {
    succeeded: bool,
    stdout: String,
    stderr: String,
}

impl Workplace {
    fn new() -> Workplace {
        let place = Workplace(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(place.root().join("target")).unwrap();
        let link = |to: &Path, from: PathBuf| std::os::unix::fs::symlink(to, from).unwrap();
        for entry in std::fs::read_dir(root()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != "target" {
                link(&entry.path(), place.root().join(entry.file_name()));
            }
        }
        link(&root().join("../shared"), place.0.path().join("shared"));
        place
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    fn run(&self, script: &str) -> Done {
        let axio = Path::new(env!("CARGO_BIN_EXE_axio"));
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("bash")
            .args(["-e", "-c", script])
            .current_dir(self.root())
            .env("PATH", format!("{}:{path}", axio.parent().unwrap().display()))
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let text = |bytes: &[u8]| plain(&String::from_utf8_lossy(bytes));
        Done {
            succeeded: output.status.success(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

/// A text as pages have it: they outlive versions, and editors remove blanks at the end of lines.
fn plain(text: &str) -> String {
    let text = text.replace(concat!("axio ", env!("CARGO_PKG_VERSION")), "axio");
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A text as a transcript has it, which may break long lines as a narrow terminal does.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    plain(&words.join(" "))
}

fn needs_data(commands: &str) -> bool {
    commands.contains("../shared/data") && !root().join("../shared/data").is_dir()
}

/// A page as it comes out, and what is wrong with it.
fn followed(path: &Path, page: &str) -> (String, Vec<String>) {
    let place = Workplace::new();
    let of_papers = path.parent().is_some_and(|folder| folder.ends_with("papers"));
    let (mut made, mut wrong) = (String::new(), Vec::new());
    let mut differs = |command: &str, printed: &str| {
        wrong.push(format!("{}:\n{command}prints\n{printed}", path.display()));
    };
    for piece in pieces(page) {
        match piece {
            Piece::Prose(text) => {
                let shows_command =
                    text.starts_with(FENCE) && text.lines().any(|line| line.starts_with("axio "));
                if shows_command && !made.ends_with("-->\n") {
                    differs(&text, "nothing: write sh, or $ before each command\n");
                }
                made.push_str(&text);
            }
            Piece::Setup(script) => {
                let done = place.run(&script);
                assert!(done.succeeded, "{}: {script}{}", path.display(), done.stderr);
                made.push_str(&format!("{SETUP}{script}-->\n"));
            }
            Piece::File { name, text } => std::fs::write(place.root().join(name), text).unwrap(),
            Piece::Script { script, shown } => {
                made.push_str(&format!("```sh\n{script}```\n"));
                let printed = if needs_data(&script) {
                    eprintln!("skipped without ../shared/data: {script}");
                    shown.as_deref().map(plain)
                } else {
                    let done = place.run(&script);
                    if !done.succeeded {
                        differs(&script, &format!("{}and fails\n", done.stderr));
                    }
                    Some(done.stdout).filter(|_| shown.is_some() || of_papers)
                };
                let Some(printed) = printed else { continue };
                if shown.as_deref().map(plain).as_ref() == Some(&printed) {
                    made.push_str(&format!("\n```text\n{}```\n", shown.unwrap_or_default()));
                } else {
                    differs(&script, &printed);
                    made.push_str(&format!("\n```text\n{printed}```\n"));
                }
            }
            Piece::Transcript { kind, steps } => {
                made.push_str(&format!("```{kind}\n"));
                for (command, shown) in steps {
                    let done = if needs_data(&command) { None } else { Some(place.run(&command)) };
                    let printed = match done {
                        Some(done) if done.stdout.is_empty() => done.stderr,
                        Some(done) => done.stdout,
                        None => plain(&shown),
                    };
                    let same = words(&shown) == words(&printed);
                    if !same {
                        differs(&command, &printed);
                    }
                    let output = if same { &shown } else { &printed };
                    made.push_str(&format!("$ {command}{output}"));
                }
                made.push_str("```\n");
            }
        }
    }
    (made, wrong)
}

fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut pages: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

fn follow(folder: &str) {
    let updates = std::env::var_os("UPDATE_DOCS").is_some();
    let mut all_wrong = Vec::new();
    for path in pages_in(&root().join(folder)) {
        let page = std::fs::read_to_string(&path).unwrap();
        let (made, wrong) = followed(&path, &page);
        if updates && made != page {
            std::fs::write(&path, made).unwrap();
        }
        all_wrong.extend(wrong);
    }
    assert!(
        updates || all_wrong.is_empty(),
        "{}\nUPDATE_DOCS=1 writes the pages",
        all_wrong.join("\n")
    );
}

#[test]
fn every_command_of_the_pages_on_papers_prints_what_the_page_shows() {
    follow("docs/papers");
}

#[test]
fn every_command_of_the_guides_prints_what_the_page_shows() {
    follow("docs");
}

#[test]
fn pages_are_taken_apart() {
    let page = "a\n```sh\nx\n```\n\n```text\ny\n```\nb\n```sh\nz\n```\nc\n\
        <!-- setup\ns\n-->\n```toml f.toml\nf\n```\n```console\n$ p \\\nq\nr\n$ t\n```\n\
        <!-- not run: it waits -->\n```sh\nu\n```\n```text\nv\n```\n";
    let prose = |text: &str| Piece::Prose(text.to_string());
    let script = |script: &str, shown: Option<&str>| Piece::Script {
        script: script.to_string(),
        shown: shown.map(str::to_string),
    };
    let step = |command: &str, shown: &str| (command.to_string(), shown.to_string());
    let expected = [
        prose("a\n"),
        script("x\n", Some("y\n")),
        prose("b\n"),
        script("z\n", None),
        prose("c\n"),
        Piece::Setup("s\n".to_string()),
        Piece::File { name: "f.toml".to_string(), text: "f\n".to_string() },
        prose("```toml f.toml\nf\n```\n"),
        Piece::Transcript {
            kind: "console".to_string(),
            steps: vec![step("p \\\nq\n", "r\n"), step("t\n", "")],
        },
        prose("<!-- not run: it waits -->\n"),
        prose("```sh\nu\n```\n"),
        prose("```text\nv\n```\n"),
    ];
    assert_eq!(pieces(page), expected);
}
