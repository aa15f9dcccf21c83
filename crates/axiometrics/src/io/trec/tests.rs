//! The scanner against the plainest reading there is: line by line, each split into its fields.

use proptest::prelude::*;

use super::*;
use crate::data::bytes::field_end;

/// What is known of a line: its topic, its document, its number, and which line it is.
type Row = (String, String, f64, u64);

/// Everything that a scan reports.
#[derive(Debug, Default)]
struct Reported {
    groups: Vec<Vec<Row>>,
    warnings: Warnings,
    error: Option<String>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Sink for Reported {
    fn group(&mut self, group: &TopicLines<'_>) -> Result<(), Halt> {
        let listing = group.listing();
        assert_eq!(listing.rows.len(), group.lines.len());
        let rows = group.numbered().enumerate().map(|(i, (row, number))| {
            let start = row.start as usize;
            let doc = &group.text[start..field_end(group.text, start)];
            assert_eq!(listing.line(i), u64::from(number));
            assert_eq!(row.hash, Entry::new(Hashing::default().of(doc, 0, doc.len()), 0.0, 0).hash);
            (text(group.topic), text(doc), row.value, u64::from(number))
        });
        let rows: Vec<Row> = rows.collect();
        if listing.descending {
            assert!(rows.is_sorted_by(|a, b| a.2 >= b.2), "{rows:?}");
        }
        self.groups.push(rows);
        Ok(())
    }
}

/// What the scanner makes of a text.
fn scanned(file: &str, layout: Layout, lenient: bool, window: usize) -> Reported {
    let source = Source::from_bytes("a", file)
        .with_limits(crate::io::Limits { window, ..Default::default() });
    let mut reported = Reported::default();
    let mut warnings = Warnings::default();
    let scan = Scan::new(&source, layout, lenient);
    if let Err(halt) = scan.read(source.read().unwrap(), &mut warnings, &mut reported) {
        let Halt::Failed(error) = halt else { panic!("{halt:?}") };
        reported.error = Some(error.to_string());
    }
    Reported { warnings, ..reported }
}

/// The same, line by line. Lines of one topic that follow each other are a group.
fn line_by_line(file: &str, layout: Layout, lenient: bool) -> Reported {
    let mut reported = Reported::default();
    for (number, line) in (1..).zip(file.as_bytes().split(|b| *b == b'\n')) {
        match split_line(line, layout) {
            Ok(None) => {}
            Ok(Some(fields)) => {
                let doc = &line[fields.doc_at..][..fields.doc_len];
                let row = (text(fields.topic), text(doc), fields.value, number);
                match reported.groups.last_mut() {
                    Some(group) if group[0].0 == row.0 => group.push(row),
                    _ => reported.groups.push(vec![row]),
                }
            }
            Err(bad) if lenient => reported.warnings.add(bad.kind, 1, "a", number),
            Err(bad) => {
                reported.error = Some(bad.error("a", number).to_string());
                break;
            }
        }
    }
    reported
}

/// How the numbers of a group are ordered: of each pair, which is larger.
fn order(group: &[Row]) -> Vec<Option<std::cmp::Ordering>> {
    group.iter().flat_map(|a| group.iter().map(|b| a.2.partial_cmp(&b.2))).collect()
}

/// Asks the scanner for what is read line by line, whatever its window.
fn agrees(file: &str, layout: Layout, whole_groups: bool) {
    for lenient in [false, true] {
        let expected = line_by_line(file, layout, lenient);
        for window in [1, 100, 1000, 1 << 18] {
            let found = scanned(file, layout, lenient, window);
            assert_eq!(found.error, expected.error, "{layout:?} {window}\n{file:?}");
            if found.error.is_some() {
                continue;
            }
            assert_eq!(found.warnings.list(), expected.warnings.list(), "{file:?}");
            if whole_groups {
                assert_eq!(found.groups.len(), expected.groups.len(), "{layout:?}\n{file:?}");
            }
            let (mut expected, mut at) = (expected.groups.concat().into_iter(), 0);
            for group in found.groups {
                let wanted: Vec<Row> = expected.by_ref().take(group.len()).collect();
                let shown = |row: &Row, value: f64| (row.0.clone(), row.1.clone(), value, row.3);
                if layout == Layout::Ranking {
                    assert_eq!(order(&group), order(&wanted), "{window} {at}\n{file:?}");
                    let rows =
                        |rows: &[Row]| rows.iter().map(|r| shown(r, 0.0)).collect::<Vec<_>>();
                    assert_eq!(rows(&group), rows(&wanted), "{window} {at}\n{file:?}");
                } else {
                    assert_eq!(group, wanted, "{layout:?} {window} {at}\n{file:?}");
                }
                at += group.len();
            }
            assert_eq!(expected.next(), None, "{layout:?} {window}\n{file:?}");
        }
    }
}

/// An id: mostly short, else near a length at which something changes.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        20 => "[ab1é]{1,4}",
        4 => "[ab]{7,9}",
        3 => "[ab]{13,18}",
        2 => "[ab]{28,36}",
        2 => "[ab]{44,52}",
        1 => "[ab]{58,68}",
    ]
}

