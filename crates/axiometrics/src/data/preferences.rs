//! Judgements as preferences: which of two documents a judge would rather have.
//!
//! Owns: the grouping of statements, their consistency, the order that follows from them. Does not
//! own: text formats, which are `io`'s, and the counting of fulfilled preferences, which is
//! [`crate::measure::preference`]'s.

use std::collections::HashMap;

use super::bits::BitMatrix;
use crate::error::{Error, Place, Result};

/// One statement: in a subgroup of a judge's judgements, a document has a level. It is preferred to
/// the documents of lower levels there.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The topic.
    pub topic: Vec<u8>,
    /// The judgement group: one judge with one information need. Groups may contradict each other.
    pub group: Vec<u8>,
    /// The judgement subgroup, within which levels are compared.
    pub subgroup: Vec<u8>,
    /// The document.
    pub document: Vec<u8>,
    /// The level, at least 0; 0 is not relevant.
    pub level: f64,
    /// The line that says so, for errors, if it is known.
    pub line: Option<u64>,
}

/// A judgement that follows from preferences: topic, judge, document, grade.
pub type JudgementRow<'p> = (&'p [u8], Vec<u8>, &'p [u8], u32);

/// Preferences by topic.
#[derive(Debug, Clone)]
pub struct Preferences {
    topics: Vec<TopicPreferences>,
}

/// The preferences of one topic.
#[derive(Debug, Clone)]
pub struct TopicPreferences {
    id: Vec<u8>,
    documents: Vec<Vec<u8>>,
    groups: Vec<Group>,
}

/// One judge's preferences for one topic: a partial order.
#[derive(Debug, Clone)]
pub struct Group {
    name: Vec<u8>,
    pub(crate) members: Vec<Member>,
    pub(crate) order: GroupOrder,
}

/// A document in a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Member {
    /// Its index among the documents of the topic.
    pub(crate) document: u32,
    /// Whether its level is above 0.
    pub(crate) relevant: bool,
}

/// Who is preferred to whom within a group.
#[derive(Debug, Clone)]
pub(crate) enum GroupOrder {
    /// One subgroup: the class of each member, 0 the most preferred. Any two of different classes
    /// are comparable.
    Classes(Vec<u32>),
    /// Several subgroups: all pairs that follow from them.
    Pairs(BitMatrix),
}

impl Preferences {
    /// Sorts statements into topics, groups and subgroups, in any order of input. Within a group it
    /// is an error if a document is named twice in a subgroup, is relevant in one subgroup and not
    /// in another, or if preferences go round in a circle. `file` is where the lines stand.
    pub fn new(mut statements: Vec<Statement>, file: &str) -> Result<Preferences> {
        statements.sort_by(|a, b| {
            let keys = (&a.topic, &a.group, &a.subgroup).cmp(&(&b.topic, &b.group, &b.subgroup));
            keys.then(b.level.total_cmp(&a.level)).then_with(|| a.document.cmp(&b.document))
        });
        let topics = statements
            .chunk_by(|a, b| a.topic == b.topic)
            .map(|topic| TopicPreferences::new(topic, file))
            .collect::<Result<_>>()?;
        Ok(Preferences { topics })
    }

    /// The preferences that plain judgements imply: each group (the second column) prefers higher
    /// grades. Grades below 0 mean pooled but not assessed, and say nothing.
    pub fn from_judgements<'a>(
        judgements: impl IntoIterator<Item = (&'a [u8], &'a [u8], &'a [u8], f64)>,
        file: &str,
    ) -> Result<Preferences> {
        let mut statements = Vec::new();
        for (topic, group, document, level) in judgements.into_iter().filter(|j| j.3 >= 0.0) {
            let [topic, group, document] = [topic, group, document].map(<[u8]>::to_vec);
            statements.push(Statement {
                topic,
                group,
                subgroup: Vec::new(),
                document,
                level,
                line: None,
            });
        }
        Preferences::new(statements, file)
    }

