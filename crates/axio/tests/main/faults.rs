//! What goes wrong outside of the program: full disks, files that cannot be read, closed pipes,
//! signals. The exit code, a message that names the place, and nothing half-written.

#![cfg(unix)]

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{axio_in, command, folder};

const QRELS: &[u8] = b"1 0 a 1\n1 0 b 0\n2 0 c 1\n";
const RUN: &[u8] = b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 c 1 1 t\n";

/// A run of so many topics with ten documents each.
fn long_run(topics: usize) -> Vec<u8> {
    let mut run = Vec::new();
    for topic in 0..topics {
        for rank in 1..=10 {
            writeln!(run, "{topic} Q0 document-{topic}-{rank} {rank} {} tag", 11 - rank).unwrap();
        }
    }
    run
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_full_standard_output_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let files = folder(&[("qrels", QRELS), ("run", RUN)]);
    for (args, code) in [
        (&["--help"][..], 2),
        (&["--version"], 2),
        (&["eval", "--help"], 2),
        (&["measures"], 2),
        (&["explain", "AP"], 2),
        (&["completions", "bash"], 2),
        (&["eval", "qrels", "run"], 2),
        (&["eval", "qrels", "run", "--format", "json"], 2),
        (&["convert", "run", "--to", "csv"], 2),
        (&["trec_eval", "-h"], 8),
        (&["trec_eval", "qrels", "run"], 8),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(files.path(), args).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains("No space left on device"), "{args:?}: {stderr}");
    }
}

/// A file may not grow beyond a limit: the shell's `ulimit -f` stands for a full disk.
#[test]
fn a_full_disk_leaves_what_was_there() {
    let files = folder(&[("run", &long_run(2000)), ("out.csv", b"old\n")]);
    for target in ["out.csv", "new.csv", "new.csv.gz", "out.jsonl"] {
        let script = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" convert run {target}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_axio")])
            .current_dir(files.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{target}: {stderr}");
        assert!(stderr.starts_with(&format!("error: {target}: ")), "{stderr}");
        assert_eq!(names(files.path()), ["out.csv", "run"], "{target}");
    }
    assert_eq!(std::fs::read(files.path().join("out.csv")).unwrap(), b"old\n");
}

#[test]
fn a_missing_or_full_folder_for_temporary_files_is_named() {
    let files = folder(&[("qrels", QRELS)]);
    let mut called = command(files.path(), &["eval", "qrels", "-"])
        .env("TMPDIR", "/no/such/folder")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read anything.
    let _ = called.stdin.take().unwrap().write_all(RUN);
    let output = called.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("a temporary file in /no/such/folder: no such file"), "{stderr}");
    assert!(stderr.contains("TMPDIR"), "{stderr}");

    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" eval qrels -";
    let mut called = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_axio")])
        .current_dir(files.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = called.stdin.take().unwrap().write_all(&long_run(5000));
    let output = called.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
    assert!(stderr.starts_with("error: a temporary file in "), "{stderr}");
}

/// A device and a pipe that never end, within a folder that may grow by 200 MB.
#[test]
fn a_stream_without_end_is_refused_while_it_is_copied() {
    let files = folder(&[("qrels", QRELS), ("run", b"1 Q0 a 1 2 t\n")]);
    for (input, option, why) in [
        ("/dev/zero", "", "found no end of the line within 64 MB"),
        ("- </dev/zero", "", "found no end of the line within 64 MB"),
        ("- </dev/zero", "--max-spool 3MB", "-: more than 3 MB, which is the most"),
    ] {
        let script = format!("ulimit -f 409600; \"$0\" eval qrels {input} {option}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_axio")])
            .current_dir(files.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
        assert!(stderr.contains(why), "{input}: {stderr}");
        assert!(option.is_empty() || stderr.contains("allow more with --max-spool"), "{stderr}");
    }
    // Every command that reads a pipe has the option that the error names.
    for command in ["convert - x.csv", "validate -", "fuse run -", "explain AP qrels - --topic 1"] {
        let script = format!("\"$0\" {command} --max-spool 1MB </dev/zero");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_axio")])
            .current_dir(files.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {stderr}");
        assert!(stderr.contains("-: more than 1 MB"), "{command}: {stderr}");
    }
    let called = axio_in(files.path(), &["eval", "qrels", "qrels", "--max-spool", "much"]);
    assert!(called.code == 2 && called.stderr.contains("such as 500MB or 64GB"), "{called}");
}

