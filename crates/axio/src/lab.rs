//! `axio lab`: the laboratory as a folder that a browser opens.
//!
//! The site is a part of the command if it was built with the feature `lab`, which needs `web/dist`.
//! Without it the command stays small, and says how the site is built.

use std::fs;
use std::path::{Path, PathBuf};

use axiometrics::Error;

use crate::{ExitCode, output};

const AFTER_HELP: &str = "\
Examples:
  axio lab target/lab";

/// Write the laboratory to a folder: measures to play with, in the browser
///
/// The folder holds a page that runs the whole library in the browser, without a server; any static
/// host serves it. Nothing leaves the machine.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, hide = FILES.is_empty())]
pub(crate) struct Args {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = "axiometrics-lab")]
    folder: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// The files of the site, by their places in the folder.
#[cfg(feature = "lab")]
const FILES: &[(&str, &[u8])] = &{
    macro_rules! site {
        ($($name:literal),* $(,)?) => {
            [$(($name, include_bytes!(concat!("../../../web/dist/", $name)).as_slice())),*]
        };
    }
    site![
        "index.html",
        "axiometrics.wasm",
        "axiometrics-files.wasm",
        "embedded.js",
        "embedded-files.js",
        "icon.svg",
        "lab.css",
        "lab.js",
        "offline.js",
        "plots.js",
        "theme.js",
        "verdicts.json",
        "worker.js",
        "examples/passages-bm25.run",
        "examples/passages-dense.run",
        "examples/passages-qrels.txt",
        "examples/passages-reranked.run",
        "examples/web-bm25-rm3.run",
        "examples/web-bm25.run",
        "examples/web-dense.run",
        "examples/web-hybrid.run",
        "examples/web-qrels.txt",
    ]
};
#[cfg(not(feature = "lab"))]
const FILES: &[(&str, &[u8])] = &[];

/// A file by which a folder is known to hold the site.
const SIGN: &str = "axiometrics.wasm";

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if FILES.is_empty() {
        return Err(Error::usage("this axio was built without the laboratory")
            .help("in the repository, web/build makes the site in web/dist, and then cargo build --release --features lab puts it into the command")
            .into());
    }
    refuse_other_folder(&args.folder)?;
    for (name, bytes) in FILES {
        let path = args.folder.join(name);
        let fail = |e| Error::io(path.display().to_string(), e);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(fail)?;
        }
        fs::write(&path, bytes).map_err(fail)?;
    }
    let page = args.folder.join("index.html");
    output::stdout(format!("{}\n", page.display()).as_bytes())?;
    if args.open {
        open(&page)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a folder that holds something else.
fn refuse_other_folder(folder: &Path) -> axiometrics::Result<()> {
    let Ok(mut entries) = fs::read_dir(folder) else { return Ok(()) };
    if entries.next().is_none() || folder.join(SIGN).is_file() {
        return Ok(());
    }
    let name = folder.display();
    Err(Error::usage(format!("{name} holds other files, expected an empty or a new folder"))
        .help("name another folder"))
}

/// Opens the page with whatever the system opens pages with.
fn open(page: &Path) -> axiometrics::Result<()> {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let opened = std::process::Command::new(program).args(first).arg(page).status();
    match opened {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Error::usage(format!("{program} did not open {}", page.display()))
            .help("open it in a browser by hand")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list is what the site holds, if it was built.
    #[test]
    fn the_list_is_complete() {
        if FILES.is_empty() {
            return;
        }
        let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
        let count = |folder: &Path| {
            let entries = fs::read_dir(folder).unwrap();
            entries.filter(|entry| entry.as_ref().unwrap().path().is_file()).count()
        };
        assert_eq!(count(&site) + count(&site.join("examples")), FILES.len());
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(refuse_other_folder(folder.path()).is_ok());
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        assert!(refuse_other_folder(folder.path()).is_err());
        fs::write(folder.path().join(SIGN), "").unwrap();
        assert!(refuse_other_folder(folder.path()).is_ok());
    }
}