    /// The same as judgements: topic, judge, document, grade. A grade is the height of a document in
    /// a group's order: 1 for a relevant one with nothing relevant below it, 0 for one that is not
    /// relevant. `partial` makes a judge of each relevant document, who grades those above it and
    /// itself alone: so a document is above another exactly if some judge grades it higher and none
    /// lower. Otherwise there is one judge, and a document has the greatest of its heights.
    pub fn judgements(&self, partial: bool) -> Vec<JudgementRow<'_>> {
        let mut all = Vec::new();
        for topic in &self.topics {
            let mut highest = vec![None; topic.documents.len()];
            for group in &topic.groups {
                let heights = group.heights();
                for (member, height) in group.members.iter().zip(&heights) {
                    let known = &mut highest[member.document as usize];
                    *known = (*known).max(Some(*height));
                    if partial && *height == 0 {
                        let document = &topic.documents[member.document as usize];
                        all.push((topic.id(), group.name.clone(), document.as_slice(), 0));
                    }
                }
                for judge in (0..group.len()).filter(|&judge| partial && heights[judge] > 0) {
                    let name = &topic.documents[group.members[judge].document as usize];
                    let name = [group.name.as_slice(), b">", name].concat();
                    for (at, member) in group.members.iter().enumerate() {
                        if heights[at] > 0 && (at == judge || group.prefers(at, judge)) {
                            let document = &topic.documents[member.document as usize];
                            all.push((topic.id(), name.clone(), document.as_slice(), heights[at]));
                        }
                    }
                }
            }
            for (document, height) in topic.documents.iter().zip(highest).filter(|_| !partial) {
                all.push((topic.id(), b"0".to_vec(), document.as_slice(), height.unwrap_or(0)));
            }
        }
        all
    }

    /// The topics, in byte order of their ids.
    pub fn topics(&self) -> &[TopicPreferences] {
        &self.topics
    }

    /// One topic.
    pub fn topic(&self, id: &[u8]) -> Option<&TopicPreferences> {
        self.topics.binary_search_by(|t| t.id.as_slice().cmp(id)).ok().map(|i| &self.topics[i])
    }
}

impl TopicPreferences {
    fn new(statements: &[Statement], file: &str) -> Result<TopicPreferences> {
        let mut documents: Vec<Vec<u8>> = statements.iter().map(|s| s.document.clone()).collect();
        documents.sort_unstable();
        documents.dedup();
        let index: HashMap<&[u8], u32> = documents.iter().map(Vec::as_slice).zip(0..).collect();
        let groups = statements
            .chunk_by(|a, b| a.group == b.group)
            .map(|group| Group::new(group, &index, file))
            .collect::<Result<_>>()?;
        let id = statements.first().map_or_else(Vec::new, |s| s.topic.clone());
        Ok(TopicPreferences { id, documents, groups })
    }

    /// The topic.
    pub fn id(&self) -> &[u8] {
        &self.id
    }

    /// The documents that any group names, in byte order.
    pub fn documents(&self) -> &[Vec<u8>] {
        &self.documents
    }

    /// The judgement groups, in byte order of their names.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }
}

impl Group {
    fn new(statements: &[Statement], index: &HashMap<&[u8], u32>, file: &str) -> Result<Group> {
        let at = |s: &Statement| Place { line: s.line, ..Place::file(file) };
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut position: HashMap<&[u8], usize> = HashMap::new();
        let mut members: Vec<Member> = Vec::new();
        let mut subgroups: Vec<Vec<Vec<usize>>> = Vec::new();
        for subgroup in statements.chunk_by(|a, b| a.subgroup == b.subgroup) {
            let mut seen = vec![false; members.len()];
            let mut classes = Vec::new();
            for class in subgroup.chunk_by(|a, b| a.level == b.level) {
                let mut ids = Vec::new();
                for s in class {
                    let relevant = s.level > 0.0;
                    let i = *position.entry(&s.document).or_insert_with(|| {
                        let document =
                            index.get(s.document.as_slice()).copied().unwrap_or_default();
                        members.push(Member { document, relevant });
                        seen.push(false);
                        members.len() - 1
                    });
                    if std::mem::replace(&mut seen[i], true) {
                        let message = format!(
                            "document {} is named twice in subgroup {}",
                            shown(&s.document),
                            shown(&s.subgroup)
                        );
                        return Err(Error::input(at(s), message).help("remove one of its lines"));
                    }
                    if members[i].relevant != relevant {
                        let message = format!(
                            "document {} has level 0 in one subgroup of group {} and not in another",
                            shown(&s.document),
                            shown(&s.group)
                        );
                        return Err(Error::input(at(s), message)
                            .help("put the judgements into different groups"));
                    }
                    ids.push(i);
                }
                classes.push(ids);
            }
            subgroups.push(classes);
        }
        let order = match subgroups.as_slice() {
            [classes] => {
                let mut of = vec![0; members.len()];
                for (class, ids) in (0u32..).zip(classes) {
                    ids.iter().for_each(|&i| of[i] = class);
                }
                GroupOrder::Classes(of)
            }
            _ => GroupOrder::Pairs(BitMatrix::closure(members.len(), &subgroups).ok_or_else(
                || {
                    let first = &statements[0];
                    let message = format!(
                        "the preferences of group {} for topic {} go round in a circle",
                        shown(&first.group),
                        shown(&first.topic)
                    );
                    Error::input(at(first), message)
                        .help("put contradicting judgements into different groups")
                },
            )?),
        };
        Ok(Group { name: statements[0].group.clone(), members, order })
    }