/// What follows the number of a line of a run.
fn tag() -> impl Strategy<Value = String> {
    prop_oneof![
        10 => " [ab]{1,3}",
        2 => " [ab]{12,18}",
        2 => " [ab]{26,40}",
        1 => " [ab]{60,70}",
        1 => Just(String::new()),
        1 => Just("\r".into()),
        1 => Just(" ".into()),
        2 => Just(" x\r".into()),
        1 => Just(" x y".into()),
        1 => Just(" x ".into()),
    ]
}

/// How far the number of a line is below that of the line before, in units of the last digit.
fn step() -> impl Strategy<Value = i64> {
    prop_oneof![3 => Just(0), 8 => 1..12i64, 2 => 90..1100i64, 1 => Just(1_000_003), 1 => -2..0i64]
}

/// A plain decimal of so many places.
fn decimal(units: i64, places: u32) -> String {
    let (sign, units) = (if units < 0 { "-" } else { "" }, units.unsigned_abs());
    let one = 10u64.pow(places);
    match places {
        0 => format!("{sign}{units}"),
        _ => format!("{sign}{}.{:0width$}", units / one, units % one, width = places as usize),
    }
}

/// The lines of a topic, as most files have them. The rank of a line, if there is one, is its
/// number.
fn topic(most: usize) -> impl Strategy<Value = Vec<Line>> {
    let first = prop_oneof![
        3 => 0..40i64,
        3 => 900..1100i64,
        3 => -20..20i64,
        2 => 99_990_000..100_010_000i64,
        1 => prop_oneof![Just(12_345_678_901_234), Just(-12_345_678_901_234)],
    ];
    let lines = prop_oneof![
        2 => prop::collection::vec((id(), step()), 1..4),
        2 => prop::collection::vec((id(), step()), 1..=most),
        1 => prop::collection::vec(("[ab]{2}", 0..3i64), 1..=most),
    ];
    let places = prop_oneof![4 => 0..4u32, 4 => 4..8u32, 1 => 8..11u32];
    (id(), prop_oneof![8 => Just("Q0".into()), 1 => id()], first, places, tag(), lines).prop_map(
        |(topic, second, first, places, tag, lines)| {
            let mut units = first;
            let number = |step| {
                units -= step;
                decimal(units, places)
            };
            let numbers: Vec<String> = lines.iter().map(|(_, step)| *step).map(number).collect();
            let lines = lines.into_iter().zip(numbers).zip(1..);
            lines
                .map(|(((doc, _), number), rank)| Line {
                    fields: [topic.clone(), second.clone(), doc, rank.to_string(), number],
                    rest: tag.clone(),
                })
                .collect()
        },
    )
}

#[derive(Debug, Clone)]
struct Line {
    /// Topic, second field, document, rank, number.
    fields: [String; 5],
    rest: String,
}

impl Line {
    /// As a run or as judgements, with this blank between the fields.
    fn written(&self, run: bool, blank: &str) -> String {
        let [topic, second, doc, rank, number] = &self.fields;
        let rest = self.rest.replace(' ', blank);
        if run {
            format!("{}{rest}", [topic, second, doc, rank, number].map(String::as_str).join(blank))
        } else {
            let end = if rest.ends_with('\r') { "\r" } else { "" };
            format!("{}{end}", [topic, second, doc, number].map(String::as_str).join(blank))
        }
    }
}

/// Something that is not usual, done to a line.
fn oddity() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![9 => Just(None), 1 => (0..ODDITIES.len()).prop_map(Some)]
}

