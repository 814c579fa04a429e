//! Arguments of what a lecturer uses: the course as pages and slides, and the marking of certificates.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct CourseArguments {
    /// The page as HTML, with the live sandbox in every step
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The page as Markdown; its pictures (PNG) go into a folder beside it that has its name
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Slides with speaker's notes, for the folder of the web page; their pictures (PNG) go into a folder
    /// that has their name, and reveal.js into a folder `reveal`, beside them
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "slides.html")]
    pub slides: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Columns: name, chapter, exercise, result, figure, reason. The run of each certificate is computed anew: passed, \
                        it has the certificate's bits and solves the exercise; failed, it has them and does not; forged, exercise, \
                        name, run or figures are not those of the digest; unreadable, the text is no certificate of a known exercise.\n\
                        Exit status: 0 all passed, 1 some failed or are forged, 2 some are unreadable.\n\
                        Example: driftlab mark class.txt --csv marks.csv"
)]
pub(crate) struct MarkArguments {
    /// Certificates: links, files with a link in each line, or `-` for standard input
    #[arg(required = true, value_name = "LINK|FILE|-")]
    pub links: Vec<String>,
    /// Write the table to this file instead of standard output
    #[arg(long, value_name = "FILE", conflicts_with = "exercise")]
    pub csv: Option<PathBuf>,
    /// A folder of tours of one's own, whose exercises count as well (JSON files; `driftlab list exercises --tours FOLDER`)
    #[arg(long, value_name = "FOLDER")]
    pub tours: Option<PathBuf>,
    /// Judge the runs of plain links as attempts at this exercise, and print their certificates
    #[arg(long, value_name = "KEY", requires = "by")]
    pub exercise: Option<String>,
    /// In whose name the certificates are
    #[arg(long, value_name = "NAME", requires = "exercise")]
    pub by: Option<String>,
}