    /// The judge.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// How many documents it compares.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// True if it compares none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// How high each member stands: 1 more than the highest relevant one below it, 0 if it is not
    /// relevant.
    fn heights(&self) -> Vec<u32> {
        let below = |i: usize| (0..self.len()).filter(|&j| self.prefers(i, j)).count();
        let mut order: Vec<(usize, usize)> = (0..self.len()).map(|i| (below(i), i)).collect();
        // What is below a document has fewer below it.
        order.sort_unstable();
        let mut heights = vec![0; self.len()];
        for (_, i) in order.into_iter().filter(|&(_, i)| self.members[i].relevant) {
            let highest = (0..self.len()).filter(|&j| self.prefers(i, j)).map(|j| heights[j]).max();
            heights[i] = 1 + highest.unwrap_or(0);
        }
        heights
    }

    /// Whether member i is preferred to member j.
    pub(crate) fn prefers(&self, i: usize, j: usize) -> bool {
        match &self.order {
            GroupOrder::Classes(class) => class[i] < class[j],
            GroupOrder::Pairs(pairs) => pairs.get(i, j),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(text: &str) -> Result<Group> {
        let statement = |(line, text): (u64, &str)| {
            let f: Vec<&str> = text.split(' ').collect();
            let bytes = |i: usize| f[i].as_bytes().to_vec();
            Statement {
                topic: b"t".to_vec(),
                group: b"g".to_vec(),
                subgroup: bytes(0),
                document: bytes(1),
                level: f[2].parse().unwrap(),
                line: Some(line),
            }
        };
        let all =
            Preferences::new((1..).zip(text.split(", ")).map(statement).collect(), "a.prefs")?;
        Ok(all.topic(b"t").unwrap().groups()[0].clone())
    }

    fn pairs(g: &Group) -> usize {
        (0..g.len()).map(|i| (0..g.len()).filter(|&j| g.prefers(i, j)).count()).sum()
    }

    #[test]
    fn levels_of_one_subgroup_are_all_compared() {
        assert_eq!(pairs(&group("1 a 3, 1 b 2, 1 c 0, 1 d 6, 1 e 0, 1 f 2").unwrap()), 13);
    }

    #[test]
    fn subgroups_are_joined_transitively() {
        // 1>2, 1>3, 2>3 and 2>4 give 1>4; nothing is said of 3 and 4.
        let g = group("1 1 3, 1 2 2, 1 3 1, 2 2 5, 2 4 4").unwrap();
        assert_eq!(pairs(&g), 5);
    }

    #[test]
    fn as_judgements_the_order_can_be_read_again() {
        let text = "1 a 3, 1 b 2, 1 c 1, 2 b 5, 2 d 4, 3 e 0, 3 a 1";
        let statement = |(line, text): (u64, &str)| {
            let f: Vec<&str> = text.split(' ').collect();
            let [subgroup, document] = [f[0], f[1]].map(|text| text.as_bytes().to_vec());
            let (topic, group) = (b"t".to_vec(), b"g".to_vec());
            let level = f[2].parse().unwrap();
            Statement { topic, group, subgroup, document, level, line: Some(line) }
        };
        let statements = (1..).zip(text.split(", ")).map(statement).collect();
        let all = Preferences::new(statements, "a.prefs").unwrap();
        let group = &all.topic(b"t").unwrap().groups()[0];
        let rows = all.judgements(true);
        let grade = |judge: &[u8], document: &[u8]| {
            rows.iter().find(|row| row.1 == judge && row.2 == document).map_or(0, |row| row.3)
        };
        let judges: std::collections::BTreeSet<&[u8]> = rows.iter().map(|row| &*row.1).collect();
        let documents = all.topic(b"t").unwrap().documents();
        let id = |member: usize| documents[group.members[member].document as usize].as_slice();
        for i in 0..group.len() {
            for j in (0..group.len()).filter(|&j| j != i) {
                let pairs =
                    || judges.iter().map(|judge| (grade(judge, id(i)), grade(judge, id(j))));
                let above = pairs().all(|(x, y)| x >= y) && pairs().any(|(x, y)| x > y);
                // What is not relevant is below all that is, compared or not.
                let expected =
                    group.prefers(i, j) || group.members[i].relevant && !group.members[j].relevant;
                assert_eq!(above, expected, "{i} {j}");
            }
        }
        let plain = all.judgements(false);
        let plain: Vec<(&[u8], u32)> = plain.iter().map(|row| (row.2, row.3)).collect();
        assert_eq!(plain, [(&b"a"[..], 3), (b"b", 2), (b"c", 1), (b"d", 1), (b"e", 0)]);
    }

    #[test]
    fn contradictions_are_errors_with_a_line() {
        for (text, expected) in [
            ("1 a 1, 1 b 1, 1 a 2", "a.prefs:1: document a is named twice"),
            ("1 a 1, 1 b 0, 2 b 1, 2 a 2", "a.prefs:3: document b has level 0"),
            ("1 a 2, 1 b 1, 2 a 1, 2 b 2", "go round in a circle"),
            ("1 a 2, 1 b 1, 2 b 2, 2 c 1, 3 c 2, 3 a 1", "go round in a circle"),
        ] {
            let e = group(text).unwrap_err();
            assert!(e.is_input() && e.to_string().contains(expected), "{e}");
        }
    }
}
