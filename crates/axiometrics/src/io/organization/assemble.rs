//! From rows in any order to organizations.

use std::collections::HashMap;

use super::Text;
use crate::data::organization::{Catalogue, Defect, Documents, Organization, Organizations};
use crate::error::{Error, Result};

/// Where a row puts its document.
pub(super) enum Spot<'a> {
    /// On a level, counted from 1, in the cluster of that name, or in one of its own.
    Level(u32, Option<&'a str>),
    /// In the tail.
    Tail,
}

/// The rows of a file, topic by topic.
pub(super) struct Assembly<'a> {
    source: &'a Text<'a>,
    catalogue: &'a mut Catalogue,
    topics: Vec<(String, Topic)>,
    numbers: HashMap<String, usize>,
    /// The topic of the last row, and its documents, which are out of the catalogue meanwhile: most files are sorted by topic.
    current: usize,
    documents: Documents,
}

#[derive(Default)]
struct Topic {
    rows: Vec<Row>,
    clusters: Vec<Cluster>,
    names: Documents,
    /// The cluster of each name.
    named: Vec<u32>,
    discarded: Vec<(u32, u64)>,
    scores: Vec<(u32, f64)>,
}

struct Row {
    document: u32,
    cluster: u32,
    line: u64,
}

struct Cluster {
    level: u32,
    line: u64,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(source: &'a Text<'a>, catalogue: &'a mut Catalogue) -> Assembly<'a> {
        Assembly { source, catalogue, topics: Vec::new(), numbers: HashMap::new(), current: 0, documents: Documents::default() }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, line: u64, topic: &str, document: &str, spot: Spot<'_>, score: Option<f64>) -> Result<()> {
        self.turn_to(topic);
        let document = self.documents.intern(document);
        let topic = &mut self.topics[self.current].1;
        if let Some(score) = score {
            topic.scores.push((document, score));
        }
        match spot {
            Spot::Tail => topic.discarded.push((document, line)),
            Spot::Level(level, name) => {
                let cluster = topic.cluster(level, name, line);
                let known = &topic.clusters[cluster as usize];
                if known.level != level {
                    let name = name.unwrap_or_default();
                    let message =
                        format!("cluster {name} stands on level {level} here and on level {} in line {}", known.level, known.line);
                    let error = Error::input(self.source.line(line), message);
                    return Err(error.help("a cluster lies on one level; name the two parts differently"));
                }
                topic.rows.push(Row { document, cluster, line });
            }
        }
        Ok(())
    }

    fn turn_to(&mut self, topic: &str) {
        if self.topics.get(self.current).is_some_and(|(name, _)| name == topic) {
            return;
        }
        self.put_back();
        self.documents = self.catalogue.remove(topic).unwrap_or_default();
        self.current = self.numbers.get(topic).copied().unwrap_or(self.topics.len());
        if self.current == self.topics.len() {
            self.numbers.insert(topic.to_string(), self.current);
            self.topics.push((topic.to_string(), Topic::default()));
        }
    }

    /// Puts the documents of the current topic back into the catalogue.
    fn put_back(&mut self) {
        if let Some((name, _)) = self.topics.get(self.current) {
            self.catalogue.insert(name.clone(), std::mem::take(&mut self.documents));
        }
    }

    /// Builds the organizations.
    pub(super) fn finish(mut self) -> Result<Organizations> {
        self.put_back();
        let none = Documents::default();
        let mut organizations = Organizations::new();
        for (name, topic) in self.topics {
            let organization = topic.build(self.source, self.catalogue.get(&name).unwrap_or(&none))?;
            organizations.insert(name, organization);
        }
        Ok(organizations)
    }
}

impl Topic {
    fn cluster(&mut self, level: u32, name: Option<&str>, line: u64) -> u32 {
        let fresh = self.clusters.len() as u32;
        if let Some(name) = name {
            let number = self.names.intern(name) as usize;
            if number < self.named.len() {
                return self.named[number];
            }
            self.named.push(fresh);
        }
        self.clusters.push(Cluster { level, line });
        fresh
    }

    fn build(&self, source: &Text<'_>, documents: &Documents) -> Result<Organization> {
        let mut ends = vec![0usize; self.clusters.len() + 1];
        for row in &self.rows {
            ends[row.cluster as usize + 1] += 1;
        }
        for cluster in 0..self.clusters.len() {
            ends[cluster + 1] += ends[cluster];
        }
        let mut next = ends.clone();
        let mut sorted = vec![0; self.rows.len()];
        for row in &self.rows {
            let at = &mut next[row.cluster as usize];
            sorted[*at] = row.document;
            *at += 1;
        }
        let mut order: Vec<usize> = (0..self.clusters.len()).collect();
        order.sort_by_key(|&cluster| self.clusters[cluster].level);
        let mut builder = Organization::builder();
        for level in order.chunk_by(|&a, &b| self.clusters[a].level == self.clusters[b].level) {
            builder.level();
            for &cluster in level {
                let members = sorted[ends[cluster]..ends[cluster + 1]].iter().copied();
                builder.cluster(members).map_err(|defect| self.error(source, documents, defect, Some(cluster as u32)))?;
            }
        }
        for &(document, _) in &self.discarded {
            builder.discard(document).map_err(|defect| self.error(source, documents, defect, None))?;
        }
        for &(document, score) in &self.scores {
            builder.score(document, score);
        }
        Ok(builder.build())
    }

    fn error(&self, source: &Text<'_>, documents: &Documents, defect: Defect, cluster: Option<u32>) -> Error {
        let (Defect::TwiceInCluster(document) | Defect::DiscardedAgain(document)) = defect;
        let rows = self.rows.iter().filter(|row| row.document == document && cluster.is_none_or(|cluster| row.cluster == cluster));
        let discarded = self.discarded.iter().filter(|(discarded, _)| *discarded == document).map(|&(_, line)| line);
        let line = rows.map(|row| row.line).chain(discarded).max().unwrap_or(0);
        Error::input(source.line(line), defect.describe(documents)).help("remove one of the rows")
    }
}