/// The memory of a process is a file whose first bytes cannot be read.
#[test]
fn a_file_that_fails_to_be_read_is_named() {
    if !Path::new("/proc/self/mem").exists() {
        return;
    }
    let files = folder(&[("qrels", QRELS), ("run", RUN)]);
    for args in [
        ["eval", "qrels", "/proc/self/mem"],
        ["eval", "/proc/self/mem", "run"],
        ["validate", "qrels", "/proc/self/mem"],
    ] {
        let called = axio_in(files.path(), &args);
        assert_eq!((called.code, called.stdout.as_str()), (2, ""), "{called}");
        assert!(called.stderr.contains("/proc/self/mem: "), "{called}");
    }
}

/// The program is held when it has read a part of the file, and goes on when the file is shorter.
#[test]
fn a_file_that_becomes_shorter_while_it_is_read_is_an_error() {
    if !Path::new("/proc/self/io").exists() {
        return;
    }
    const BEGUN: u64 = 3 << 20;
    let run = long_run(100_000);
    for args in [
        &["eval", "qrels", "run", "--threads", "1"][..],
        &["eval", "qrels", "run", "--threads", "2"],
        &["validate", "qrels", "run"],
        &["convert", "run", "out.csv"],
        &["trec_eval", "qrels", "run"],
    ] {
        let files = folder(&[("qrels", QRELS), ("run", &run)]);
        let called = command(files.path(), args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let id = called.id().to_string();
        let signal = |name: &str| {
            assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
        };
        let read = || {
            let counts = std::fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
            let read = counts.lines().find_map(|line| line.strip_prefix("rchar: "));
            read.map_or(BEGUN, |bytes| bytes.parse().unwrap())
        };
        while read() < BEGUN {
            std::thread::sleep(Duration::from_micros(200));
        }
        signal("-STOP");
        assert!(read() < run.len() as u64, "{args:?} had read the whole file");
        let file = std::fs::OpenOptions::new().write(true).open(files.path().join("run")).unwrap();
        file.set_len(BEGUN / 2).unwrap();
        signal("-CONT");
        let output = called.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let why = "run: the file became shorter while it was read";
        assert!(stderr.contains(why), "{args:?}: {stderr}");
        assert_eq!(names(files.path()), ["qrels", "run"], "{args:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let files = folder(&[("qrels", QRELS), ("run", &long_run(5000))]);
    for args in [
        &["convert", "run", "--to", "jsonl"][..],
        &["measures"],
        &["--help"],
        &["eval", "qrels", "run", "--per-topic", "--format", "tsv", "--quiet"],
    ] {
        let mut called = command(files.path(), args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(called.stdout.take());
        let output = called.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// A signal that comes while a file is written ends the program as it should, and the file that
/// was there before is all that is left.
#[test]
fn signals_leave_nothing_half_written() {
    let run = long_run(60_000);
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let files = folder(&[("run", &run), ("out.jsonl.bz2", b"old")]);
        let mut called = command(files.path(), &["convert", "run", "out.jsonl.bz2"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while names(files.path()).len() < 3 {
            assert!(began.elapsed() < Duration::from_secs(120), "no file was begun");
            assert_eq!(called.try_wait().unwrap(), None, "it ended before the signal");
            std::thread::sleep(Duration::from_millis(2));
        }
        let killed =
            Command::new("kill").args([&format!("-{name}"), &called.id().to_string()]).status();
        assert!(killed.unwrap().success());
        let status = called.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{name}: {status}");
        assert_eq!(names(files.path()), ["out.jsonl.bz2", "run"], "{name}");
        assert_eq!(std::fs::read(files.path().join("out.jsonl.bz2")).unwrap(), b"old");
    }
}

/// Started as `nohup` starts it, the program goes on, and other signals still end it.
#[test]
fn signals_that_are_ignored_stay_ignored() {
    if !Path::new("/proc/self/status").exists() {
        return;
    }
    let files = folder(&[("run", &long_run(60_000))]);
    let mut called = Command::new("sh")
        .args(["-c", "trap '' HUP INT; exec \"$0\" convert run out.jsonl.bz2"])
        .arg(env!("CARGO_BIN_EXE_axio"))
        .current_dir(files.path())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while names(files.path()).len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(120), "no file was begun");
        std::thread::sleep(Duration::from_millis(2));
    }
    let signal = |name: &str| {
        assert!(
            Command::new("kill").args([name, &called.id().to_string()]).status().unwrap().success()
        );
    };
    signal("-HUP");
    signal("-INT");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(names(files.path()), [".out.jsonl.bz2.axio-tmp", "run"]);
    signal("-TERM");
    assert_eq!(called.wait().unwrap().signal(), Some(15));
    assert_eq!(names(files.path()), ["run"]);
}

/// A program that is killed cannot tidy up; the next one that writes the same file does.
#[test]
fn what_a_killed_program_left_is_removed_by_the_next() {
    let files = folder(&[("run", &long_run(60_000))]);
    let mut called = command(files.path(), &["convert", "run", "out.jsonl.bz2"]).spawn().unwrap();
    let began = Instant::now();
    while names(files.path()).len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(120), "no file was begun");
        std::thread::sleep(Duration::from_millis(2));
    }
    called.kill().unwrap();
    called.wait().unwrap();
    assert_eq!(names(files.path()), [".out.jsonl.bz2.axio-tmp", "run"]);
    std::fs::write(files.path().join("run"), RUN).unwrap();
    let called = axio_in(files.path(), &["convert", "run", "out.jsonl.bz2"]);
    assert_eq!(called.code, 0, "{called}");
    assert_eq!(names(files.path()), ["out.jsonl.bz2", "run"]);
}

/// Standard output that was opened for reading: what is written to it is lost.
#[test]
fn a_standard_output_that_cannot_be_written_is_an_error() {
    let files = folder(&[("qrels", QRELS), ("run", RUN)]);
    for args in
        [&["eval", "qrels", "run"][..], &["convert", "run", "--to", "csv"], &["explain", "AP"]]
    {
        let closed = std::fs::File::open(files.path().join("run")).unwrap();
        let output = command(files.path(), args).stdout(closed).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains("standard output"), "{args:?}: {stderr}");
    }
}

#[test]
fn arguments_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let files = folder(&[("qrels", QRELS)]);
    let odd = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
    std::fs::write(files.path().join(odd(b"r\xff")), RUN).unwrap();
    let output = command(files.path(), &["report", "qrels"])
        .arg(odd(b"r\xff"))
        .arg("-o")
        .arg(odd(b"page\xfe.html"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(files.path().join(odd(b"page\xfe.html")).exists());
}

/// Names of files and arguments that would act on a terminal.
#[test]
fn messages_do_not_act() {
    let files = folder(&[("qrels", QRELS)]);
    let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    for args in [
        &["eval", "qrels", "no\u{1b}[31m\u{202e}such"][..],
        &["eval", "qrels", "r", "-m", "A\u{1b}[31mP"],
        &["eval", "--A\u{9b}31m\u{1b}]0;x\u{7}"],
        &["check", "x\u{1b}[2J.toml"],
        &["trec_eval", "qrels", "no\u{1b}[31msuch"],
        &["trec_eval", "-m", "no\u{1b}[31msuch", "qrels", "qrels"],
    ] {
        let called = axio_in(files.path(), args);
        assert!(called.code != 0, "{args:?}");
        assert!(!called.stderr.contains(acts), "{args:?}: {:?}", called.stderr);
    }
    // On a terminal the parser's own messages have colours, and arguments stand in them.
    for args in [
        &["eval", "qrels", "r", "--x\u{1b}[45m"][..],
        &["ev\u{1b}[45mal"],
        &["eval", "qrels", "r", "--format", "\u{1b}[45m"],
    ] {
        let output = command(files.path(), args).env("CLICOLOR_FORCE", "1").output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && !told.contains(acts), "{args:?}: {told:?}");
    }
}

/// Topics and documents that would, in the sentences of an explanation.
#[test]
fn explanations_do_not_act() {
    let side = |cluster: &str| {
        format!("topic,doc,cluster\nt\u{9b},\"a\u{1b}]0;X\u{7}\",{cluster}\nt\u{9b},b,c\n")
    };
    let (gold, system) = (side("c"), side("k"));
    let files = folder(&[("g", gold.as_bytes()), ("s", system.as_bytes())]);
    let called = axio_in(files.path(), &["organize", "g", "s", "--explain"]);
    assert_eq!(called.code, 0, "{}", called.stderr);
    assert!(called.stdout.contains(" is lost: "), "{}", called.stdout);
    assert!(!called.stdout.contains(|c: char| c.is_control() && c != '\n'), "{:?}", called.stdout);
}
