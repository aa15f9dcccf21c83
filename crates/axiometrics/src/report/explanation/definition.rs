//! A measure's definition as a page.

use unicode_width::UnicodeWidthStr;

use super::super::number::number;
use super::super::page::{Block, Page, Section};
use super::super::table::Style;
use crate::choice::Choice;
use crate::component::Component;
use crate::measure::Own as _;
use crate::measure::spelling::notes_of;
use crate::measure::{Alias, Cutoff, Def, Example, Param, Suffix};
use crate::organization::{Better, Definition};

/// All that a measure says about itself, under the same headings for each.
pub fn measure_page(def: &Def) -> Page {
    let mut spellings = vec![own_spelling(def)];
    spellings.extend(def.aliases.iter().map(spelling));
    // A measure of documents themselves has its example in its definition.
    let examples = def.examples.iter().map(|e| Block::Lines(drawn(e))).collect();
    let mut page = Page {
        title: title(def),
        sections: vec![
            section("Definition", prose(def.definition)),
            section("Range", prose(&def.range.to_string())),
            section("Undefined when", prose(def.undefined)),
            section("User model", prose(def.user_model)),
            section("Parameters", vec![Block::List(parameters(def))]),
            section("Example by hand", examples),
            section("Differs from", list(def.differs)),
            section("Spellings", told_apart(def, &spellings)),
            section("References", list(def.references)),
        ],
    };
    page.sections.retain(|section| !section.blocks.is_empty());
    page
}

/// The spellings, and which is which if others mean something else by them.
fn told_apart(def: &Def, spellings: &[String]) -> Vec<Block> {
    let mut blocks = prose(&spellings.join(", "));
    let notes = notes_of(def).into_iter().map(str::to_string).collect::<Vec<_>>();
    if !notes.is_empty() {
        blocks.push(Block::List(notes));
    }
    blocks
}

/// A metric from a file: its components, then the file as it was understood.
pub fn component_page(file: &Component) -> Page {
    let def = file.def();
    let components =
        file.components().into_iter().map(|(name, text)| format!("{name}: {text}")).collect();
    let mut sections = vec![section("Components", vec![Block::List(components)])];
    let parameters = parameters(&def);
    if !parameters.is_empty() {
        sections.push(section("Parameters", vec![Block::List(parameters)]));
    }
    sections.extend([
        section("User model", vec![Block::Paragraph(def.user_model.to_string())]),
        section("Spellings", vec![Block::Paragraph(own_spelling(&def))]),
        section(
            "The file, printed back",
            vec![Block::Lines(def.definition.lines().map(str::to_string).collect())],
        ),
    ]);
    Page { title: title(&def), sections }
}

/// The same for a measure of one organization against another.
pub fn organization_page(definition: &Definition, style: &Style) -> Page {
    let Definition {
        name,
        title,
        task,
        summary,
        definition,
        range,
        better,
        undefined,
        example,
        references,
    } = definition;
    let better = if *better == Better::Higher { "larger" } else { "smaller" };
    let value = format!("{name} = {}", number(example.value, Some(4)));
    let drawn = [
        value,
        format!("  gold    {}", example.gold),
        format!("  system  {}", example.system),
        format!("  {}", example.working),
    ];
    Page {
        title: format!("{name} — {title}"),
        sections: vec![
            section("Tells", prose(summary)),
            section("Definition", prose(definition)),
            section("Range", prose(&format!("{range}; the {better} the better"))),
            section("Undefined when", prose(undefined)),
            section(
                "Task",
                prose(&format!(
                    "{}: {}",
                    task.name(),
                    style.voice.call(&format!("organize GOLD SYSTEM -m {name}"))
                )),
            ),
            section("Example by hand", vec![Block::Lines(drawn.to_vec())]),
            section("References", list(references)),
        ],
    }
}

fn section(heading: &str, blocks: Vec<Block>) -> Section {
    Section { heading: heading.to_string(), blocks }
}

fn prose(text: &str) -> Vec<Block> {
    vec![Block::Paragraph(text.to_string())]
}

fn list(points: &[&str]) -> Vec<Block> {
    match points {
        [] => prose("nothing known"),
        [one] => prose(one),
        many => vec![Block::List(many.iter().map(ToString::to_string).collect())],
    }
}

