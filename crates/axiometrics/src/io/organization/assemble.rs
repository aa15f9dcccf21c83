//! From rows in any order to organizations.

use std::collections::HashMap;

use super::ONLY_TOPIC;
use crate::data::bytes;
use crate::data::organization::{
    Builder, Defect, DocumentCatalogue, Documents, LINK, Numbers, Organization, Organizations,
};
use crate::error::{Error, Place, Result};

/// Where a row puts its document.
pub(super) enum Spot<'a> {
    /// On a level, counted from 1, in the cluster of that name, or in one of its own.
    Level(u32, Option<&'a str>),
    /// In the tail.
    Tail,
}

/// What a row says of its document besides its place.
#[derive(Debug, Default)]
pub(super) struct About<'a> {
    pub(super) score: Option<f64>,
    pub(super) weight: Option<f64>,
    /// The documents that it links to, with [`LINK`] between them.
    pub(super) links: &'a str,
}

impl About<'_> {
    /// Nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.score.is_none() && self.weight.is_none() && self.links.is_empty()
    }
}

/// The rows of a file, topic by topic.
pub(super) struct Assembly<'a> {
    /// The name of the file.
    file: &'a str,
    catalogue: &'a mut DocumentCatalogue,
    topics: Vec<(String, AssembledTopic)>,
    numbers: HashMap<String, usize>,
    /// The topic of the last row, and its documents, which are out of the catalogue meanwhile: most
    /// files are sorted by topic.
    current: usize,
    documents: Documents,
}

/// Takes the rows of a piece of text.
pub(super) struct Intake<'a, 'b, 't> {
    assembly: &'b mut Assembly<'a>,
    /// The documents of the last rows, whose numbers are asked for together.
    waiting: Vec<&'t str>,
    numbers: Vec<u32>,
}

/// So many rows wait for the numbers of their documents.
const WAITING: usize = 256;

#[derive(Default)]
struct AssembledTopic {
    /// The document of each row, but for those that wait, and its cluster.
    documents: Numbers,
    members: Vec<u32>,
    lines: RowLines,
    clusters: Vec<PlacedCluster>,
    names: Documents,
    /// The cluster of each name.
    named: Vec<u32>,
    discarded: Vec<(u32, u64)>,
    scores: Vec<(u32, f64)>,
    weights: Vec<(u32, f64, u64)>,
    links: Vec<(u32, u32, u64)>,
}

struct PlacedCluster {
    level: u32,
    line: u64,
}

/// The line of each row, for messages. Rows mostly stand in one line after the other, so only the
/// others are noted.
#[derive(Default)]
struct RowLines {
    /// A row and its line, if that is not the line after the row before.
    jumps: Vec<(usize, u64)>,
    next: u64,
}

impl RowLines {
    fn push(&mut self, row: usize, line: u64) {
        if line != self.next {
            self.jumps.push((row, line));
        }
        self.next = line + 1;
    }

    fn of(&self, row: usize) -> u64 {
        let behind = self.jumps.partition_point(|&(first, _)| first <= row);
        self.jumps[..behind].last().map_or(0, |&(first, line)| line + (row - first) as u64)
    }
}

impl<'t> Intake<'_, '_, 't> {
    /// Takes a row, whose topic is left out if the file names none.
    pub(super) fn add(
        &mut self,
        line: u64,
        topic: Option<&str>,
        document: &str,
        spot: Spot<'_>,
        about: About<'_>,
    ) -> Result<()> {
        self.turn_to(topic);
        self.number();
        let assembly = &mut *self.assembly;
        let document = assembly.documents.intern(document);
        let topic = &mut assembly.topics[assembly.current].1;
        topic.scores.extend(about.score.map(|score| (document, score)));
        topic.weights.extend(about.weight.map(|weight| (document, weight, line)));
        let linked = about.links.split(LINK).map(str::trim).filter(|name| !name.is_empty());
        for name in linked {
            topic.links.push((document, assembly.documents.intern(name), line));
        }
        match spot {
            Spot::Tail => topic.discarded.push((document, line)),
            Spot::Level(level, name) => {
                topic.documents.extend(&[document]);
                assembly.place(line, level, name)?;
            }
        }
        Ok(())
    }

    /// The same for a plain row, of a document that can wait for its number.
    #[inline]
    pub(super) fn add_plain(
        &mut self,
        line: u64,
        topic: Option<&str>,
        document: &'t str,
        level: u32,
        cluster: Option<&str>,
    ) -> Result<()> {
        self.turn_to(topic);
        if self.waiting.len() == WAITING {
            self.number();
        }
        self.waiting.push(document);
        self.assembly.place(line, level, cluster)
    }

    #[inline]
    fn turn_to(&mut self, topic: Option<&str>) {
        if !self.assembly.stands_at(topic) {
            self.number();
            self.assembly.turn_to(topic.unwrap_or(ONLY_TOPIC));
        }
    }

    /// Asks for the numbers of the documents that wait.
    fn number(&mut self) {
        let assembly = &mut *self.assembly;
        if let Some((_, topic)) = assembly.topics.get_mut(assembly.current) {
            assembly.documents.intern_all(&self.waiting, &mut self.numbers);
            topic.documents.extend(&self.numbers);
            self.waiting.clear();
            self.numbers.clear();
        }
    }