const ODDITIES: &[fn(&str) -> String] = &[
    |line| line.replacen(' ', "  ", 1),
    |line| line.replacen(' ', "\t", 1),
    |line| line.replacen(' ', "\t", 2),
    |line| line.replacen(' ', "\t", 3),
    |line| line.replacen(' ', "\t", 4),
    |line| line.replacen(' ', "\u{b}", 2),
    |line| line.replacen(' ', "\u{1}", 3),
    |line| line.replacen(' ', "", 1),
    |line| at_blank(line, 2, "  "),
    |line| at_blank(line, 3, "  "),
    |line| at_blank(line, 4, "  "),
    |line| at_blank(line, 5, "  "),
    |line| at_blank(line, 2, "\t"),
    |line| at_blank(line, 3, "\t"),
    |line| at_blank(line, 4, "\t"),
    |line| at_blank(line, 5, "\t"),
    |line| at_blank(line, 2, "\u{1}"),
    |line| at_blank(line, 3, "\0"),
    |line| at_blank(line, 3, "\u{1}"),
    |line| at_blank(line, 4, "\u{1}"),
    |line| at_blank(line, 5, "\u{1}"),
    |line| at_blank(line, 5, "\u{c}"),
    |line| at_blank(line, 5, "\r"),
    |line| at_blank(line, 5, " \r"),
    |line| at_blank(line, 4, " -"),
    |line| at_blank(line, 4, " +"),
    |line| at_blank(line, 4, " 0"),
    |line| at_blank(line, 4, " x"),
    |line| at_blank(line, 5, "e1 "),
    |line| at_blank(line, 5, "e999 "),
    |line| at_blank(line, 5, "0 "),
    |line| at_blank(line, 5, "000000000000000000000000000 "),
    |line| at_blank(line, 5, "x "),
    |line| at_blank(line, 4, " nan "),
    |line| at_blank(line, 4, " inf "),
    |line| without(line, 1),
    |line| without(line, 2),
    |line| without(line, 3),
    |line| without(line, 4),
    |line| format!(" {line}"),
    |line| format!("\u{feff}{line}"),
    |line| format!("#{line}"),
    |line| format!("# x\n{line}"),
    |line| format!("\n{line}"),
    |line| format!("{line} "),
    |line| format!("{line}\r"),
    |line| format!("{line}\ry"),
    |line| format!("{line} # x"),
    |line| format!("{line} x"),
    |line| format!("{line} x\u{1}"),
    |line| line.split(' ').take(3).collect::<Vec<_>>().join(" "),
    |line| line.split(' ').take(4).collect::<Vec<_>>().join(" "),
    |line| line.split(' ').take(5).collect::<Vec<_>>().join(" "),
];

/// A line with something else in the place of the blank of this number, from 1.
fn at_blank(line: &str, number: usize, instead: &str) -> String {
    let mut fields: Vec<String> = line.split(' ').map(str::to_string).collect();
    if number < fields.len() {
        let next = fields.remove(number);
        fields[number - 1] += &format!("{instead}{next}");
    }
    fields.join(" ")
}

/// A line with nothing in the place of the field of this number, from 0.
fn without(line: &str, number: usize) -> String {
    let mut fields: Vec<&str> = line.split(' ').collect();
    if let Some(field) = fields.get_mut(number) {
        *field = "";
    }
    fields.join(" ")
}

