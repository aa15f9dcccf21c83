//! What a system could have retrieved: the items of a catalogue, how popular they are, and what
//! they are like.

use hashbrown::HashMap;

/// The items of a catalogue.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    items: HashMap<Box<[u8]>, Item>,
    interactions: f64,
}

#[derive(Debug, Clone, Default)]
struct Item {
    number: usize,
    popularity: Option<f64>,
    features: Vec<f64>,
}

impl Catalogue {
    /// Adds an item, or more of what is known of it. The popularity is a number of interactions,
    /// such as ratings or clicks.
    pub fn insert(&mut self, id: &[u8], popularity: Option<f64>) {
        let item = self.item(id);
        if let Some(now) = popularity {
            let before = item.popularity.replace(now).unwrap_or(0.0);
            self.interactions += now - before;
        }
    }

    /// Says what an item is like.
    pub fn describe(&mut self, id: &[u8], features: Vec<f64>) {
        self.item(id).features = features;
    }

    fn item(&mut self, id: &[u8]) -> &mut Item {
        let number = self.items.len();
        self.items.entry(id.into()).or_insert(Item { number, ..Item::default() })
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of an item, from 0.
    pub fn number(&self, id: &[u8]) -> Option<usize> {
        self.items.get(id).map(|item| item.number)
    }

    /// Whether any item has interactions.
    pub fn has_interactions(&self) -> bool {
        self.interactions > 0.0
    }

    /// The share of all interactions that an item has.
    pub fn share(&self, id: &[u8]) -> Option<f64> {
        let popularity = self.items.get(id)?.popularity?;
        (self.interactions > 0.0).then(|| popularity / self.interactions)
    }

    /// What an item is like.
    pub fn features(&self, id: &[u8]) -> Option<&[f64]> {
        self.items.get(id).map(|item| item.features.as_slice()).filter(|f| !f.is_empty())
    }
}
