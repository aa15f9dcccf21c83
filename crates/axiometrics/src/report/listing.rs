//! The list of measures, searchable, in every format.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::json;

use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::beyond::BEYOND;
use crate::choice::Choice;
use crate::component::{shipped, shipped_names};
use crate::effort::EFFORT;
use crate::measure::{Def, Own, definitions};
use crate::organization::{self, Definition};
use crate::session::SESSION_MEASURES;

/// Measures of rankings and of organizations.
#[derive(Debug, Clone)]
pub struct MeasureList(Vec<Listed>);

/// A measure in the list.
#[derive(Debug, Clone, Serialize)]
struct Listed {
    name: &'static str,
    title: Cow<'static, str>,
    family: &'static str,
    aliases: Vec<&'static str>,
    /// All that it says of itself, in small letters.
    #[serde(skip)]
    says: String,
}

impl MeasureList {
    /// The measures that say all of these words of themselves; every one if there are no words.
    pub fn mentioning<W: AsRef<str>>(words: &[W]) -> MeasureList {
        let words: Vec<String> = words.iter().map(|word| word.as_ref().to_lowercase()).collect();
        let all = definitions()
            .map(Listed::ranking)
            .chain(BEYOND.iter().map(|beyond| Listed::own(beyond, &beyond.names()[1..])))
            .chain(EFFORT.iter().map(|effort| Listed::own(effort, &[])))
            .chain(SESSION_MEASURES.iter().map(|m| Listed::own(m, m.also())))
            .chain(shipped_names().filter_map(Listed::file))
            .chain(organization::measures().map(|m| Listed::organization(m.definition())));
        let mentions = |listed: &Listed| words.iter().all(|word| listed.says.contains(word));
        MeasureList(all.filter(mentions).collect())
    }

    /// True if no measure mentions the words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Listed {
    fn ranking(def: &'static Def) -> Listed {
        let range = def.range.to_string();
        let mut text = vec![
            def.name,
            def.title,
            def.family,
            def.definition,
            range.as_str(),
            def.undefined,
            def.user_model,
        ];
        text.extend(def.aliases.iter().map(|a| a.spelling));
        text.extend(def.params.iter().flat_map(|p| [p.name.as_ref(), p.doc]));
        text.extend(def.differs.iter().chain(def.references));
        let aliases = def.aliases.iter().map(|a| a.spelling).filter(|s| *s != def.name).collect();
        let (name, title, family) = (def.name, Cow::Borrowed(def.title), def.family);
        Listed { name, title, family, aliases, says: text.join("\n").to_lowercase() }
    }

    /// A measure that looks at more than one ranking with its judgements.
    fn own(measure: &'static dyn Own, aliases: &[&'static str]) -> Listed {
        let def = measure.def();
        let mut text = vec![def.title, def.family, def.definition, def.user_model];
        text.extend(def.differs.iter().chain(def.references).chain(aliases));
        let says = [def.name, text.join("\n").as_str()].join("\n").to_lowercase();
        let title = Cow::Owned(def.title.to_string());
        Listed { name: def.name, title, family: def.family, aliases: aliases.to_vec(), says }
    }

    /// A file that comes with the program; none if a measure has its name.
    fn file(name: &'static str) -> Option<Listed> {
        if crate::measure::parse(name).is_ok() {
            return None;
        }
        let file = shipped(name)?;
        let def = file.def();
        let says = [name, def.title, def.user_model, def.definition].join("\n").to_lowercase();
        let title = Cow::Owned(def.title.to_string());
        Some(Listed { name, title, family: "component", aliases: Vec::new(), says })
    }

    fn organization(def: &'static Definition) -> Listed {
        let (name, title, family) = (def.name, Cow::Borrowed(def.title), def.task.name());
        let mut text =
            vec![name, &title, family, def.summary, def.definition, def.range, def.undefined];
        text.extend(def.references);
        let says = text.join("\n").to_lowercase();
        Listed { name, title, family, aliases: Vec::new(), says }
    }
}

impl Report for MeasureList {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        vec![self.rows()]
    }

    fn rows(&self) -> Table {
        let mut columns = ["name", "title", "family"].map(Column::text).to_vec();
        columns.push(Column::text("also written").keyed("aliases"));
        let mut table = Table::new(columns);
        for Listed { name, title, family, aliases, .. } in &self.0 {
            table.push(vec![
                Cell::text(*name).strong(true),
                Cell::text(title.as_ref()),
                Cell::text(*family),
                Cell::list(aliases.iter().copied()),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        json!({ "measures": self.0 })
    }
}
