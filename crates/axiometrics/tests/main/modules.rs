//! The modules of the library point one way, in the order of ARCHITECTURE.md, and each of its types
//! has a name of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules in the order in which they may import: each only what comes before it. The list is
/// read from ARCHITECTURE.md, so that the page and the code cannot disagree.
fn order() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ARCHITECTURE.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("<!-- order of modules -->\n").unwrap();
    let (list, _) = rest.split_once("<!-- end of order -->").unwrap();
    list.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push(path);
        }
    }
    all
}

/// A source without its tests, which stand at its end.
fn without_tests(source: &str) -> &str {
    source.split("mod tests {").next().unwrap_or("")
}

/// The modules that a source imports, comments and tests apart.
fn imports(source: &str) -> BTreeSet<String> {
    let code: String = without_tests(source)
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => found.extend(first_word(rest)),
            Some(group) => found.extend(heads(group)),
        }
    }
    found
}

fn first_word(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_string())
}

/// The first words of the members of a group, up to its closing bracket.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut heads) = (0, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                heads.extend(first_word(group[start..i].trim()));
                start = i + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn imports_point_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order = order();
    let place = |name: &str| order.iter().position(|module| module == name);
    let mut met = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).unwrap();
        let parts: Vec<&str> = relative.iter().filter_map(|part| part.to_str()).collect();
        let module = parts[0].trim_end_matches(".rs");
        if module == "lib" || parts.iter().any(|p| matches!(*p, "tests" | "tests.rs")) {
            continue;
        }
        let own = place(module)
            .unwrap_or_else(|| panic!("{module} is not in the order of ARCHITECTURE.md"));
        met.insert(module.to_string());
        for import in imports(&std::fs::read_to_string(&path).unwrap()) {
            let against = place(&import).is_some_and(|other| other > own);
            // The laboratory decides from definitions alone.
            let check = module == "check" && matches!(import.as_str(), "io" | "report");
            if against || check {
                wrong.push(format!("{} imports {import}", relative.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of modules:\n{}", wrong.join("\n"));
    let missing: Vec<&String> = order.iter().filter(|module| !met.contains(*module)).collect();
    assert!(missing.is_empty(), "in ARCHITECTURE.md, but not in the library: {missing:?}");
}

/// One name, one thing: a reader who meets a type need not ask which one it is.
#[test]
fn every_type_has_a_name_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).unwrap();
        if relative.iter().any(|part| part.to_string_lossy().contains("tests")) {
            continue;
        }
        for name in types(without_tests(&std::fs::read_to_string(&path).unwrap())) {
            files.entry(name).or_default().push(relative.display().to_string());
        }
    }
    let shared = files.iter().filter(|(_, files)| files.len() > 1);
    let wrong: Vec<String> =
        shared.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect();
    assert!(wrong.is_empty(), "one name, several types:\n{}", wrong.join("\n"));
}

/// The names of the types that a source defines. An associated type has its name from elsewhere.
fn types(source: &str) -> Vec<String> {
    let defined = |line: &str| {
        let item = line.trim_start();
        let item = match item.strip_prefix("pub(") {
            Some(limited) => limited.split_once(") ")?.1,
            None => item.strip_prefix("pub ").unwrap_or(item),
        };
        let (keyword, rest) = item.split_once(' ')?;
        match keyword {
            "struct" | "enum" | "union" | "trait" => first_word(rest),
            "type" if !line.starts_with(' ') => first_word(rest),
            _ => None,
        }
    };
    source.lines().filter_map(defined).collect()
}

#[test]
fn the_reader_of_types_sees_them_all() {
    let source = "pub struct A<'a> {\n    pub type_: B,\n}\npub(in crate::x) enum C {}\ntrait D: E {\n    type F;\n}\ntype G = H;\nfn i() {\n    struct J;\n}\n// struct K;\nmod tests {\n    struct L;\n}";
    assert_eq!(types(without_tests(source)), ["A", "C", "D", "G", "J"]);
}

/// Advice is worded by the shells, so no text of the library names an option or a subcommand of the
/// command. Documents that tell how to replay a witness, or who made them, may.
#[test]
fn the_library_does_not_speak_in_flags() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).unwrap();
        let replays = ["check/witness", "check/organization", "report", "trec_eval"];
        if replays.iter().any(|folder| relative.starts_with(folder))
            || relative == Path::new("check/witness.rs")
            || relative.iter().any(|part| part.to_string_lossy().starts_with("tests"))
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let spoken = without_tests(&text).lines().filter(|line| speaks_in_flags(line));
        wrong.extend(spoken.map(|line| format!("{}: {}", relative.display(), line.trim())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// True if a line of code, not a comment, has a text with `--option` or `axio word` in it.
fn speaks_in_flags(line: &str) -> bool {
    let Some((_, text)) = line.split_once('"') else { return false };
    let follows = |mark: &str| {
        text.match_indices(mark).any(|(at, _)| {
            let apart = text[..at].chars().last().is_none_or(|c| !c.is_alphanumeric() && c != '-');
            apart && text[at + mark.len()..].starts_with(|c: char| c.is_ascii_lowercase())
        })
    };
    !line.trim_start().starts_with("//") && (follows("--") || follows("axio "))
}

#[test]
fn flags_are_told_from_other_text() {
    assert!(speaks_in_flags("    .help(\"use --missing zero\")"));
    assert!(speaks_in_flags("    let message = \"axio convert makes text of it\";"));
    assert!(!speaks_in_flags("    // such as \"--missing zero\""));
    assert!(!speaks_in_flags("    let dash = \"a -- b, x--y\";"));
}

#[test]
fn the_reader_of_imports_sees_them_all() {
    let source = "use crate::a::B;\nuse crate::{c::{D, e}, f, g::H};\n// crate::no\nfn x() { crate::i::j() }\n#[cfg(test)]\nmod tests { use crate::no; }";
    let found: Vec<String> = imports(source).into_iter().collect();
    assert_eq!(found, ["a", "c", "f", "g", "i"]);
}

/// The table of dependencies in docs/trust.md has every library that is used directly, and no other.
#[test]
fn every_dependency_has_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (_, list) = manifest.split_once("[workspace.dependencies]\n").unwrap();
    let used: BTreeSet<&str> = list
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.contains("path = "))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .collect();
    let page = std::fs::read_to_string(root.join("docs/trust.md")).unwrap();
    let (_, table) = page.split_once("| library | for |\n|---|---|\n").unwrap();
    let told: BTreeSet<&str> = table
        .lines()
        .map_while(|line| line.strip_prefix("| ")?.split(" |").next())
        .flat_map(|names| names.split(", "))
        .collect();
    assert_eq!(told, used);
    // No crate has a dependency that is not in the list.
    let mut crates: Vec<PathBuf> = std::fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("Cargo.toml"))
        .collect();
    crates.push(root.join("fuzz/Cargo.toml"));
    for path in crates {
        let manifest = std::fs::read_to_string(&path).unwrap();
        let mut listed = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                listed = line.ends_with("dependencies]");
            } else if listed && line.contains(" = ") && !line.starts_with('#') {
                assert!(line.contains("workspace = true"), "{}: {line}", path.display());
            }
        }
    }
}
