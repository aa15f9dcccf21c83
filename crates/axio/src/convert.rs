//! `axio convert`: from one format to another.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use axiometrics::choice::Choice;
use axiometrics::io::{
    self, Columns, Content, Conversion, Facet, Format, QrelsOptions, Reading, RunOptions, Source,
};
use axiometrics::policy::Duplicates;
use axiometrics::warning::Warnings;
use axiometrics::{Error, Qrels, Run};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::ExitCode;
use crate::args::{choice, choice_among};
use crate::output;
use crate::shell;

const AFTER_HELP: &str = "\
Examples:
  axio convert examples/web/bm25.run target/bm25.json.gz
  axio convert examples/web/qrels.txt --to beir
  axio convert examples/web/bm25.run target/bm25.parquet
  axio convert examples/ratings.csv --columns topic=user,doc=movie,grade=stars --as qrels --to trec";

/// Convert runs and judgements between formats
///
/// The input's format and whether it holds a run or judgements are recognised by its content. The
/// output appears whole or not at all. Runs are written as measures see them: by descending score,
/// then by descending document id.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The file to read; `-` is standard input
    input: PathBuf,
    /// The file to write, compressed if it ends in .gz, .zst, .lz4 or .bz2; `-` is standard
    /// output
    #[arg(default_value = "-")]
    output: PathBuf,
    /// Write to the input file itself
    #[arg(long)]
    in_place: bool,
    /// What the columns of tables are called, such as topic=user_id,doc=item_id,score=rating, or
    /// their numbers if there is no header
    #[arg(long, value_name = "ROLE=NAME,...")]
    columns: Option<Columns>,
    /// The format to write; otherwise it follows from the output's name
    #[arg(long, value_name = "FORMAT", value_parser = written())]
    to: Option<Format>,
    /// The format to read; otherwise it is recognised by content
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<Format>,
    /// What the input holds; otherwise it is recognised by content
    #[arg(long = "as", value_name = "KIND", value_parser = choice::<Content>())]
    content: Option<Content>,
    /// The second key of judgements to keep: `subtopic` is TREC's second column, `stratum` the
    /// fourth of five
    #[arg(long, value_name = "KEY", value_parser = facets())]
    facet: Option<Facet>,
    /// The run's name in TREC output; otherwise that of the input file
    #[arg(long)]
    tag: Option<String>,
    /// Leave out lines that are wrong and repeated documents, and count them, instead of refusing
    /// the file
    #[arg(long)]
    lenient: bool,
    /// What to do about a document that a topic of a run has more than once
    #[arg(long, value_parser = choice::<Duplicates>(), default_value = Duplicates::default().name(), value_name = "POLICY")]
    duplicates: Duplicates,
    /// Do not print warnings
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    _pipes: crate::args::Pipes,
}

/// The formats of text.
pub(crate) fn formats() -> impl TypedValueParser<Value = Format> {
    choice_among(|format: Format| format.is_text())
}

/// The formats that can be written.
pub(crate) fn written() -> impl TypedValueParser<Value = Format> {
    choice_among(|format: Format| format.is_text() || cfg!(feature = "parquet"))
}

pub(crate) fn facets() -> impl TypedValueParser<Value = Facet> {
    PossibleValuesParser::new(["subtopic", "stratum"])
        .map(|name| if name == "stratum" { Facet::Stratum } else { Facet::Iteration })
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let target = target(args)?;
    let to = match args.to.or_else(|| Format::of_name(target)) {
        Some(to) => to,
        None => {
            let what = if target == Path::new("-") {
                "standard output has no format"
            } else {
                "the output's name tells no format"
            };
            return Err(Error::usage(what)
                .help("give one with --to, for example --to trec")
                .into());
        }
    };
    if to == Format::Parquet {
        refuse_compressed_parquet(target)?;
    }
    let source = shell::open(&args.input)?;
    let source = source.with_columns(args.columns.clone().map(Arc::new));
    let (content, from) = recognise(&source, args.content, args.from)?;
    let conversion = Conversion {
        content,
        from,
        to,
        lenient: args.lenient,
        reading: Reading { duplicates: args.duplicates, ..Reading::default() },
        facet: args.facet.unwrap_or_default(),
        tag: args.tag.clone().unwrap_or_else(|| tag(&source)),
    };
    let mut warnings = Warnings::default();
    output::write_atomically(target, |out| write(&source, &conversion, out, &mut warnings))?;
    if !args.quiet {
        output::warnings(&warnings, true);
    }
    Ok(ExitCode::SUCCESS)
}