    /// Ends the piece.
    pub(super) fn close(mut self) {
        self.number();
    }
}

impl<'a> Assembly<'a> {
    pub(super) fn new(file: &'a str, catalogue: &'a mut DocumentCatalogue) -> Assembly<'a> {
        Assembly {
            file,
            catalogue,
            topics: Vec::new(),
            numbers: HashMap::new(),
            current: 0,
            documents: Documents::default(),
        }
    }

    /// What takes the rows of the next piece of text.
    pub(super) fn intake<'t>(&mut self) -> Intake<'a, '_, 't> {
        Intake {
            assembly: self,
            waiting: Vec::with_capacity(WAITING),
            numbers: Vec::with_capacity(WAITING),
        }
    }

    #[inline]
    fn stands_at(&self, topic: Option<&str>) -> bool {
        self.topics.get(self.current).is_some_and(|(name, _)| {
            topic.is_none_or(|topic| bytes::same(name.as_bytes(), topic.as_bytes()))
        })
    }

    /// Puts the row into its cluster.
    fn place(&mut self, line: u64, level: u32, name: Option<&str>) -> Result<()> {
        let topic = &mut self.topics[self.current].1;
        let cluster = topic.cluster(level, name, line);
        let known = &topic.clusters[cluster as usize];
        if known.level != level {
            let name = name.unwrap_or_default();
            let message = format!(
                "cluster {name} stands on level {level} here and on level {} in line {}",
                known.level, known.line
            );
            let error = Error::input(Place::line(self.file, line), message);
            return Err(error.help("a cluster lies on one level; name the two parts differently"));
        }
        topic.lines.push(topic.members.len(), line);
        topic.members.push(cluster);
        Ok(())
    }

    fn turn_to(&mut self, topic: &str) {
        self.put_back();
        self.documents = self.catalogue.remove(topic).unwrap_or_default();
        self.current = self.numbers.get(topic).copied().unwrap_or(self.topics.len());
        if self.current == self.topics.len() {
            self.numbers.insert(topic.to_string(), self.current);
            self.topics.push((topic.to_string(), AssembledTopic::default()));
        }
    }

    /// Puts the documents of the current topic back into the catalogue, which is complete then.
    pub(super) fn put_back(&mut self) {
        if let Some((name, _)) = self.topics.get(self.current) {
            self.catalogue.insert(name.clone(), std::mem::take(&mut self.documents));
        }
    }

    /// Builds the organizations, after the documents were put back.
    pub(super) fn finish(self) -> Result<(Organizations, &'a DocumentCatalogue)> {
        let none = Documents::default();
        let mut organizations = Organizations::new();
        for (name, topic) in self.topics {
            let organization =
                topic.build(self.file, self.catalogue.get(&name).unwrap_or(&none))?;
            organizations.insert(name, organization);
        }
        Ok((organizations, self.catalogue))
    }
}

impl AssembledTopic {
    fn cluster(&mut self, level: u32, name: Option<&str>, line: u64) -> u32 {
        let fresh = self.clusters.len() as u32;
        if let Some(name) = name {
            let number = self.names.intern_unordered(name) as usize;
            if number < self.named.len() {
                return self.named[number];
            }
            self.named.push(fresh);
        }
        self.clusters.push(PlacedCluster { level, line });
        fresh
    }

    fn build(mut self, file: &str, documents: &Documents) -> Result<Organization> {
        let levels: Vec<u32> = self.clusters.iter().map(|cluster| cluster.level).collect();
        let mut builder = Builder::from_rows(&self.documents, &mut self.members, &levels)
            .map_err(|(cluster, defect)| self.error(file, documents, defect, Some(cluster)))?;
        for &(document, _) in &self.discarded {
            builder
                .discard(document)
                .map_err(|defect| self.error(file, documents, defect, None))?;
        }
        for &(document, score) in &self.scores {
            builder.score(document, score);
        }
        let at = |line: u64, defect: Defect, help: &'static str| {
            Error::input(Place::line(file, line), defect.describe(documents)).help(help)
        };
        let mut known: HashMap<u32, f64> = HashMap::new();
        for &(document, weight, line) in &self.weights {
            if *known.entry(document).or_insert(weight) != weight {
                let defect = Defect::WeightedTwice(document);
                return Err(at(line, defect, "give it the same weight in all its rows"));
            }
            builder.weigh(document, weight);
        }
        for &(from, to, line) in &self.links {
            builder.link(from, to).map_err(|defect| {
                at(line, defect, "link documents that have rows with a level in this topic")
            })?;
        }
        Ok(builder.build())
    }

    fn error(
        &self,
        file: &str,
        documents: &Documents,
        defect: Defect,
        cluster: Option<u32>,
    ) -> Error {
        let document = defect.document();
        let here =
            |row: &usize| cluster.is_none_or(|cluster| self.members.get(*row) == Some(&cluster));
        let rows =
            self.documents.rows(document).into_iter().filter(here).map(|row| self.lines.of(row));
        let discarded = self
            .discarded
            .iter()
            .filter(|(discarded, _)| *discarded == document)
            .map(|&(_, line)| line);
        let line = rows.chain(discarded).max().unwrap_or(0);
        Error::input(Place::line(file, line), defect.describe(documents))
            .help("remove one of the rows")
    }
}
