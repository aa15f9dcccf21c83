//! How differences are tested: the options that `compare`, `report`, `meta` and `plan` share.

use std::path::{Path, PathBuf};

use axiometrics::choice::Choice;
use axiometrics::compare::{ComparisonSettings, FamilyScope, Procedure};
use axiometrics::policy::Undefined;
use axiometrics::stats::{Correction, MeanInterval, Resampling};

use crate::args::choice;
use crate::runs::unique_names;

/// The test, the correction, the level and the intervals.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Inference")]
pub(crate) struct Inference {
    /// The test of a difference
    #[arg(long, value_parser = choice::<Procedure>(), default_value = Procedure::default().name(), value_name = "TEST")]
    test: Procedure,
    /// How p-values are corrected for the number of tests [default: holm; none for a family-wise
    /// test]
    #[arg(long, value_parser = choice::<Correction>(), value_name = "CORRECTION")]
    correction: Option<Correction>,
    /// Which tests are corrected together
    #[arg(long, value_parser = choice::<FamilyScope>(), default_value = FamilyScope::default().name(), value_name = "FAMILY")]
    family: FamilyScope,
    /// From this corrected p-value down a difference is significant; intervals have the confidence
    /// 1 - alpha
    #[arg(long, default_value_t = 0.05, value_name = "ALPHA", value_parser = open_unit)]
    alpha: f64,
    /// How the intervals of means are made; those of differences go with the test
    #[arg(long, value_parser = choice::<MeanInterval>(), default_value = MeanInterval::default().name(), value_name = "INTERVAL")]
    interval: MeanInterval,
    #[command(flatten)]
    resamples: Resamples,
}

impl Inference {
    /// As the library wants it.
    pub(crate) fn settings(
        &self,
        baseline: Option<usize>,
        undefined: Undefined,
    ) -> ComparisonSettings {
        ComparisonSettings {
            test: self.test,
            correction: self.correction,
            family: self.family,
            undefined,
            alpha: self.alpha,
            resampling: self.resamples.resampling(),
            mean_interval: self.interval,
            baseline,
            ..ComparisonSettings::default()
        }
    }
}

/// How chance is made repeatable.
#[derive(Debug, clap::Args)]
pub(crate) struct Resamples {
    /// How many resamples a test or an interval takes
    #[arg(long = "resamples", default_value_t = Resampling::default().trials, value_name = "N")]
    trials: usize,
    /// The seed of all random numbers
    #[arg(long, default_value_t = Resampling::default().seed, value_name = "N")]
    seed: u64,
}

impl Resamples {
    pub(crate) fn resampling(&self) -> Resampling {
        Resampling { trials: self.trials, seed: self.seed }
    }
}

/// A probability that can be missed and met.
pub(crate) fn open_unit(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| *x > 0.0 && *x < 1.0)
        .ok_or_else(|| "expected a number above 0 and below 1".to_string())
}

/// The runs with the baseline among them, and its place: one of those named, by file or by the name
/// that tables print, or one more.
pub(crate) fn with_baseline(runs: &[PathBuf], baseline: &Path) -> (Vec<PathBuf>, usize) {
    let mut paths = runs.to_vec();
    let by_path = paths.iter().position(|path| path == baseline);
    let by_name = || {
        let printed = unique_names(&paths);
        let text = baseline.to_string_lossy();
        let is_named = |path: &PathBuf| path.file_name().is_some_and(|n| n == baseline.as_os_str());
        printed.iter().position(|name| *name == text).or_else(|| paths.iter().position(is_named))
    };
    let at = by_path.or_else(by_name).unwrap_or_else(|| {
        paths.push(baseline.to_path_buf());
        paths.len() - 1
    });
    (paths, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_is_found_by_file_and_by_the_name_that_is_printed() {
        let runs: Vec<PathBuf> =
            ["a/x.run.gz", "b/y.run", "c/y.run"].iter().map(PathBuf::from).collect();
        for (baseline, at) in
            [("a/x.run.gz", 0), ("x.run", 0), ("x.run.gz", 0), ("c/y.run", 2), ("y.run", 1)]
        {
            assert_eq!(with_baseline(&runs, Path::new(baseline)), (runs.clone(), at), "{baseline}");
        }
        let (paths, at) = with_baseline(&runs, Path::new("other.run"));
        assert_eq!((paths.len(), at), (4, 3));
    }
}
