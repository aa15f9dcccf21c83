//! Organizations as nested lists: `{"topic": [[["d1"],["d2","d3"]], [["d4"]]]}`, levels, clusters,
//! documents.
//!
//! A topic can be an object instead, if documents of the tail are known, or if documents have weights
//! or links: `{"levels": [...], "tail": ["d5"], "weights": {"d1": 2}, "links": [["d1", "d2"]]}`.
//!
//! The text is read as a stream: what is kept are the numbers of documents, not lists of lists.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::text::FileText;
use crate::data::organization::{
    Builder, Defect, DocumentCatalogue, Documents, Organization, Organizations,
};
use crate::error::{Error, Place, Result};
use crate::io::json::{Position, deserializer};
use crate::io::jsonl::message;

/// Reads a file.
pub(super) fn read(
    text: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let name = text.source.name();
    let at = Position::default();
    let mut input = deserializer(text.decoded(text.source.read()?), name, &at)?;
    let mut topics =
        TopicsReader { name, at: &at, catalogue, organizations: Organizations::new(), wrong: None };
    let read = topics.deserialize(&mut input).and_then(|()| input.end());
    match (topics.wrong, read) {
        (Some(error), _) => Err(error),
        (None, Ok(())) => Ok(topics.organizations),
        (None, Err(error)) if error.is_io() => Err(Error::io(name, error.into())),
        (None, Err(error)) => Err(Error::input(
            text.column(error.line() as u64, error.column() as u64),
            format!("no valid JSON: {}", message(&error)),
        )),
    }
}

/// Reads all topics.
struct TopicsReader<'a> {
    name: &'a str,
    at: &'a Position,
    catalogue: &'a mut DocumentCatalogue,
    organizations: Organizations,
    /// What is wrong, in our own words.
    wrong: Option<Error>,
}

impl<'de> DeserializeSeed<'de> for &mut TopicsReader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut TopicsReader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose keys are topics")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(topic) = map.next_key::<String>()? {
            let documents = self.catalogue.entry(topic.clone()).or_default();
            let mut reader = TopicReader::new(self.at, documents);
            let read = map
                .next_value_seed(PartReader { topic: &mut reader, part: OrganizationPart::Topic });
            let built = match (reader.wrong.take(), read) {
                (Some(wrong), _) => Err(wrong),
                (None, Err(error)) => return Err(error),
                (None, Ok(())) => reader.build(),
            };
            match built {
                Ok(organization) => drop(self.organizations.insert(topic, organization)),
                Err(((line, column), wrong)) => {
                    let place = Place::column(self.name, line, column);
                    self.wrong = Some(Error::input(place, format!("topic {topic}: {wrong}")));
                    return Err(A::Error::custom("stopped"));
                }
            }
        }
        Ok(())
    }
}

/// A line and a column, and what is wrong there.
type Wrong = ((u64, u64), String);

/// A topic as far as it was read.
struct TopicReader<'a> {
    at: &'a Position,
    documents: &'a mut Documents,
    builder: Builder,
    tail: Vec<u32>,
    weights: Vec<(u32, f64)>,
    links: Vec<(u32, u32)>,
    /// The documents of the list at hand.
    list: Vec<u32>,
    /// The level and the cluster at hand, counted from 1.
    level: usize,
    cluster: usize,
    wrong: Option<Wrong>,
}

impl<'a> TopicReader<'a> {
    fn new(at: &'a Position, documents: &'a mut Documents) -> TopicReader<'a> {
        TopicReader {
            at,
            documents,
            builder: Organization::builder(),
            tail: Vec::new(),
            weights: Vec::new(),
            links: Vec::new(),
            list: Vec::new(),
            level: 0,
            cluster: 0,
            wrong: None,
        }
    }

    /// What hangs on documents of levels comes after these, wherever it stood.
    fn build(self) -> std::result::Result<Organization, Wrong> {
        let TopicReader { at, documents, mut builder, tail, weights, links, .. } = self;
        let told = |defect: Defect| (at.now(), defect.describe(documents));
        for document in tail {
            builder.discard(document).map_err(told)?;
        }
        for (document, weight) in weights {
            builder.weigh(document, weight);
        }
        for (from, to) in links {
            builder.link(from, to).map_err(told)?;
        }
        Ok(builder.build())
    }

    /// Carries a message through the deserializer.
    fn stop<T, E: serde::de::Error>(
        &mut self,
        at: (u64, u64),
        message: String,
    ) -> std::result::Result<T, E> {
        let message = match (self.level, self.cluster) {
            (0, _) => message,
            (level, 0) => format!("level {level}: {message}"),
            (level, cluster) => format!("level {level}, cluster {cluster}: {message}"),
        };
        self.wrong = Some((at, message));
        Err(E::custom("stopped"))
    }
}

/// What a value is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrganizationPart {
    Topic,
    Levels,
    Level,
    Cluster,
    Document,
    Tail,
    Weights,
    Weight(u32),
    Links,
    Link,
}

const PARTS: [(&str, OrganizationPart); 4] = [
    ("levels", OrganizationPart::Levels),
    ("tail", OrganizationPart::Tail),
    ("weights", OrganizationPart::Weights),
    ("links", OrganizationPart::Links),
];

impl OrganizationPart {
    fn expected(self) -> &'static str {
        match self {
            OrganizationPart::Topic | OrganizationPart::Levels => "a list of levels",
            OrganizationPart::Level => "a list of clusters",
            OrganizationPart::Cluster | OrganizationPart::Tail => "a list of documents",
            OrganizationPart::Document => "a document",
            OrganizationPart::Weights => "an object of weights by document",
            OrganizationPart::Weight(_) => "a number above 0",
            OrganizationPart::Links => "a list of links",
            OrganizationPart::Link => "a link: two documents",
        }
    }
}

