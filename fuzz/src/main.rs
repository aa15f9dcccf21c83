//! Seeded mutations of the corpus, without coverage: for `./test`, on any toolchain.
//!
//! ```text
//! seeded [--seconds 60] [--seed 1] [TARGET ...]
//! ```
//!
//! An input that makes a target panic, or that takes too long, is written to `fuzz/artifacts`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use axio_fuzz::{TARGETS, Target};

/// An input may take no longer than this.
const PATIENCE: Duration = Duration::from_secs(10);
/// Inputs grow no longer than this.
const LONGEST: usize = 4096;

/// Numbers that follow from the seed alone (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn main() -> ExitCode {
    let (mut seconds, mut seed, mut names) = (60, 1, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        match argument.as_str() {
            "--seconds" => seconds = number().unwrap_or(seconds),
            "--seed" => seed = number().unwrap_or(seed),
            _ => names.push(argument),
        }
    }
    let chosen: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| names.is_empty() || names.iter().any(|name| name == target.name))
        .collect();
    // Panics are reported once, with the input.
    std::panic::set_hook(Box::new(|_| {}));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let share = Duration::from_secs(seconds) / chosen.len().max(1) as u32;
    let mut failed = false;
    for target in chosen {
        match feed(target, root, share, seed) {
            Ok(inputs) => eprintln!("{:<14} {inputs} inputs, seed {seed}", target.name),
            Err(failure) => {
                eprintln!("{:<14} {failure}", target.name);
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Feeds a target with its corpus and with mutations of it, for some time; how many inputs.
fn feed(target: &Target, root: &Path, time: Duration, seed: u64) -> Result<u64, String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("corpus").join(target.name))
        .map_err(|e| format!("no corpus: {e}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    let mut dice = Dice(seed ^ target.name.bytes().map(u64::from).sum::<u64>() << 32);
    let (began, mut inputs) = (Instant::now(), 0);
    while inputs < corpus.len() as u64 || began.elapsed() < time {
        let input = match corpus.get(inputs as usize) {
            Some(whole) => whole.clone(),
            None => mutated(&corpus, target.words, &mut dice),
        };
        let started = Instant::now();
        let fed = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let why = match fed {
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_string()
            }
            Ok(()) if started.elapsed() > PATIENCE => "takes too long".to_string(),
            Ok(()) => {
                inputs += 1;
                continue;
            }
        };
        let folder = root.join("artifacts");
        let file = folder.join(format!("{}-{seed}-{inputs}", target.name));
        let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &input));
        let place = kept.map_or_else(|e| e.to_string(), |()| file.display().to_string());
        return Err(format!("input {inputs}: {why}\n  the input: {place}"));
    }
    Ok(inputs)
}

/// One of the corpus with some changes.
fn mutated(corpus: &[Vec<u8>], words: &[&str], dice: &mut Dice) -> Vec<u8> {
    let mut input = corpus.get(dice.below(corpus.len())).cloned().unwrap_or_default();
    for _ in 0..1 + dice.below(6) {
        let (from, to) = (dice.below(input.len() + 1), dice.below(input.len() + 1));
        let stretch = from.min(to)..from.max(to).min(from.min(to) + 64);
        match dice.below(7) {
            0 if !input.is_empty() => {
                let at = dice.below(input.len());
                input[at] ^= 1 << dice.below(8);
            }
            1 if !input.is_empty() => {
                let at = dice.below(input.len());
                input[at] = dice.next() as u8;
            }
            2 => {
                input.drain(stretch);
            }
            3 => {
                let copy = input[stretch].to_vec();
                input.splice(to..to, copy);
            }
            4 => {
                let other = &corpus[dice.below(corpus.len())];
                let at = dice.below(other.len() + 1);
                input.truncate(from);
                input.extend_from_slice(&other[at..]);
            }
            _ => {
                let word = words[dice.below(words.len())].bytes();
                input.splice(to..to, word);
            }
        }
        input.truncate(LONGEST);
    }
    input
}