fn title(def: &Def) -> String {
    format!("{} — {}", def.name, def.title)
}

fn own_spelling(def: &Def) -> String {
    match def.cutoff {
        Cutoff::Never => def.name.to_string(),
        Cutoff::Optional => format!("{0}, {0}@10", def.name),
        Cutoff::Required => format!("{}@10", def.name),
        Cutoff::Param(name) => format!("{}@{name}", def.name),
    }
}

/// A foreign spelling with what it implies and how a number is glued to it.
fn spelling(alias: &Alias) -> String {
    let glued = match alias.suffix {
        Suffix::None | Suffix::Printed => alias.spelling.to_string(),
        Suffix::Cutoff => format!("{}_10", alias.spelling),
        Suffix::Param(name) => format!("{}.{name}", alias.spelling),
    };
    if alias.implies.is_empty() { glued } else { format!("{glued} ({})", alias.implies) }
}

/// The cutoff and the parameters, each in a sentence.
fn parameters(def: &Def) -> Vec<String> {
    let cutoff = match def.cutoff {
        Cutoff::Never | Cutoff::Param(_) => None,
        Cutoff::Optional => Some("none unless given"),
        Cutoff::Required => Some("required"),
    };
    let cutoff = cutoff.map(|when| {
        format!("@k: only the top k documents are looked at (a whole number of at least 1; {when})")
    });
    let sentence = |Param { name, kind, default, doc }: &Param| {
        let default =
            default.as_deref().map_or("none unless given".to_string(), |d| format!("default {d}"));
        format!("{name}: {doc} ({}; {default})", kind.expected())
    };
    cutoff.into_iter().chain(def.params.iter().map(sentence)).collect()
}