fn odd(line: &str, oddity: Option<usize>) -> String {
    oddity.map_or_else(|| line.to_string(), |oddity| ODDITIES[oddity](line))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Also in groups: a topic whose lines follow each other is never taken apart.
    #[test]
    fn usual_files_are_read_as_line_by_line(
        topics in prop::collection::vec(topic(20), 1..6),
        blank in prop_oneof![3 => Just(" "), 1 => Just("\t")],
        ends in any::<bool>(),
    ) {
        for (run, layout) in [(true, Layout::Run), (true, Layout::Ranking), (false, Layout::Qrels)] {
            let lines: Vec<String> =
                topics.iter().flatten().map(|line| line.written(run, blank)).collect();
            agrees(&(lines.join("\n") + if ends { "\n" } else { "" }), layout, true);
        }
    }

    #[test]
    fn long_topics_are_read_as_line_by_line(topics in prop::collection::vec(topic(300), 1..3)) {
        for (run, layout) in [(true, Layout::Run), (true, Layout::Ranking), (false, Layout::Qrels)] {
            let lines: Vec<String> =
                topics.iter().flatten().map(|line| line.written(run, " ") + "\n").collect();
            agrees(&lines.concat(), layout, true);
        }
    }

    /// Files whose topics change with nearly every line.
    #[test]
    fn mixed_files_are_read_as_line_by_line(
        lines in prop::collection::vec((0..4usize, any::<prop::sample::Index>()), 1..150),
        topics in prop::collection::vec(topic(20), 4),
        blank in prop_oneof![3 => Just(" "), 1 => Just("\t")],
    ) {
        for (run, layout) in [(true, Layout::Run), (true, Layout::Ranking), (false, Layout::Qrels)] {
            let line = |&(topic, line): &(usize, prop::sample::Index)| {
                let lines: &Vec<Line> = &topics[topic];
                lines[line.index(lines.len())].written(run, blank) + "\n"
            };
            agrees(&lines.iter().map(line).collect::<String>(), layout, true);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn odd_lines_are_read_as_line_by_line(
        topics in prop::collection::vec(topic(12), 1..6),
        oddities in prop::collection::vec(oddity(), 60),
        mixed in any::<bool>(),
    ) {
        let layouts = [
            (true, Layout::Run),
            (true, Layout::Ranking),
            (false, Layout::Qrels),
            (true, Layout::Stratified),
        ];
        // One line of each topic, then the next of each; or topic by topic.
        let mut order: Vec<(usize, &Line)> =
            topics.iter().flat_map(|lines| lines.iter().enumerate()).collect();
        if mixed {
            order.sort_by_key(|(place, _)| *place);
        }
        for (run, layout) in layouts {
            let lines = order.iter().zip(&oddities);
            let lines: Vec<String> =
                lines.map(|((_, line), oddity)| odd(&line.written(run, " "), *oddity)).collect();
            agrees(&lines.join("\n"), layout, false);
        }
    }

    /// The bytes are such that some pairs of them have no bit in common.
    #[test]
    fn a_prefix_is_found_where_it_stands(
        prefix in "[@?_ ]{0,24}",
        change in prop::option::of((any::<prop::sample::Index>(), "[@?_ ]{1,3}")),
    ) {
        let mut line = format!("{prefix}@ ").into_bytes();
        if let Some((at, bytes)) = change {
            let at = at.index(line.len());
            line.splice(at..(at + bytes.len()).min(line.len()), bytes.into_bytes());
        }
        let stands = line.starts_with(prefix.as_bytes());
        line.resize(300, 0);
        let mut wanted = LinePrefix::default();
        prop_assert!(wanted.set(prefix.as_bytes()));
        let rest = wanted.view(&line, 0);
        prop_assert_eq!(rest.is_some(), stands);
        prop_assert!(rest.is_none_or(|rest| line[prefix.len()..].starts_with(rest)));
    }
}

/// Most judgements end with a grade of one digit, which has a way of its own; these only look like it.
#[test]
fn grades_of_one_digit_are_read_as_line_by_line() {
    let ends = [
        "a 0", "a 9", "a :", "a /", "a x", "a 10", "a 1.", "a 1 ", "a 1\r", "a -1", "a\t1", "a  1",
        " 1", "1", "a", "a 1 2", "a 1\t", "a \u{1}1", "a \u{1}", "a\u{1}1", "a 1\u{1}", "a 1\u{b}",
    ];
    for end in ends {
        for blank in [" ", "\t"] {
            let before = ["1 0 b 1", "1 0 c 0"].map(|line| line.replace(' ', blank)).join("\n");
            let odd = format!("1{blank}0{blank}{end}");
            for after in ["", "\n", "\n1 0 e 2\n", "\n2 0 e 2\n"] {
                agrees(&format!("{before}\n{odd}{after}"), Layout::Qrels, false);
            }
        }
    }
}

/// Notes the topics of groups, and how many lines each has.
#[derive(Default)]
struct Groups(Vec<(String, usize)>);

impl Sink for Groups {
    fn group(&mut self, group: &TopicLines<'_>) -> Result<(), Halt> {
        let topic = String::from_utf8_lossy(group.topic).into_owned();
        self.0.push((topic, group.lines.len()));
        Ok(())
    }
}

#[test]
fn a_grouped_file_is_not_taken_for_a_scattered_one() {
    // Topics of one line look as if topics were mixed; then the second column varies.
    let text: String = [("1", 1), ("2", 1), ("3", 3), ("4", 1), ("5", 40)]
        .iter()
        .flat_map(|(topic, lines)| {
            (0..*lines).map(move |i| format!("{topic} {} d{i} 1 {} x\n", i % 7, 99 - i))
        })
        .collect();
    for window in [16, 64, 1 << 18] {
        let source = Source::from_bytes("a", text.as_str());
        let source = source.with_limits(crate::io::Limits { window, ..Default::default() });
        for layout in [Layout::Run, Layout::Ranking] {
            let mut groups = Groups::default();
            Scan::new(&source, layout, false)
                .read(source.read().unwrap(), &mut Warnings::default(), &mut groups)
                .unwrap();
            let expected = [("1", 1), ("2", 1), ("3", 3), ("4", 1), ("5", 40)];
            assert_eq!(groups.0, expected.map(|(t, n)| (t.to_string(), n)));
        }
    }
}

#[test]
fn the_last_line_of_content_names_the_run() {
    let comments = "# x\n".repeat(20_000);
    for (text, tag) in [
        ("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 y more\n\n# 1 Q0 c 3 1 z\n".to_string(), Some("y")),
        (format!("1\tQ0\ta\t1\t2.5\tx\r\n{comments}"), Some("x")),
        ("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5\n".into(), None),
        (comments.clone(), None),
        (String::new(), None),
    ] {
        let source = Source::from_bytes("run", text);
        let scan = Scan::new(&source, Layout::Run, false);
        let mut warnings = Warnings::default();
        let scanned = scan.read(source.read().unwrap(), &mut warnings, &mut Groups::default());
        assert_eq!(scanned.unwrap().tag.as_deref(), tag.map(str::as_bytes));
    }
}

/// Lines that a comparison of sixteen bytes at a time could take for lines like those before.
#[test]
fn what_only_looks_alike_is_read_as_line_by_line() {
    let files = [
        // All tied, and the document of the next line is within eight bytes of the score.
        "1 0 z 1 5\n1 0 y 2 5\n1 0 x 3 5\n1 0 w 4 5\n1 0 v 5 5\n2 0 z 1 5\n2 0 y 2 5\n2 0 x 3 5\n",
        // A tie, and a rise, behind the first line of a topic whose form is known.
        "1 Q0 a 1 0.9 t\n1 Q0 b 2 0.8 t\n2 Q0 c 1 0.7 t\n2 Q0 d 2 0.7 t\n2 Q0 e 3 0.7 t\n",
        "1 Q0 a 1 0.9 t\n1 Q0 b 2 0.8 t\n2 Q0 c 1 0.7 t\n2 Q0 d 2 0.8 t\n2 Q0 e 3 0.7 t\n",
        // No byte of the tag has a bit in common with what stands there otherwise.
        "1 Q0 a 1 0.9\n1 Q0 b 2 0.8\n1 Q0 c 3 0.7 JB\"A\n1 Q0 d 4 0.6\n1 Q0 e 5 0.5\n",
        "1 Q0 a 1 0.9 ttttttttttttttt\n1 Q0 b 2 0.8 ttttttttttttttt\n\
         1 Q0 c 3 0.7 ttttttttttttttt JB\"A\n1 Q0 d 4 0.6 ttttttttttttttt\n",
        // Two bytes differ, sixteen apart and in the same bits, so that the differences cancel.
        "1 Q0 a 1 0.9 1ttttttttttttttt\n1 Q0 b 2 0.8 1ttttttttttttttt\n\
         1 Q0 c 3 0.7 Ptttttttttttttttk1 Q0 e 4 0.6 1ttttttttttttttt\n",
        // The same of a topic and the field behind it, eight bytes apart.
        "1234567 1x a 1 0.9 t\n1234567 1x b 2 0.8 t\n2234567 2x c 3 0.7 t\n2234567 2x d 4 0.6 t\n",
        // A score and a tag differ from their form by the same bit, at the same distance.
        "1 Q0 a 1 0.95 tttt\n1 Q0 b 2 0.85 tttt\n1 Q0 c 3 0.7: tttu\n1 Q0 d 4 0.65 tttt\n",
        // Numbers with exponents, whose texts descend where they rise.
        "1 Q0 a 1 9e1 t\n1 Q0 b 2 8e1 t\n1 Q0 c 3 1e5 t\n1 Q0 d 4 1e4 t\n",
        // Lines that end out of sight, each of another topic.
        "1 Q0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1 0.9 tttttttttttttttttttttttttttt\n\
         2 Q0 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 1 0.8 tttttttttttttttttttttttttttt\n\
         3 Q0 cccccccccccccccccccccccccccccccccccccccccccccccccc 1 0.7 tttttttttttttttttttttttttttt\n",
        // No rank behind a document of one byte.
        "1 Q0 a 1 0.9 t\n1 Q0 b 2 0.8 t\n1 Q0 c  0.7 t\n1 Q0 d 4 0.6 t\n",
    ];
    for file in files {
        for layout in [Layout::Run, Layout::Ranking] {
            agrees(file, layout, true);
        }
    }
}