fn write(
    source: &Source,
    conversion: &Conversion,
    out: &mut dyn Write,
    warnings: &mut Warnings,
) -> axiometrics::Result<()> {
    let Conversion { content, from, to, lenient, ref reading, facet, ref tag } = *conversion;
    if to != Format::Parquet {
        return io::convert(source, conversion, out, warnings);
    }
    if facet != Facet::None {
        return Err(Error::usage("Parquet is written without the second key of judgements")
            .help("leave out --facet, or write CSV"));
    }
    let format = Some(from);
    match content {
        Content::Run => {
            let options = RunOptions { lenient, format, reading: reading.clone() };
            write_run(&io::read_run(source, options, warnings)?, to, tag, out)
        }
        Content::Qrels => {
            let options = QrelsOptions { lenient, format, ..QrelsOptions::default() };
            write_qrels(&io::read_qrels(source, options, warnings)?, to, out)
        }
    }
}

/// Writes a run in any format: the library writes texts, another crate Parquet.
pub(crate) fn write_run(
    run: &Run,
    to: Format,
    tag: &str,
    out: &mut dyn Write,
) -> axiometrics::Result<()> {
    match to {
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let batch = axiometrics_arrow::run_batch(run)?;
            Ok(out.write_all(&axiometrics_arrow::to_parquet(&batch)?)?)
        }
        _ => io::write_run(run, to, tag, out),
    }
}

fn write_qrels(qrels: &Qrels, to: Format, out: &mut dyn Write) -> axiometrics::Result<()> {
    match to {
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let batch = axiometrics_arrow::qrels_batch(qrels)?;
            Ok(out.write_all(&axiometrics_arrow::to_parquet(&batch)?)?)
        }
        _ => io::write_qrels(qrels, Facet::None, to, out),
    }
}

/// Parquet is compressed inside, and no other program looks for it in a compressed file.
fn refuse_compressed_parquet(target: &Path) -> axiometrics::Result<()> {
    let suffix = target.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
    match suffix {
        "gz" | "zst" | "lz4" | "bz2" => {
            Err(Error::usage(format!("Parquet is compressed by itself, expected no .{suffix}"))
                .help("let the output's name end in .parquet"))
        }
        _ => Ok(()),
    }
}

/// Where the result goes. To replace the input must be asked for.
fn target(args: &Args) -> axiometrics::Result<&Path> {
    if !args.in_place {
        return Ok(&args.output);
    }
    if args.input == Path::new("-") {
        return Err(Error::usage("standard input (-) cannot be converted in place"));
    }
    if args.output != Path::new("-") && !io::same_file(&args.input, &args.output) {
        return Err(Error::usage("--in-place writes to the input, but another output is named")
            .help("leave out one of them"));
    }
    Ok(&args.input)
}

/// What a file holds and how, as far as it was not said.
pub(crate) fn recognise(
    source: &Source,
    content: Option<Content>,
    format: Option<Format>,
) -> axiometrics::Result<(Content, Format)> {
    let content = match content {
        Some(content) => content,
        None => io::detect_content(source)?.0,
    };
    let format = match format {
        Some(format) => format,
        None => io::detect(source, content)?,
    };
    Ok((content, format))
}

/// A tag is one word: the input's name up to its first dot.
fn tag(source: &Source) -> String {
    let name = source.short_name();
    let word: String = name.split('.').next().unwrap_or(&name).split_whitespace().collect();
    if word.is_empty() || word == "-" { "axio".to_string() } else { word }
}
