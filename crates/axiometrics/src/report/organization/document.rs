//! Scores as one JSON document, whose schema is a promise.

use serde_json::{Map, Value, json};

use super::tables::{self, BothSides, OF_DOCUMENT};
use super::{Fate, OrganizationReport, OrganizationTable, OrganizedSystem};
use crate::report::number::rounded;

pub(super) fn document(results: &OrganizationReport<'_>, places: Option<u8>) -> Value {
    let document = OrganizationDocument { results, places };
    let systems: Vec<Value> =
        results.systems.iter().map(|system| document.object(system)).collect();
    json!({
        "systems": systems,
        "settings": results.protocol,
        "warnings": results.warnings,
    })
}

struct OrganizationDocument<'r> {
    results: &'r OrganizationReport<'r>,
    places: Option<u8>,
}

impl OrganizationDocument<'_> {
    fn object(&self, system: &OrganizedSystem) -> Value {
        let results = self.results;
        let mut object = Map::new();
        let columns = 0..results.names().count();
        object.insert("name".into(), json!(system.name));
        if results.per_topic {
            let topic = |row: usize| {
                let values = columns.clone().map(move |at| system.scores.value(row, at));
                (system.scores.topic(row).into_owned(), self.named(values))
            };
            let topics = (0..system.scores.len()).map(topic).collect();
            object.insert("topics".into(), Value::Object(topics));
        }
        let means = columns.clone().map(|at| results.mean(system, at));
        object.insert("mean".into(), self.named(means));
        let explained = self.explained(system);
        if !explained.is_empty() {
            object.insert("explain".into(), Value::Object(explained));
        }
        if results.show == OrganizationTable::Documents {
            let topic = |(topic, documents): (&str, Vec<BothSides>)| {
                let documents: Vec<Value> =
                    documents.iter().map(|document| self.of_document(document)).collect();
                (topic.to_string(), json!(documents))
            };
            let documents = tables::by_document(system).map(topic).collect();
            object.insert("documents".into(), Value::Object(documents));
        }
        if results.show == OrganizationTable::Mix {
            object.insert("mix".into(), self.mixtures(system).collect());
        }
        Value::Object(object)
    }

    fn explained(&self, system: &OrganizedSystem) -> Map<String, Value> {
        let topics = tables::told(system).map(|(topic, told)| {
            let list = |fate: Fate| -> Vec<Value> {
                let of_fate = told.iter().filter(|difference| difference.fate == fate);
                let object = of_fate.map(|difference| {
                    let weight = rounded(Some(difference.weight), self.places);
                    json!({ "relation": difference.relation, "weight": weight })
                });
                object.collect()
            };
            let lists = json!({ "lost": list(Fate::Lost), "invented": list(Fate::Invented) });
            (topic.to_string(), lists)
        });
        topics.collect()
    }

    fn of_document(&self, document: &BothSides) -> Value {
        let mut object = Map::from_iter([("doc".to_string(), json!(document.name))]);
        let numbers = document.numbers().map(|number| json!(rounded(number, self.places)));
        object.extend(OF_DOCUMENT.iter().map(ToString::to_string).zip(numbers));
        Value::Object(object)
    }

    fn mixtures(&self, system: &OrganizedSystem) -> impl Iterator<Item = Value> {
        let object = |(share, values): (f64, [Option<f64>; 3])| {
            let numbers = values.map(|value| json!(rounded(value, self.places)));
            let named = ["R", "S", "F"].map(String::from).into_iter().zip(numbers);
            let share = std::iter::once(("priority".to_string(), json!(share)));
            Value::Object(Map::from_iter(share.chain(named)))
        };
        tables::by_mixture(self.results, system).into_iter().map(object)
    }

    /// The values by the names of their measures.
    fn named(&self, values: impl Iterator<Item = Option<f64>>) -> Value {
        let names = self.results.names().map(str::to_string);
        let values = values.map(|value| json!(rounded(value, self.places)));
        Value::Object(names.zip(values).collect())
    }
}
