//! The paper's figures 3 to 7: measurements of one or two documents on a line.

use std::fmt::Write as _;

/// A figure, drawn: a line for each document, from the lowest relevance on the left to the highest.
#[derive(Debug, Clone, Copy)]
pub struct AxiomFigure {
    /// Its number in the paper, such as `4(a)`.
    pub number: &'static str,
    /// What it shows.
    pub caption: &'static str,
    /// The documents, and what stands where on their lines.
    lines: &'static [(&'static str, &'static [Mark])],
}

/// A measurement and its place on the line.
type Mark = (&'static str, usize);

const WIDTH: usize = 32;

impl AxiomFigure {
    /// The figure as text: `a` is what the assessor says, `s` and `s'` what systems say.
    pub fn draw(&self) -> String {
        let mut text = String::new();
        for (document, marks) in self.lines {
            let line = on_a_line(WIDTH, marks.iter().map(|(mark, at)| (*mark, *at)));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{document:<3}{line}");
        }
        text
    }
}

/// Marks on a line of dashes; what falls on the same place stands side by side.
pub(crate) fn on_a_line<'m>(width: usize, marks: impl Iterator<Item = (&'m str, usize)>) -> String {
    let mut places: Vec<(usize, String)> = Vec::new();
    for (mark, at) in marks {
        match places.iter_mut().find(|(place, _)| *place == at) {
            Some((_, known)) => *known = format!("{known}={mark}"),
            None => places.push((at, mark.to_string())),
        }
    }
    places.sort_by_key(|(at, _)| *at);
    let mut line = String::new();
    let mut length = 0;
    for (at, mark) in places {
        let dashes = at.saturating_sub(length);
        line += &"-".repeat(dashes);
        line += &mark;
        length += dashes + mark.chars().count();
    }
    line + &"-".repeat(width.saturating_sub(length))
}

const fn figure(
    number: &'static str,
    caption: &'static str,
    lines: &'static [(&'static str, &'static [Mark])],
) -> AxiomFigure {
    AxiomFigure { number, caption, lines }
}

const EQUAL_APART: &[AxiomFigure] = &[
    figure(
        "3(a)",
        "s says too much and s' too little, by the same amount: equal similarities, different systems",
        &[("d", &[("s'", 8), ("a", 16), ("s", 24)])],
    ),
    figure("3(b)", "the same the other way round", &[("d", &[("s", 8), ("a", 16), ("s'", 24)])]),
];

const EQUAL: &[AxiomFigure] = &[
    figure("3(c)", "both say the same, too much", &[("d", &[("a", 12), ("s", 24), ("s'", 24)])]),
    figure("3(d)", "both say the same, too little", &[("d", &[("s", 8), ("s'", 8), ("a", 20)])]),
];

const DIFFERENT: &[AxiomFigure] = &[
    figure("4(a)", "both say too much, s' more so", &[("d", &[("a", 8), ("s", 16), ("s'", 26)])]),
    figure("4(b)", "both say too little, s' more so", &[("d", &[("s'", 4), ("s", 14), ("a", 22)])]),
    figure(
        "4(c)",
        "ruled out: s says a little too much, s' far too little",
        &[("d", &[("s'", 4), ("a", 18), ("s", 24)])],
    ),
    figure(
        "4(d)",
        "ruled out: s says a little too little, s' far too much",
        &[("d", &[("s", 8), ("a", 14), ("s'", 28)])],
    ),
];

const OVER: &[AxiomFigure] = &[
    figure(
        "5(a)",
        "ruled out: the smaller error is on the more relevant document d",
        &[("d", &[("a", 18), ("s", 21)]), ("d'", &[("a", 8), ("s", 16)])],
    ),
    figure(
        "6(a)",
        "the system says too much of both, and is more wrong on d",
        &[("d", &[("a", 14), ("s", 26)]), ("d'", &[("a", 8), ("s", 12)])],
    ),
    figure(
        "6(c)",
        "ruled out: too much of d, too little of d'",
        &[("d", &[("a", 16), ("s", 26)]), ("d'", &[("s", 6), ("a", 10)])],
    ),
];

const UNDER: &[AxiomFigure] = &[
    figure(
        "6(b)",
        "the system says too little of both, and is more wrong on d",
        &[("d", &[("s", 14), ("a", 26)]), ("d'", &[("s", 6), ("a", 10)])],
    ),
    figure(
        "6(d)",
        "ruled out: too little of d, too much of d'",
        &[("d", &[("s", 16), ("a", 26)]), ("d'", &[("a", 8), ("s", 12)])],
    ),
    figure(
        "7",
        "ruled out by (10): too little of both, but d falls below d'",
        &[("d", &[("s", 4), ("a", 26)]), ("d'", &[("s", 8), ("a", 14)])],
    ),
];

/// The figures that an axiom speaks of, by its number.
pub(super) fn figures(number: usize) -> impl Iterator<Item = &'static AxiomFigure> {
    let parts: &[&[AxiomFigure]] = match number {
        3 => &[EQUAL_APART, EQUAL],
        4 => &[EQUAL],
        5 => &[DIFFERENT],
        6 => &[OVER],
        7 => &[UNDER],
        _ => &[],
    };
    parts.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The premises of each axiom hold in its figures, and fail in those that are ruled out.
    #[test]
    fn figures_show_what_they_say() {
        let place = |figure: &AxiomFigure, line: usize, mark: &str| {
            let (_, marks) = figure.lines[line];
            marks.iter().find(|(known, _)| *known == mark).map(|(_, at)| *at as i64).unwrap()
        };
        for figure in figures(5) {
            let at = |mark| place(figure, 0, mark);
            let (a, s, other) = (at("a"), at("s"), at("s'"));
            assert!((s - a).abs() < (other - a).abs(), "{}: (4)", figure.number);
            let same_side = (s - other).abs() < (other - a).abs();
            assert_eq!(same_side, !figure.caption.starts_with("ruled out"), "{}", figure.number);
        }
        for figure in figures(6).chain(figures(7)) {
            let at = |line, mark| place(figure, line, mark);
            let error = |line| (at(line, "s") - at(line, "a")).abs();
            let over = |line| at(line, "s") > at(line, "a");
            assert!(at(0, "a") > at(1, "a"), "{}: d is more relevant", figure.number);
            let swapped = at(0, "s") < at(1, "s");
            let holds = error(0) > error(1) && over(0) == over(1) && !swapped;
            assert_eq!(holds, !figure.caption.starts_with("ruled out"), "{}", figure.number);
        }
        for figure in figures(3) {
            let at = |mark| place(figure, 0, mark);
            assert_eq!((at("s") - at("a")).abs(), (at("s'") - at("a")).abs(), "{}", figure.number);
        }
    }

    #[test]
    fn marks_stand_at_their_places() {
        let marks = [("a", 2), ("s", 5), ("s'", 5)];
        assert_eq!(on_a_line(10, marks.into_iter()), "--a--s=s'-");
    }
}