/// Reads a part of a topic.
struct PartReader<'r, 'a> {
    topic: &'r mut TopicReader<'a>,
    part: OrganizationPart,
}

impl PartReader<'_, '_> {
    fn found<E: serde::de::Error>(self, found: &str) -> std::result::Result<(), E> {
        let at = self.topic.at.value.get();
        let message = self.message(found);
        self.topic.stop(at, message)
    }

    /// The same for what has an end of its own.
    fn found_many<E: serde::de::Error>(self, found: &str) -> std::result::Result<(), E> {
        let at = self.topic.at.now();
        let message = self.message(found);
        self.topic.stop(at, message)
    }

    fn message(&self, found: &str) -> String {
        let name = match self.part {
            OrganizationPart::Weight(document) => {
                format!(" for {}", self.topic.documents.name(document))
            }
            _ => String::new(),
        };
        format!("found {found}, expected {}{name}", self.part.expected())
    }

    fn document<E>(self, name: &str) -> std::result::Result<(), E> {
        let number = self.topic.documents.intern(name);
        self.topic.list.push(number);
        Ok(())
    }

    fn weight<E: serde::de::Error>(self, document: u32, weight: f64) -> std::result::Result<(), E> {
        if weight > 0.0 {
            self.topic.weights.push((document, weight));
            return Ok(());
        }
        self.found(&serde_json::Value::from(weight).to_string())
    }

    /// Reads the values of a list, each of them as `part`.
    fn each<'de, A: SeqAccess<'de>>(
        &mut self,
        part: OrganizationPart,
        seq: &mut A,
    ) -> std::result::Result<bool, A::Error> {
        Ok(seq.next_element_seed(PartReader { topic: self.topic, part })?.is_some())
    }
}

impl<'de> DeserializeSeed<'de> for PartReader<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> std::result::Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PartReader<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.part.expected())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> std::result::Result<(), A::Error> {
        match self.part {
            OrganizationPart::Topic | OrganizationPart::Levels => {
                // The last of several counts.
                self.topic.builder = Organization::builder();
                (self.topic.level, self.topic.cluster) = (1, 0);
                while self.each(OrganizationPart::Level, &mut seq)? {
                    self.topic.builder.level();
                    self.topic.level += 1;
                    self.topic.cluster = 0;
                }
                self.topic.level = 0;
            }
            OrganizationPart::Level => {
                self.topic.cluster = 1;
                while self.each(OrganizationPart::Cluster, &mut seq)? {
                    self.topic.cluster += 1;
                }
            }
            OrganizationPart::Cluster => {
                self.topic.list.clear();
                while self.each(OrganizationPart::Document, &mut seq)? {}
                let TopicReader { builder, list, .. } = &mut *self.topic;
                if let Err(defect) = builder.cluster(list.drain(..)) {
                    let (at, told) = (self.topic.at.now(), defect.describe(self.topic.documents));
                    return self.topic.stop(at, told);
                }
            }
            OrganizationPart::Tail => {
                self.topic.list.clear();
                while self.each(OrganizationPart::Document, &mut seq)? {}
                self.topic.tail = std::mem::take(&mut self.topic.list);
            }
            OrganizationPart::Links => {
                self.topic.links.clear();
                while self.each(OrganizationPart::Link, &mut seq)? {}
            }
            OrganizationPart::Link => {
                self.topic.list.clear();
                while self.each(OrganizationPart::Document, &mut seq)? {}
                match self.topic.list[..] {
                    [from, to] => self.topic.links.push((from, to)),
                    _ => {
                        let found = format!("{} documents", self.topic.list.len());
                        return self.found_many(&found);
                    }
                }
            }
            // An empty list says nothing.
            OrganizationPart::Weights => {
                if seq.next_element::<IgnoredAny>()?.is_some() {
                    return self.found_many("a list");
                }
            }
            OrganizationPart::Document | OrganizationPart::Weight(_) => {
                return self.found_many("a list");
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let PartReader { topic, part } = self;
        match part {
            OrganizationPart::Topic => {
                while let Some(name) = map.next_key::<String>()? {
                    let Some((_, part)) = PARTS.into_iter().find(|(known, _)| *known == name)
                    else {
                        let known = PARTS.map(|(name, _)| name).join(", ");
                        let at = topic.at.value.get();
                        return topic.stop(at, format!("found {name}, expected {known}"));
                    };
                    map.next_value_seed(PartReader { topic: &mut *topic, part })?;
                }
                Ok(())
            }
            OrganizationPart::Weights => {
                topic.weights.clear();
                while let Some(name) = map.next_key::<String>()? {
                    let part = OrganizationPart::Weight(topic.documents.intern(&name));
                    map.next_value_seed(PartReader { topic: &mut *topic, part })?;
                }
                Ok(())
            }
            _ => PartReader { topic, part }.found_many("an object"),
        }
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<(), E> {
        match self.part {
            OrganizationPart::Document => self.document(text),
            _ => self.found(&serde_json::Value::from(text).to_string()),
        }
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> std::result::Result<(), E> {
        match self.part {
            OrganizationPart::Document => self.document(&number.to_string()),
            OrganizationPart::Weight(document) => self.weight(document, number as f64),
            _ => self.found(&number.to_string()),
        }
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> std::result::Result<(), E> {
        match self.part {
            OrganizationPart::Document => self.document(&number.to_string()),
            _ => self.found(&number.to_string()),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> std::result::Result<(), E> {
        match self.part {
            OrganizationPart::Weight(document) => self.weight(document, number),
            _ => self.found(&number.to_string()),
        }
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> std::result::Result<(), E> {
        self.found(&value.to_string())
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<(), E> {
        self.found("null")
    }
}
