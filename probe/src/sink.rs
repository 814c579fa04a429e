//! Where lines go: a file or a pipe, or a socket whose reader may come late, go, and come again.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

#[cfg(unix)]
use std::os::unix::net::UnixStream;

use crate::format::Step;
use crate::probe::{Carried, line};

/// Time from one attempt to find a reader to the next.
const RETRY: Duration = Duration::from_millis(250);

/// Longest wait for a listener on this machine to accept.
const ACCEPT: Duration = Duration::from_millis(100);

/// Takes the lines of a recording, on the thread that writes.
pub(crate) trait Sink {
    /// Writes what stands before the first step.
    fn begin(&mut self) -> io::Result<()>;
    /// Writes a step, and says whether anybody got it.
    fn step(&mut self, step: Step) -> io::Result<bool>;
    /// Passes on what is buffered.
    fn flush(&mut self) -> io::Result<()>;
}

/// A writer that is there from the start to the end.
pub(crate) struct Plain<W> {
    writer: W,
    header: Vec<u8>,
}

impl<W: Write> Plain<W> {
    /// With the header written at once, so that a full disk is told where the recording begins.
    pub(crate) fn new(mut writer: W, header: &[u8]) -> io::Result<Self> {
        writer.write_all(header)?;
        writer.flush()?;
        Ok(Plain { writer, header: Vec::new() })
    }

    /// With the header written by the thread.
    pub(crate) fn later(writer: W, header: Vec<u8>) -> Self {
        Plain { writer, header }
    }
}

impl<W: Write> Sink for Plain<W> {
    fn begin(&mut self) -> io::Result<()> {
        self.writer.write_all(&self.header)
    }

    fn step(&mut self, step: Step) -> io::Result<bool> {
        self.writer.write_all(&line(&step)?).map(|()| true)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A local address, on which `driftlab watch` listens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Address {
    /// A socket in the file system.
    #[cfg(unix)]
    Unix(String),
    /// A port of this machine.
    Tcp(SocketAddr),
}

impl Address {
    /// `unix:PATH` or `tcp:127.0.0.1:PORT`; nothing if the word is no address.
    pub(crate) fn parse(word: &str) -> io::Result<Option<Self>> {
        let wrong =
            |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{word}: {what}")));
        if let Some(path) = word.strip_prefix("unix:") {
            #[cfg(unix)]
            return Ok(Some(Address::Unix(path.to_owned())));
            #[cfg(not(unix))]
            return wrong(&format!("no socket {path} on this system, use tcp:127.0.0.1:PORT"));
        }
        let Some(address) = word.strip_prefix("tcp:") else { return Ok(None) };
        let port = address.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
        match port.as_deref().unwrap_or(address).parse::<SocketAddr>() {
            Ok(address) if address.ip().is_loopback() => Ok(Some(Address::Tcp(address))),
            Ok(_) => wrong("expected an address of this machine, tcp:127.0.0.1:PORT"),
            Err(_) => wrong("expected tcp:127.0.0.1:PORT"),
        }
    }

    fn connect(&self) -> io::Result<Box<dyn Write + Send>> {
        match self {
            #[cfg(unix)]
            Address::Unix(path) => Ok(Box::new(UnixStream::connect(path)?)),
            Address::Tcp(address) => {
                let stream = TcpStream::connect_timeout(address, ACCEPT)?;
                stream.set_nodelay(true)?;
                Ok(Box::new(stream))
            }
        }
    }
}

/// A socket to a reader that listens. Each reader gets the header first, and in its first line all that came and went before it,
/// with the count of the lines that it has missed.
pub(crate) struct Socket {
    address: Address,
    header: Vec<u8>,
    reader: Option<Reader>,
    tried: Option<Instant>,
    /// What a reader who comes now has missed.
    history: Carried,
}

struct Reader {
    stream: Box<dyn Write + Send>,
    has_steps: bool,
}

impl Socket {
    pub(crate) fn new(address: Address, header: Vec<u8>) -> Self {
        Socket { address, header, reader: None, tried: None, history: Carried::default() }
    }

    /// Looks for a reader, no more often than [`RETRY`] says.
    fn look(&mut self) {
        if self.reader.is_some() || self.tried.is_some_and(|when| when.elapsed() < RETRY) {
            return;
        }
        self.tried = Some(Instant::now());
        let stream =
            self.address.connect().and_then(|mut stream| stream.write_all(&self.header).map(|()| stream));
        self.reader = stream.ok().map(|stream| Reader { stream, has_steps: false });
    }

    /// The bytes of a step for this reader.
    fn line(&self, step: &Step, has_steps: bool) -> io::Result<Vec<u8>> {
        if has_steps {
            return line(step);
        }
        let mut first = step.clone();
        self.history.clone().hand_to(&mut first);
        line(&first)
    }
}

impl Sink for Socket {
    fn begin(&mut self) -> io::Result<()> {
        self.look();
        Ok(())
    }

    fn step(&mut self, step: Step) -> io::Result<bool> {
        self.look();
        let mut reader = self.reader.take();
        if let Some(at) = &mut reader {
            let bytes = self.line(&step, at.has_steps)?;
            at.has_steps = true;
            if at.stream.write_all(&bytes).is_err() {
                // The reader has gone; another one may come.
                reader = None;
            }
        }
        self.reader = reader;
        self.history.keep(step);
        Ok(self.reader.is_some())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
