//! Names of systems, from their files.

use std::collections::HashMap;
use std::path::Path;

/// The file names without directory and compression suffix, made unique by a number where two are equal.
pub(super) fn of(paths: &[String]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::with_capacity(paths.len());
    for path in paths {
        let file = Path::new(path).file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        let suffixes = [".gz", ".zst", ".lz4", ".bz2"];
        let name = suffixes.iter().find_map(|suffix| file.strip_suffix(suffix)).unwrap_or(&file).to_string();
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        names.push(if *count == 1 { name } else { format!("{name}#{count}") });
    }
    names
}

#[cfg(test)]
mod tests {
    #[test]
    fn are_short_and_unique() {
        let paths = ["a/run.tsv.gz", "b/run.tsv", "c/x", "-"].map(String::from);
        assert_eq!(super::of(&paths), ["run.tsv", "run.tsv#2", "x", "-"]);
    }
}
