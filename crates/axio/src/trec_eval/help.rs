//! What `-h` prints.

use std::io::{self, Write};

use axiometrics::trec_eval::{ChosenMeasure, NICKNAMES};

use super::options::Options;

/// A reminder, for a command line that cannot be understood.
pub(super) const USAGE: &str = "\
usage: trec_eval [options] judgements run
  -q          every topic, then the summary
  -m measure  a measure or a group of measures, such as -m ndcg_cut.10 or -m all_trec; official where none is named
  -h          all options; with -m what a measure is";

const OPTIONS: &str = "\
trec_eval [options] judgements run

Compares a run with relevance judgements and prints one line for each measure: its
name, the topic or \"all\", and the value. The run may be - for standard input. Files
may be compressed (gzip, zstd, lz4, bzip2).

  -h, --help                       this text; with -m, -R and -T also what those are
  -v, --version                    the version
  -q, --query_eval_wanted          every topic, then the summary
  -n, --nosummary                  no summary
  -m, --measure NAME[.PARAMS]      a measure, or a group of measures; may be repeated. Parameters
                                   follow a dot, with commas between them: P.5,10
  -c, --complete_rel_info_wanted   topics that the run lacks count as 0, instead of being left out
  -l, --level_for_rel N            grades from N on are relevant (1 where it is not given)
  -J, --Judged_docs_only           take unjudged documents out of the ranking first
  -M, --Max_retrieved_per_topic N  look at the first N documents of a topic only
  -N, --Number_docs_in_coll N      how many documents the collection has, for utility
  -R, --Rel_info_format FORMAT     qrels (where it is not given), qrels_jg, prefs or qrels_prefs
  -T, --Results_format FORMAT      trec_results is the only one
  -Z, --Zscore FILE                print distances from the means of reference runs, in standard
                                   deviations; lines of FILE are: topic measure mean deviation
  -D, --Debug_level N[.TOPIC]      look at TOPIC only; the number is accepted and has no effect
  -o, --Output_old_results_format  accepted, without effect

Documents are ranked by descending score, equal scores by descending document id; the
rank column of the run is not read. Grades are whole numbers; one below 0 means that a
document was pooled and not assessed. A topic without judgements is left out.
";

/// Prints the help, with what was asked about.
pub(super) fn print(
    out: &mut impl Write,
    options: &Options,
    chosen: &[ChosenMeasure],
) -> io::Result<()> {
    writeln!(out, "{OPTIONS}")?;
    for (title, name, formats) in
        [("Runs", &options.results, RUNS), ("Judgements", &options.judgements, JUDGEMENTS)]
    {
        if let Some((name, about)) = formats.iter().find(|(known, _)| known == name) {
            writeln!(out, "{title} in format {name}:\n{about}")?;
        }
    }
    writeln!(out, "Groups of measures:")?;
    for (nickname, names) in NICKNAMES {
        writeln!(out, "{}", wrapped(&format!("  {nickname}: {}", names.join(" ")), "      "))?;
    }
    if options.measures.is_empty() {
        return writeln!(out, "\nNo measure was named; -h -m all_trec says what each of them is.");
    }
    writeln!(out)?;
    for ChosenMeasure { measure, .. } in chosen {
        writeln!(
            out,
            "{}\n{}",
            measure.name,
            wrapped(&format!("    {}", measure.about()), "    ")
        )?;
    }
    Ok(())
}

/// A text in lines of 90 characters at most.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    let first = text.len() - text.trim_start().len();
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = format!("{}{word}", &text[..first]);
        } else if lines[last].len() + word.len() < 90 {
            lines[last].push(' ');
            lines[last].push_str(word);
        } else {
            lines.push(format!("{indent}{word}"));
        }
    }
    lines.join("\n")
}

const RUNS: &[(&str, &str)] = &[(
    "trec_results",
    "\
  topic Q0 document rank score tag
Fields are separated by white space. The second field and the rank are not read. What
follows the tag is ignored, and so are blank lines and lines that begin with #.
",
)];

const JUDGEMENTS: &[(&str, &str)] = &[
    (
        "qrels",
        "\
  topic iteration document grade
Fields are separated by white space. The second field is not read. Blank lines and lines
that begin with # are ignored.
",
    ),
    (
        "qrels_jg",
        "\
  topic group document grade
Several judges: the second field names the judgement group, and a document may stand
once in each. For the measures map_avgjg, P_avgjg and Rprec_mult_avgjg.
",
    ),
    (
        "prefs",
        "\
  topic group subgroup document level
Within a subgroup a document of a higher level is preferred to one of a lower level; the
levels themselves have no meaning, but for 0, which says that a document is not relevant.
The subgroups of one group may be joined (a over b and b over c is a over c) and may not
contradict each other; groups may. For the measures prefs_*.
",
    ),
    (
        "qrels_prefs",
        "\
  topic group document grade
Plain judgements read as preferences: within a group, a document of a higher grade is
preferred to one of a lower grade. For the measures prefs_*.
",
    ),
];
