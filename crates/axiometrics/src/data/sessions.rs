//! Sessions: the queries that one person asked one after the other.

use std::borrow::Cow;

use super::text::id_text;

/// Which topics are the queries of which session, in their order.
#[derive(Debug, Clone, Default)]
pub struct Sessions {
    all: Vec<Session>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct Session {
    name: Box<[u8]>,
    queries: Vec<Box<[u8]>>,
}

impl Session {
    /// Its name.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The same, as far as it is text.
    pub fn text(&self) -> Cow<'_, str> {
        id_text(&self.name)
    }

    /// The topics of its queries, the first one first.
    pub fn queries(&self) -> impl Iterator<Item = &[u8]> {
        self.queries.iter().map(AsRef::as_ref)
    }
}

impl Sessions {
    /// Adds the next query of a session. False if the session has this topic already.
    pub fn push(&mut self, session: &[u8], topic: &[u8]) -> bool {
        let at = self.all.iter().position(|known| *known.name == *session);
        let at = at.unwrap_or_else(|| {
            self.all.push(Session { name: session.into(), queries: Vec::new() });
            self.all.len() - 1
        });
        let queries = &mut self.all[at].queries;
        let new = queries.iter().all(|known| **known != *topic);
        if new {
            queries.push(topic.into());
        }
        new
    }

    /// All of them, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &Session> {
        self.all.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