/// The value, the ranking with its ranks above it, and the way from one to the other.
fn drawn(example: &Example) -> Vec<String> {
    let (ranking, rest) = example.ranking.split_once('|').unwrap_or((example.ranking, ""));
    let documents: Vec<&str> = ranking.split_whitespace().collect();
    let (mut ranks, mut grades) = (String::from("  rank "), String::from("  grade"));
    for (i, document) in documents.iter().enumerate() {
        let rank = (i + 1).to_string();
        let width = rank.len().max(document.width());
        ranks += &format!("  {}{rank}", " ".repeat(width - rank.len()));
        grades += &format!("  {}{document}", " ".repeat(width - document.width()));
    }
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    if !rest.is_empty() {
        grades += &format!("   not retrieved: {rest}");
    }
    if documents.contains(&"-") {
        grades += "   (- is not judged)";
    }
    let value = format!("{} = {}", example.measure, number(example.value, Some(4)));
    vec![value, ranks, grades, format!("  {}", example.working)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure;

    #[test]
    fn every_measure_fills_every_heading() {
        for def in measure::definitions() {
            let page = measure_page(def);
            for section in &page.sections {
                assert!(!section.blocks.is_empty(), "{}: {} is empty", def.name, section.heading);
            }
        }
        for measure in crate::organization::measures() {
            let page = organization_page(measure.definition(), &Style::default());
            let empty =
                |block: &Block| matches!(block, Block::Paragraph(text) if text.trim().is_empty());
            let hollow: Vec<&str> = page
                .sections
                .iter()
                .filter(|s| s.blocks.iter().any(empty))
                .map(|s| s.heading.as_str())
                .collect();
            assert!(hollow.is_empty(), "{}: {hollow:?}", page.title);
        }
    }

    #[test]
    fn an_example_is_drawn() {
        let example =
            Example { measure: "AP", ranking: "1 0 - 10 | 2 1", value: 0.25, working: "by hand" };
        insta::assert_snapshot!(drawn(&example).join("\n"), @"
        AP = 0.2500
          rank   1  2  3   4
          grade  1  0  -  10   not retrieved: 2 1   (- is not judged)
          by hand
        ");
    }

    #[test]
    fn a_page_as_text_and_as_markdown() {
        let rbp: measure::Metric = "RBP".parse().unwrap();
        let page = measure_page(&rbp.def());
        insta::assert_snapshot!(page.text(&Style { width: Some(80), ..Style::default() }), @r#"
        RBP — Rank-biased precision

        Definition
          RBP = (1-p) * sum of r_i * p^(i-1), r_i = grade / maximum grade of the
          collection; rel=n for binary gains, gains={1:0.1,2:1} for others. Unjudged
          documents count 0: the score is the lower end of its range.

        Range
          0 to 1

        Undefined when
          never

        User model
          reads the first document, and after each goes on with probability p: on
          average 1/(1-p) documents

        Parameters
          - @k: only the top k documents are looked at (a whole number of at least 1;
            none unless given)
          - p: the probability of going on to the next document (a number above 0 and
            below 1; default 0.8)
          - rel: binary gains: 1 from this grade on; graded gains if it is not given (a
            number; none unless given)
          - gains: what each grade is worth, from 0 to 1: {1:0.1,2:0.3,3:0.7,4:1}; a
            grade that is not listed is worth what the next lower one is (gains by
            grade, such as {1:3,2:9}; none unless given)
          - judged_only: remove the unjudged documents first (a condensed list) (true or
            false; default false)

        Example by hand
          RBP(p=0.8) = 0.3280
            rank   1  2  3
            grade  1  0  1
            0.2 * (1 + 0.8^2) = 0.2 * 1.64 = 0.328

          RBP(p=0.8,gains={1:0.1,2:0.3,3:0.7,4:1}) = 0.1528
            rank   1  2  3
            grade  3  0  1
            0.2 * (0.7 + 0.1 * 0.8^2) = 0.2 * 0.764 = 0.1528

        Differs from
          - trec_eval's rbp has p = 0.9 and reads an uninitialised minimum; ranx
            multiplies by the raw grade
          - cwl_eval, which prints RBP@0.9 for p = 0.9, ends the list at rank 1000: its
            score is this one divided by 1 - p^1000

        Spellings
          RBP, RBP@10, rbp.p (p=0.9), RBP@{p} (p={p})

          - rbp is trec_eval's, with p=0.9; RBP has p=0.8, as in ir_measures

        References
          - Moffat and Zobel 2008
          - Moffat 2013, section 2
        "#);
        insta::assert_snapshot!(page.markdown(), @r#"
        # RBP — Rank-biased precision

        ## Definition

        RBP = (1-p) \* sum of r_i \* p^(i-1), r_i = grade / maximum grade of the collection; rel=n for binary gains, gains={1:0.1,2:1} for others. Unjudged documents count 0: the score is the lower end of its range.

        ## Range

        0 to 1

        ## Undefined when

        never

        ## User model

        reads the first document, and after each goes on with probability p: on average 1/(1-p) documents

        ## Parameters

        - @k: only the top k documents are looked at (a whole number of at least 1; none unless given)
        - p: the probability of going on to the next document (a number above 0 and below 1; default 0.8)
        - rel: binary gains: 1 from this grade on; graded gains if it is not given (a number; none unless given)
        - gains: what each grade is worth, from 0 to 1: {1:0.1,2:0.3,3:0.7,4:1}; a grade that is not listed is worth what the next lower one is (gains by grade, such as {1:3,2:9}; none unless given)
        - judged_only: remove the unjudged documents first (a condensed list) (true or false; default false)

        ## Example by hand

        ```text
        RBP(p=0.8) = 0.3280
          rank   1  2  3
          grade  1  0  1
          0.2 * (1 + 0.8^2) = 0.2 * 1.64 = 0.328
        ```

        ```text
        RBP(p=0.8,gains={1:0.1,2:0.3,3:0.7,4:1}) = 0.1528
          rank   1  2  3
          grade  3  0  1
          0.2 * (0.7 + 0.1 * 0.8^2) = 0.2 * 0.764 = 0.1528
        ```

        ## Differs from

        - trec_eval's rbp has p = 0.9 and reads an uninitialised minimum; ranx multiplies by the raw grade
        - cwl_eval, which prints RBP@0.9 for p = 0.9, ends the list at rank 1000: its score is this one divided by 1 - p^1000

        ## Spellings

        RBP, RBP@10, rbp.p (p=0.9), RBP@{p} (p={p})

        - rbp is trec_eval's, with p=0.9; RBP has p=0.8, as in ir_measures

        ## References

        - Moffat and Zobel 2008
        - Moffat 2013, section 2
        "#);
    }
}
