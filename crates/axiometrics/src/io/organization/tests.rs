use std::collections::HashSet;
use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::choice::Choice;
use crate::data::organization::{Organization, notation};
use crate::io::Limits;

fn parse_with(text: &[u8], options: &ReadOptions) -> Result<Vec<(String, String)>> {
    parse_in_pieces(text, options, Limits::default().window)
}

/// The same with so many bytes read at once.
fn parse_in_pieces(
    text: &[u8],
    options: &ReadOptions,
    window: usize,
) -> Result<Vec<(String, String)>> {
    let mut catalogue = DocumentCatalogue::new();
    let limits = Limits { window, ..Limits::default() };
    let source = Source::from_bytes("file", text).with_limits(limits);
    let organizations = read(&source, options, &mut catalogue)?;
    Ok(organizations
        .iter()
        .map(|(topic, organization)| {
            (topic.clone(), notation::format(organization, &catalogue[topic]))
        })
        .collect())
}

fn parse(text: &str) -> Vec<(String, String)> {
    parse_with(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn one(text: &str) -> String {
    let topics = parse(text);
    assert_eq!(topics.len(), 1);
    topics[0].1.clone()
}

fn fails(text: &str) -> String {
    parse_with(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn tables() {
    assert_eq!(
        one("topic\tdoc\tlevel\tcluster\nt\td1\t1\t\nt\td2\t1\ta\nt\td3\t2\tb\nt\td4\t1\ta\n"),
        "d1 {d2 d4} / d3"
    );
    assert_eq!(one("doc,level\r\nd1,2\r\n\r\nd2,1\r\nd3,tail\r\n"), "d2 / d1 | d3");
    assert_eq!(one("doc cluster\nd1 a\nd2 b\nd3 a\nd1 b"), "{d1 d3} {d2 d1}");
    assert_eq!(
        one("\u{feff}doc\tcluster\n\"d\t1\"\t\"a \"\"b\"\"\"\nd2\t\"a \"\"b\"\"\"\n"),
        "{d\t1 d2}"
    );
    assert_eq!(
        parse("topic doc\nb 1\na 2\nb 3\n"),
        [("a".into(), "2".into()), ("b".into(), "1 3".into())]
    );
    assert_eq!(
        one("\"entity_id\"\t\"tweet_id\"\t\"topic\"\n\"E1\"\t\"7\"\t\"x\"\n\"E1\"\t\"8\"\t\"x\"\n"),
        "{7 8}"
    );
}

#[test]
fn filterings() {
    assert_eq!(one("topic doc label score\nt a 1 0.5\nt b 0 0.1\nt c true 3\n"), "a c | b");
    assert_eq!(one("t a 1\nt b FALSE\n"), "a | b");
    assert_eq!(one("t a 1 0.5\nt b 0 0.1\n"), "a | b");
    let options = ReadOptions { positive: Some("spam".into()), ..ReadOptions::default() };
    assert_eq!(
        parse_with(b"t a spam\nt b ham\n", &options).unwrap(),
        [("t".to_string(), "a | b".to_string())]
    );
}

#[test]
fn trec_files() {
    assert_eq!(one("1 0 a 2\n1 0 b 0\n1 0 c 1\n1 0 d 2\n1 0 e -1\n"), "a d / c | b e");
    assert_eq!(one("1 1 a 1\n1 2 a 1\n1 1 b 2\n1 2 b 0\n1 2 c 0\n"), "b / a a | c");
    assert_eq!(one("1 Q0 a 1 0.5 x\n1 Q0 b 2 0.9 x\n1 Q0 c 3 0.5 x\n"), "b / c / a");
}

#[test]
fn json_files() {
    let topics = parse(
        r#"{"t": [[["d1"],["d2","d3"]], [["d4"]]], "s": {"levels": [[["a"]]], "tail": [7]}}"#,
    );
    assert_eq!(
        topics,
        [("s".to_string(), "a | 7".to_string()), ("t".to_string(), "d1 {d2 d3} / d4".to_string())]
    );
}

#[test]
fn latin_1_where_it_is_no_utf_8() {
    let read = parse_with(b"doc\tcluster\nd\xe9\tx\n", &ReadOptions::default()).unwrap();
    assert_eq!(read[0].1, "dé");
    assert_eq!(one("doc\tcluster\ndé\tx\n"), "dé");
}

#[test]
fn bad_input_is_told_with_its_place() {
    for (text, message) in [
        ("", "file: is empty"),
        ("doc\n", "file: holds no document"),
        ("a b\nc d\n", "file:1: found 2 columns without a header, expected an organization"),
        ("doc cluster\na x\nb y\na x\n", "file:4: document a is in one cluster twice"),
        ("doc level\na 1\nb 0\n", "file:3:3: found \"0\", expected a level"),
        ("doc level\na first\n", "file:2:3: found \"first\", expected a level"),
        (
            "doc level cluster\na 1 x\nb 2 x\n",
            "file:3: cluster x stands on level 2 here and on level 1 in line 2",
        ),
        (
            "doc level\na 1\na tail\n",
            "file:3: document a is discarded, and kept or discarded elsewhere too",
        ),
        ("doc,levl\na,1\n", "file:1:5: found \"levl\", expected one of the columns"),
        ("doc,doc\na,1\n", "file:1:5: found \"doc\", expected each column once"),
        ("doc\tlevel\na\n", "file:2: found 1 fields, expected 2"),
        ("doc\tcluster\n\t1\n", "file:2:1: found nothing, expected a document"),
        ("doc,cluster\n\"a,1\n", "file:2:1: a quote that is never closed"),
        ("doc,cluster\n\"a\"b,1\n", "file:2:4: found \"b\", expected the end of the field"),
        ("doc label\na maybe\n", "file:2:3: found \"maybe\", expected a label"),
        ("doc label score\na 1 x\n", "file:2:5: found \"x\", expected a number for the score"),
        ("t a 1\nt a 1\n", "document a of topic t is labelled twice"),
        ("1 Q0 a 1 x y\n", "file:1:10: found \"x\", expected a number for the score"),
        ("1 Q0 a 1 2 y\n1 Q0 a 2 1 y\n", "file:2: topic 1 names document a twice"),
        ("1 0 a b\n", "file:1:7: found \"b\", expected a whole number for the grade"),
        (
            "{\"t\": [[[\"a\", \"a\"]]]}",
            "topic t: level 1, cluster 1: document a is in one cluster twice",
        ),
        (
            "{\"t\": [[\"a\"]]}",
            "topic t: level 1, cluster 1: found \"a\", expected a list of documents",
        ),
        ("{\"t\": ", "file:1:6: no valid JSON"),
    ] {
        let found = fails(text);
        assert!(found.contains(message), "{text:?}: {found}");
    }
}

/// Weights and links in tables and in JSON, written and read back.
#[test]
fn weights_and_links() {
    let table = "doc,level,cluster,time,links\na,1,x,2,b;c\nb,1,x,,\nc,2,,0.5,a\nd,tail,,3,\n";
    let json = r#"{"1": {"levels": [[["a","b"]],[["c"]]], "tail": ["d"], "weights": {"a": 2, "c": 0.5, "d": 3}, "links": [["a","b"],["a","c"],["c","a"]]}}"#;
    for text in [table, json] {
        let mut catalogue = DocumentCatalogue::new();
        let source = Source::from_bytes("file", text);
        let found = read(&source, &ReadOptions::default(), &mut catalogue).unwrap();
        assert_eq!(
            notation::format(&found["1"], &catalogue["1"]),
            "{a*2 b} / c*0.5 | d*3 ~ a>b a>c c>a"
        );
        for format in [WriteFormat::Tsv, WriteFormat::Csv, WriteFormat::Json] {
            let text = written(format, &found, &catalogue);
            let source = Source::from_bytes("again", text.as_str());
            let again = read(&source, &ReadOptions::default(), &mut catalogue).unwrap();
            assert_eq!(found, again, "{text}");
        }
    }
    for (text, problem) in [
        ("doc level weight\na 1 0\n", "file:2:5: found \"0\", expected a number above 0"),
        ("doc level weight\na 1 2\na 2 3\n", "file:3: document a has two different weights"),
        ("doc,level,links\na,1,b\n", "file:2: document b is linked, and is on no level"),
        (
            r#"{"t": {"levels": [[["a"]]], "weights": {"a": -1}}}"#,
            "expected a number above 0 for a",
        ),
        (r#"{"t": {"levels": [[["a"]]], "links": [["a"]]}}"#, "expected a link: two documents"),
        (r#"{"t": {"lebels": []}}"#, "found lebels, expected levels, tail, weights, links"),
    ] {
        let source = Source::from_bytes("file", text);
        let message = read(&source, &ReadOptions::default(), &mut DocumentCatalogue::new())
            .unwrap_err()
            .to_string();
        assert!(message.contains(problem), "{text}: {message}");
    }
}

/// Judgements by subtopic: grades are levels, and a subtopic is a cluster on each of its levels.
#[test]
fn subtopics_are_clusters_on_the_levels_of_their_grades() {
    let text = "t 1 a 2\nt 1 b 2\nt 1 c 1\nt 2 b 1\nt 2 c 1\nt 2 d 0\nt 1 d -2\n";
    let mut catalogue = DocumentCatalogue::new();
    let source = Source::from_bytes("file", text);
    let found = read(&source, &ReadOptions::default(), &mut catalogue).unwrap();
    assert_eq!(notation::format(&found["t"], &catalogue["t"]), "{a b} / c {b c} | d");
}

fn written(
    format: WriteFormat,
    organizations: &Organizations,
    catalogue: &DocumentCatalogue,
) -> String {
    let mut out = Vec::new();
    write(&mut out, format, organizations, catalogue).unwrap();
    String::from_utf8(out).unwrap()
}

proptest! {
    #[test]
    fn what_is_written_is_read(places in prop::collection::vec((0..9u32, 0..4u32, 0..3u32), 1..20), name in "[a-z\", \té]{0,3}") {
        let mut catalogue = DocumentCatalogue::new();
        let documents = catalogue.entry("the \"topic\"".to_string()).or_default();
        let mut builder = Organization::builder();
        for level in 0..3 {
            builder.level();
            for cluster in 0..3 {
                let members: std::collections::BTreeSet<u32> = places.iter().filter(|p| p.1 == level && p.2 == cluster).map(|p| p.0).collect();
                let members: Vec<u32> = members.into_iter().map(|d| documents.intern(&format!("d{d}{name}"))).collect();
                builder.cluster(members).unwrap();
            }
        }
        for place in places.iter().filter(|place| place.1 == 3) {
            let _ = builder.discard(documents.intern(&format!("d{}{name}", place.0)));
        }
        let organizations = Organizations::from([("the \"topic\"".to_string(), builder.build())]);
        for format in [WriteFormat::Tsv, WriteFormat::Csv, WriteFormat::Json] {
            let text = written(format, &organizations, &catalogue);
            let back = read(&Source::from_bytes("file", text.as_str()), &ReadOptions::default(), &mut catalogue).unwrap();
            prop_assert_eq!(&back, &organizations, "{}", text);
        }
    }

    #[test]
    fn nothing_panics(text in "[a-c0-2\"\t\n,{}\\[\\]: é]{0,60}", header in prop::sample::select(vec!["", "doc\tlevel\tcluster\n", "doc,label\n", "topic doc\n"])) {
        let _ = parse_with(format!("{header}{text}").as_bytes(), &ReadOptions::default());
        for &format in OrganizationFormat::ALL {
            let _ = parse_with(text.as_bytes(), &ReadOptions { format: Some(format), positive: None });
        }
    }
}

#[test]
fn filterings_are_written() {
    let mut catalogue = DocumentCatalogue::new();
    let text = "topic\tdoc\tlabel\tscore\nt\ta\t1\t0.5\nt\tb\t0\t0.25\n";
    let organizations =
        read(&Source::from_bytes("file", text), &ReadOptions::default(), &mut catalogue).unwrap();
    assert_eq!(written(WriteFormat::Filtering, &organizations, &catalogue), text);
}

/// What is read of a file in pieces must be what is read of it as a whole, wherever the pieces end.
#[test]
fn pieces_are_read_like_the_whole() {
    let mut text = "\u{feff}doc,level,cluster\n".to_string();
    for i in 0..60_000 {
        text += &match i % 5 {
            0 => format!("\"d\n{i}\",1,\"a\"\"{}\"\n", i % 7),
            1 => format!("d{i},2,\"\n\n{}\"\r\n", i % 11),
            2 => format!("\nd{i},tail\n"),
            _ => format!("d{i},3,{}\n", i % 13),
        };
    }
    let whole = |text: &[u8]| {
        parse_in_pieces(text, &ReadOptions::default(), 2 * text.len())
            .map(|read| read[0].1.clone())
            .map_err(|error| error.to_string())
    };
    let pieces = |text: &[u8]| {
        parse_with(text, &ReadOptions::default())
            .map(|read| read[0].1.clone())
            .map_err(|error| error.to_string())
    };
    assert!(text.len() > 1 << 19);
    for end in [
        "",
        "last,1,z",
        "d3,tail\n",
        "d3,3,3\n",
        "x,3,\"a\"\"0\"\n",
        "y,1,\"never\nclosed",
        "z,0,\n",
        "d\u{e9},1,z\n",
    ] {
        let text = text.clone() + end;
        let read = pieces(text.as_bytes());
        assert_eq!(read, whole(text.as_bytes()), "{end}");
        assert_eq!(
            read.is_err(),
            !["", "last,1,z", "d\u{e9},1,z\n"].contains(&end),
            "{end}: {read:?}"
        );
    }
    let latin = [text.as_bytes()[3..].to_vec(), b"d\xe9,1,z\n".to_vec()].concat();
    let read = pieces(&latin);
    assert_eq!(read, whole(&latin));
    assert!(read.unwrap().contains("dé"));
}

/// What is read does not depend on where the pieces end, in any format.
#[test]
fn pieces_of_any_size() {
    let mut judgements: String = (0..1200).map(|i| format!("t{} 1 d{i} 1\n", i % 7)).collect();
    judgements += "t0 2 d0 1\n";
    let labels: String = (0..1200).map(|i| format!("t d{i} {} 0.5\n", i % 2)).collect();
    let late = format!("{}t d0 7 d0\n", "t d 1 0\n".repeat(999));
    for text in [
        "\n \n\n\u{feff}1 Q0 a 1 2 x\n",
        "\u{feff}\n\n1 Q0 a 1 2 x\r\n1 Q0 b 1 3 x\n\n2 Q0 é 1 2 x",
        "\u{feff}\n\n doc level\n\na 1\r\n\nb 2",
        "t a 1\nt b 0\n",
        "t a é 1\nt a é 1\n",
        "t d 1 0\nt e 0 1\n",
        "t d 1 0\nt e 2 1\n",
        r#"{"t": [[["d1"],["d2","é"]], [["d4"]]], "s": {"links": [["a", "b"]], "tail": [7], "levels": [[["a", "b"]]], "levels": [[["b"], ["a"]]]}}"#,
        &judgements,
        &labels,
        &late,
    ] {
        let latin: Vec<u8> = text.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect();
        for text in [text.as_bytes(), &latin] {
            let read = |window: usize| {
                parse_in_pieces(text, &ReadOptions::default(), window).map_err(|e| e.to_string())
            };
            let whole = read(1 << 20);
            for window in [4, 7, 30, 1000] {
                assert_eq!(read(window), whole, "{window}: {}", text.escape_ascii());
            }
        }
    }
    // One repeated document, far from the start, makes these judgements by subtopic.
    assert!(parse(&judgements)[0].1.starts_with("{d0 d7 "));
    assert!(parse(&judgements.replace("t0 2 d0 1\n", ""))[0].1.starts_with("d0 d7 "));
    // Not all of the first thousand rows have a label.
    assert!(fails(&late).contains("expected a whole number for the grade"), "{}", fails(&late));
}

/// A file that turns out to be latin-1 far from its start does not renumber what gold named.
#[test]
fn documents_keep_their_numbers() {
    let rows: String = (0..20_000).map(|i| format!("t\td{i}\tx\n")).collect();
    let table = format!("topic\tdoc\tcluster\n{rows}");
    let gold = Source::from_bytes("gold", table.as_str());
    let system = Source::from_bytes("system", [table.as_bytes(), b"t\td\xe9\tx\n"].concat());
    let (options, mut catalogue) = (ReadOptions::default(), DocumentCatalogue::new());
    let gold = read(&gold, &options, &mut catalogue).unwrap();
    let before = notation::format(&gold["t"], &catalogue["t"]);
    let system = read(&system, &options, &mut catalogue).unwrap();
    assert_eq!(notation::format(&gold["t"], &catalogue["t"]), before);
    let system = notation::format(&system["t"], &catalogue["t"]);
    assert_eq!(system, before.replace('}', " dé}"));
}

/// What a small compressed file may unfold to is not taken into memory: of a stream that never ends
/// well, only as much is read as is needed to refuse it.
#[test]
fn lines_strings_and_fields_have_a_limit() {
    let cut_off = |before: &str, byte: u8, times: usize| {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(before.as_bytes()).unwrap();
        gz.write_all(&vec![byte; times]).unwrap();
        let mut bytes = gz.finish().unwrap();
        bytes.truncate(bytes.len() - 9);
        let read = parse_with(&bytes, &ReadOptions::default());
        read.unwrap_err().to_string()
    };
    const LONG: usize = (64 << 20) + (1 << 20);
    for (before, byte, message) in [
        ("1 Q0 a 1 2 x\n1 Q0 ", b'x', "file:2:67108865: found no end of the line within 64 MB"),
        ("", 0, "file:1:67108865: found no end of the line within 64 MB"),
        ("doc,cluster\n", b'x', "file:2:67108865: found no end of the line within 64 MB"),
        ("doc,cluster\n\"", b'\n', "file:2: found a record of more than 64 MB"),
        ("{\"t\": [[[\"", b'x', "file: found a string or a number of more than 64 MB"),
    ] {
        let error = cut_off(before, byte, LONG);
        assert!(error.starts_with(message), "{before}: {error}");
    }
    for (before, byte) in [("doc,cluster\n", b','), ("doc cluster\na ", b' ')] {
        let row = [before.as_bytes(), &[byte, b'a'].repeat(1_100_000), b"\n"].concat();
        let error = parse_with(&row, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with("file:2: found a record of more than 1048576 fields"), "{error}");
    }
    // Rows are read as they come, not after all of the text.
    for (before, message) in [
        ("1 Q0 a 1 x y\n", "file:1:10: found \"x\""),
        ("1 0 a x\n", "file:1:7: found \"x\""),
        ("t a 1\nt b 1 2 3\n", "file:2: found 5 fields"),
        ("{\"t\": [7,", "file:1:8: topic t: level 1: found 7, expected a list of clusters"),
    ] {
        let error = cut_off(before, b' ', 1 << 20);
        assert!(error.starts_with(message), "{before}: {error}");
    }
}

/// A file whose lines end in carriage returns alone would be one row.
#[test]
fn carriage_returns_within_lines_are_named() {
    for (text, place) in [
        ("1 Q0 a 1 2 x\r1 Q0 b 1 3 x\r", "file:1:13: "),
        ("1 Q0 a 1 2 x\n1 Q0 b 1 3 x\r1 Q0 c 1 3 x\n", "file:2:13: "),
        ("1 0 a 1\r1 0 b 1\r", "file:1:8: "),
        ("t a 1\rt b 0\r", "file:1:6: "),
        ("doc level\ra 1\rb 2\r", "file:1:10: "),
        ("doc level cluster score\na 1\rb 2\n", "file:2:4: "),
        ("doc\tcluster\ra\t1\rb\t2\r", "file:1:12: "),
        ("doc\tcluster\tlinks\na\t1\rb\t2\n", "file:2:4: "),
    ] {
        let error = fails(text);
        assert!(error.starts_with(place) && error.contains("carriage return"), "{text:?}: {error}");
        assert_eq!(error.lines().count(), 2, "{error}");
    }
    assert_eq!(one("doc,cluster\r\n\"a\rb\",1\r\r\n"), "a\rb");
}

/// A line of a table: document, level, cluster.
type Place = (usize, u32, usize);

/// Both sides as tables, in which the places come in these orders; the score of each measure.
fn scores(sides: [&[Place]; 2], orders: [&[usize]; 2]) -> Result<Vec<Option<f64>>> {
    let mut catalogue = DocumentCatalogue::new();
    let mut read_side = |side: usize| {
        let mut text = "doc\tlevel\tcluster\n".to_string();
        for (document, level, cluster) in orders[side].iter().map(|&at| sides[side][at]) {
            text += &match level {
                0 => format!("doc{document}\ttail\n"),
                _ => format!("doc{document}\t{level}\t{level}-{cluster}\n"),
            };
        }
        read(
            &Source::from_bytes(["gold", "system"][side], text),
            &ReadOptions::default(),
            &mut catalogue,
        )
    };
    let (gold, system) = (read_side(0)?, read_side(1)?);
    let measures: Vec<_> = crate::organization::measures().collect();
    let settings = crate::organization::OrganizationSettings::default();
    let empty = Organization::default();
    let of_topic = |(topic, gold): (&String, &Organization)| {
        let system = system.get(topic).unwrap_or(&empty);
        let comparison = crate::organization::OrganizationComparison::new(gold, system, &settings);
        measures.iter().map(|measure| measure.score(&comparison).value()).collect::<Vec<_>>()
    };
    Ok(gold.iter().flat_map(of_topic).collect())
}

/// Places without a document twice in a cluster, nor in the tail and elsewhere.
fn sound(places: Vec<Place>, overlap: bool) -> Vec<Place> {
    let (mut seen, mut held, mut tail) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut sound: Vec<Place> = Vec::new();
    for (document, level, cluster) in places {
        let fresh = if level == 0 {
            !held.contains(&document) && tail.insert(document)
        } else {
            !tail.contains(&document)
                && (overlap || !held.contains(&document))
                && seen.insert((document, level, cluster))
        };
        if fresh {
            sound.push((document, level, cluster));
            held.insert(document);
        }
    }
    sound
}

fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&at| {
        (at as u64 + 1).wrapping_mul(seed | 1).rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_order_of_rows_is_no_matter(
        gold in prop::collection::vec((0..900usize, 0..4u32, 0..5usize), 1..1200),
        system in prop::collection::vec((0..900usize, 0..4u32, 0..5usize), 1..1200),
        overlap: bool,
        seeds: [u64; 2],
    ) {
        let sides = [sound(gold, overlap), sound(system, overlap)];
        let [gold, system] = &sides;
        let ascending = [gold, system].map(|side| {
            let mut order: Vec<usize> = (0..side.len()).collect();
            order.sort_by_key(|&at| side[at]);
            order
        });
        let mixed = [shuffled(gold.len(), seeds[0]), shuffled(system.len(), seeds[1])];
        let pair: [&[Place]; 2] = [gold, system];
        let expected = scores(pair, [&ascending[0], &ascending[1]]);
        for orders in [[&ascending[0], &mixed[1]], [&mixed[0], &ascending[1]], [&mixed[0], &mixed[1]]] {
            let found = scores(pair, orders.map(Vec::as_slice));
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => for (a, b) in expected.iter().zip(found) {
                    let close = match (a, b) {
                        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
                        (a, b) => a == b,
                    };
                    prop_assert!(close, "{:?} {:?}", a, b);
                },
                (expected, found) => prop_assert_eq!(expected.as_ref().map_err(ToString::to_string), found.as_ref().map_err(ToString::to_string)),
            }
        }
        // A row again is an error that names the later of the two lines, wherever they stand.
        if let Some(at) = system.iter().position(|place| place.1 > 0) {
            let mut twice = system.clone();
            twice.push(system[at]);
            for order in [(0..twice.len()).collect(), shuffled(twice.len(), seeds[0])] {
                let line = order.iter().rposition(|&row: &usize| row == at || row == system.len()).unwrap() + 2;
                let message = format!("system:{line}: document doc{} is in one cluster twice", system[at].0);
                let error = scores([gold, &twice], [&mixed[0], &order]).unwrap_err().to_string();
                prop_assert!(error.contains(&message), "{} {}", error, message);
            }
        }
    }
}
