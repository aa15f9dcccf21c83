//! A Python function as a measure.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axiometrics::data::{Judged, Needs};
use axiometrics::measure::structure::Domain;
use axiometrics::measure::{
    Args, Cutoff, Declaration, Def, Exact, Measure, Metric, Number, Own, Param, Score, Structure,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::usage;

/// A measure whose formula is a Python function. Its arguments are told by their names.
#[pyclass(frozen, module = "axiometrics")]
pub(crate) struct Function {
    inner: Arc<Inner>,
    cutoff: Option<u32>,
}

struct Inner {
    callable: AssertUnwindSafe<Py<PyAny>>,
    name: String,
    title: String,
    arguments: Vec<Argument>,
    domain: Option<Domain>,
    /// The first exception that the function raised.
    failure: Mutex<Option<PyErr>>,
    stopped: AtomicBool,
}

/// What a function can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    Gains,
    K,
    R,
    Ideal,
    MaxGrade,
    Retrieved,
}

const ARGUMENTS: [(&str, Argument); 6] = [
    ("gains", Argument::Gains),
    ("k", Argument::K),
    ("R", Argument::R),
    ("ideal", Argument::Ideal),
    ("max_grade", Argument::MaxGrade),
    ("retrieved", Argument::Retrieved),
];

#[pymethods]
impl Function {
    #[new]
    #[pyo3(signature = (callable, arguments, name, title, gains = None, cutoff = None))]
    fn new(
        py: Python<'_>,
        callable: Py<PyAny>,
        arguments: Vec<String>,
        name: String,
        title: String,
        gains: Option<&str>,
        cutoff: Option<u32>,
    ) -> PyResult<Function> {
        let known: Vec<&str> = ARGUMENTS.iter().map(|(name, _)| *name).collect();
        let argument = |name: &String| {
            ARGUMENTS
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, argument)| *argument)
                .ok_or_else(|| {
                    usage(
                        py,
                        format!(
                            "the function asks for \"{name}\", expected some of {}",
                            known.join(", ")
                        ),
                    )
                })
        };
        let arguments = arguments.iter().map(argument).collect::<PyResult<_>>()?;
        let domain = match gains {
            None => None,
            Some("binary") => Some(Domain::Binary),
            Some("graded") => Some(Domain::Graded),
            Some("integer") => Some(Domain::Integer),
            Some(other) => {
                return Err(usage(
                    py,
                    format!("gains: found \"{other}\", expected one of binary, graded, integer"),
                ));
            }
        };
        if cutoff == Some(0) {
            return Err(usage(py, "found the cutoff 0, expected at least 1"));
        }
        let inner = Inner {
            callable: AssertUnwindSafe(callable),
            name,
            title,
            arguments,
            domain,
            failure: Mutex::new(None),
            stopped: AtomicBool::new(false),
        };
        Ok(Function { inner: Arc::new(inner), cutoff })
    }

    /// The same function at a cutoff.
    fn __matmul__(&self, py: Python<'_>, k: u32) -> PyResult<Function> {
        if k == 0 {
            return Err(usage(py, "found the cutoff 0, expected at least 1"));
        }
        Ok(Function { inner: self.inner.clone(), cutoff: Some(k) })
    }

    pub(crate) fn __str__(&self) -> String {
        match self.cutoff {
            Some(k) => format!("{}@{k}", self.inner.name),
            None => self.inner.name.clone(),
        }
    }

    fn __repr__(&self) -> String {
        format!("Function({})", self.__str__())
    }
}

impl Function {
    pub(crate) fn shared(&self, _py: Python<'_>) -> Function {
        Function { inner: self.inner.clone(), cutoff: self.cutoff }
    }

    /// Whether two are one function.
    pub(crate) fn is(&self, other: &Function) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The function as a metric of the library.
    pub(crate) fn metric(&self) -> axiometrics::Result<Metric> {
        self.inner.stopped.store(false, Ordering::Relaxed);
        let mut args = Args::new(self.inner.clone().params());
        args.set_cutoff(self.cutoff);
        Metric::own_with(self.inner.clone(), args)
    }

    /// Ends all work on the function: it is not called again.
    pub(crate) fn stop(&self) {
        self.inner.stopped.store(true, Ordering::Relaxed);
    }

    /// Raises what the function raised.
    pub(crate) fn raise(&self) -> PyResult<()> {
        let failure = self.inner.failure.lock().ok().and_then(|mut failure| failure.take());
        failure.map_or(Ok(()), Err)
    }
}

