//! The options of trec_eval, read as GNU `getopt_long` reads them: short ones in clusters, long
//! ones by any unambiguous beginning, files anywhere between.

use std::ffi::{OsStr, OsString};

use axiometrics::trec_eval::{TrecSettings, number};

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) help: bool,
    pub(super) version: bool,
    /// Each topic, not only the summary.
    pub(super) per_topic: bool,
    pub(super) summary: bool,
    /// What decides the numbers.
    pub(super) settings: TrecSettings,
    pub(super) judgements: String,
    pub(super) results: String,
    pub(super) zscores: Option<OsString>,
    /// Measures, as written.
    pub(super) measures: Vec<String>,
    /// What is left: the files.
    pub(super) files: Vec<OsString>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            help: false,
            version: false,
            per_topic: false,
            summary: true,
            settings: TrecSettings::default(),
            judgements: "qrels".into(),
            results: "trec_results".into(),
            zscores: None,
            measures: Vec::new(),
            files: Vec::new(),
        }
    }
}

/// The options by their two names, and whether they take a value. (`--Output_old_results_format`
/// takes one, `-o` does not: so it is there.)
const NAMES: &[(char, &str, bool)] = &[
    ('h', "help", false),
    ('v', "version", false),
    ('q', "query_eval_wanted", false),
    ('m', "measure", true),
    ('c', "complete_rel_info_wanted", false),
    ('l', "level_for_rel", true),
    ('n', "nosummary", false),
    ('D', "Debug_level", true),
    ('J', "Judged_docs_only", false),
    ('N', "Number_docs_in_coll", true),
    ('M', "Max_retrieved_per_topic", true),
    ('R', "Rel_info_format", true),
    ('T', "Results_format", true),
    ('o', "Output_old_results_format", false),
    ('Z', "Zscore", true),
];

impl Options {
    /// The options of a command line without the name of the program. The error is a sentence for
    /// the user.
    pub(super) fn parse(args: &[OsString]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            match arg.to_str() {
                Some("--") => {
                    options.files.extend(rest.by_ref().cloned());
                }
                Some(long) if long.starts_with("--") => options.long(&long[2..], &mut rest)?,
                Some(cluster) if cluster.len() > 1 && cluster.starts_with('-') => {
                    options.short(&cluster[1..], &mut rest)?
                }
                _ => options.files.push(arg.clone()),
            }
        }
        Ok(options)
    }

    fn long<'a>(
        &mut self,
        text: &str,
        rest: &mut impl Iterator<Item = &'a OsString>,
    ) -> Result<(), String> {
        let (name, value) = text
            .split_once('=')
            .map_or((text, None), |(name, value)| (name, Some(OsString::from(value))));
        let exact = NAMES.iter().find(|(_, long, _)| *long == name);
        let mut near = NAMES.iter().filter(|(_, long, _)| long.starts_with(name));
        let (letter, long, takes_value) = match (exact, near.next(), near.next()) {
            (Some(known), ..) | (None, Some(known), None) => known,
            (None, Some(_), Some(_)) => return Err(format!("option '--{name}' is ambiguous")),
            (None, None, _) => return Err(format!("unrecognized option '--{name}'")),
        };
        let takes_value = *takes_value || *letter == 'o';
        match value {
            Some(_) if !takes_value => Err(format!("option '--{long}' doesn't allow an argument")),
            None if takes_value => {
                let value = rest
                    .next()
                    .cloned()
                    .ok_or_else(|| format!("option '--{long}' requires an argument"))?;
                self.set(*letter, value);
                Ok(())
            }
            value => {
                self.set(*letter, value.unwrap_or_default());
                Ok(())
            }
        }
    }

    fn short<'a>(
        &mut self,
        cluster: &str,
        rest: &mut impl Iterator<Item = &'a OsString>,
    ) -> Result<(), String> {
        for (at, letter) in cluster.char_indices() {
            let known = NAMES.iter().find(|(short, ..)| *short == letter);
            let (_, _, takes_value) =
                known.ok_or_else(|| format!("invalid option -- '{letter}'"))?;
            if !takes_value {
                self.set(letter, OsString::new());
                continue;
            }
            let glued = &cluster[at + letter.len_utf8()..];
            let value = if glued.is_empty() { rest.next().cloned() } else { Some(glued.into()) };
            self.set(
                letter,
                value.ok_or_else(|| format!("option requires an argument -- '{letter}'"))?,
            );
            break;
        }
        Ok(())
    }

    fn set(&mut self, letter: char, value: OsString) {
        let text = |value: &OsStr| value.to_string_lossy().into_owned();
        match letter {
            'h' => self.help = true,
            'v' => self.version = true,
            'q' => self.per_topic = true,
            'n' => self.summary = false,
            'c' => self.settings.complete = true,
            'J' => self.settings.judged_only = true,
            'm' => self.measures.push(text(&value)),
            'l' => self.settings.level = number::whole(&text(&value)),
            'N' => self.settings.collection = number::whole(&text(&value)),
            'M' => self.settings.depth = Some(number::whole(&text(&value))),
            // A level of debugging prints nothing here; the topic that may follow it is the only
            // one to be looked at.
            'D' => {
                self.settings.topic = text(&value).split_once('.').map(|(_, topic)| topic.into());
            }
            'R' => self.judgements = text(&value),
            'T' => self.results = text(&value),
            'Z' => self.zscores = Some(value),
            // The old format has been gone since version 9.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn clusters_glued_values_and_files_anywhere() {
        let o = parse("-qcl2 -mP.5 qrels -m map -M100 run -nJ").unwrap();
        assert!(o.per_topic && o.settings.complete && o.settings.judged_only && !o.summary);
        assert_eq!((o.settings.level, o.settings.depth), (2, Some(100)));
        assert_eq!(o.measures, ["P.5", "map"]);
        assert_eq!(o.files, ["qrels", "run"]);
    }

    #[test]
    fn long_options_by_any_beginning() {
        let o = parse("--measure=map --meas P --quer --level 3 -- -q -").unwrap();
        assert_eq!(
            (o.measures, o.per_topic, o.settings.level),
            (vec!["map".to_string(), "P".into()], true, 3)
        );
        assert_eq!(o.files, ["-q", "-"]);
        assert_eq!(parse("-D 1.302 -Zz a -").unwrap().settings.topic, Some(b"302".to_vec()));
    }

    #[test]
    fn wrong_options_are_named() {
        for (line, part) in [
            ("-x", "'x'"),
            ("-m", "requires an argument"),
            ("--wrong", "--wrong"),
            ("--help=1", "doesn't allow"),
            ("--Re", "ambiguous"),
        ] {
            assert!(parse(line).unwrap_err().contains(part), "{line}");
        }
    }
}