/// Raises the first exception of some functions.
pub(crate) fn raise(functions: &[Function]) -> PyResult<()> {
    functions.iter().try_for_each(Function::raise)
}

impl Own for Inner {
    fn def(&self) -> Def<'_> {
        Def {
            family: "function",
            cutoff: Cutoff::Optional,
            undefined: "the function returns None",
            ..Def::own(&self.name, &self.title)
        }
    }

    fn params(&self) -> Arc<[Param]> {
        Arc::new([])
    }

    fn build(self: Arc<Self>, args: &Args) -> axiometrics::Result<Arc<dyn Measure>> {
        Ok(Arc::new(FunctionMeasure { cutoff: args.cutoff(), function: self }))
    }
}

/// The function at a depth.
struct FunctionMeasure {
    function: Arc<Inner>,
    cutoff: Option<u32>,
}

const RAISED: &str = "the function raised an exception";
const NONE: &str = "the function returned None";
const NOT_A_NUMBER: &str = "the function returned no number";

impl FunctionMeasure {
    fn call(&self, topic: &Topic) -> Score {
        let function = &*self.function;
        if function.stopped.load(Ordering::Relaxed) {
            return Score::Undefined(RAISED);
        }
        Python::attach(|py| match self.result(py, topic) {
            Ok(Some(x)) if !x.is_nan() => Score::Value(x),
            Ok(Some(_)) => Score::Undefined(NOT_A_NUMBER),
            Ok(None) => Score::Undefined(NONE),
            Err(failure) => {
                function.stopped.store(true, Ordering::Relaxed);
                if let Ok(mut first) = function.failure.lock() {
                    first.get_or_insert(failure);
                }
                Score::Undefined(RAISED)
            }
        })
    }

    fn result(&self, py: Python<'_>, topic: &Topic) -> PyResult<Option<f64>> {
        let function = &*self.function;
        let arguments = PyDict::new(py);
        for argument in &function.arguments {
            let name = ARGUMENTS.iter().find(|(_, a)| a == argument).map_or("", |(name, _)| name);
            match argument {
                Argument::Gains => arguments.set_item(name, PyList::new(py, &topic.gains)?)?,
                Argument::K => arguments.set_item(name, topic.k)?,
                Argument::R => arguments.set_item(name, topic.ideal.len())?,
                Argument::Ideal => arguments.set_item(name, PyList::new(py, &topic.ideal)?)?,
                Argument::MaxGrade => arguments.set_item(name, topic.max_grade)?,
                Argument::Retrieved => arguments.set_item(name, topic.retrieved)?,
            }
        }
        let value = function.callable.bind(py).call((), Some(&arguments))?;
        if value.is_none() { Ok(None) } else { value.extract::<f64>().map(Some) }
    }
}

/// What a function sees of a topic.
struct Topic {
    /// Grades from the top, 0 for documents without one, down to the cutoff.
    gains: Vec<f64>,
    k: u32,
    /// The grades above 0 of the collection, highest first.
    ideal: Vec<f64>,
    max_grade: f64,
    retrieved: u32,
}

impl Topic {
    fn new<N: Number>(topic: &Judged<'_, N>, cutoff: Option<u32>) -> Topic {
        let k = cutoff.unwrap_or(topic.retrieved);
        let mut gains = vec![0.0; topic.retrieved.min(k) as usize];
        for hit in topic.hits.down_to(k).iter() {
            if let Some(gain) = gains.get_mut(hit.rank as usize - 1) {
                *gain = hit.grade.to_f64().max(0.0);
            }
        }
        Topic {
            gains,
            k,
            ideal: topic.grades.positive.iter().map(Number::to_f64).collect(),
            max_grade: topic.max_grade.to_f64(),
            retrieved: topic.retrieved,
        }
    }
}

impl Measure for FunctionMeasure {
    fn declaration(&self) -> Declaration<'_> {
        let structure = Structure { domain: self.function.domain, ..Structure::default() };
        Declaration { structure, ..Declaration::new(Needs::POSITIVE) }
    }

    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64> {
        self.call(&Topic::new(topic, self.cutoff))
    }

    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact> {
        self.call(&Topic::new(topic, self.cutoff)).map(known)
    }
}

/// What a function returns is a float, rounded on the way: floats that agree to twelve digits are
/// one number, so that no verdict rests on the rounding of somebody's sum.
fn known(x: f64) -> Exact {
    let rounded = format!("{x:.11e}").parse().unwrap_or(x);
    Exact::estimate(x, 1e-12, &[Exact::decimal(rounded)])
}
