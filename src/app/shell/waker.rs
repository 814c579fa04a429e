//! When the next frame is drawn: at once, at a time, when there is news, or when there is input.
//!
//! A picture is seen when the loop has gone on after drawing it, so that nothing may wait between the two: the loop waits for
//! events, and a thread wakes it. Under X11 miniquad's loop, when nothing asks for a frame, handles the events that are queued
//! **and one more**, for which it blocks. An event that arrived while the last frame was drawn is therefore handled at
//! once but seen only when the next one comes: a click, or the release of a slider, would wait until the mouse moves.
//! The thread sends that next event as well: a message to the window that says nothing, at short intervals after a
//! frame, then at growing ones.

#[cfg(target_os = "linux")]
use super::messenger::Messenger;
use crate::platform::clock::Instant;
use crate::platform::waking::frame_after;
use crate::workbench::engine::Notifier;
use macroquad::miniquad;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Interval of the first messages after a frame, and their number: presenting a frame can take as long as all of them.
const FIRST: Duration = Duration::from_millis(4);
const SHORT: u32 = 25;
/// Longest interval; from the short ones on, each is twice as long as the one before. What handles a message can itself
/// be overtaken by an event, within microseconds.
const LONGEST: Duration = Duration::from_millis(640);

/// What the next frame waits for. Input always brings one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// Nothing.
    AtOnce,
    /// That moment.
    At(Instant),
    /// Something that a thread has finished, but not before `earliest`; at the latest `latest`.
    News {
        /// The next frame is not drawn before.
        earliest: Instant,
        /// Nor later, with or without news.
        latest: Instant,
    },
    /// Input alone.
    Input,
}

impl Next {
    /// When the frame is due, with or without news; none if only input brings one.
    fn due(self, news: bool) -> Option<Instant> {
        match self {
            Self::AtOnce | Self::Input => None,
            Self::At(moment) => Some(moment),
            Self::News { earliest, latest } => Some(if news { earliest } else { latest }),
        }
    }
}

/// What the thread is told.
enum Told {
    /// A frame begins, which takes in all news.
    Begins,
    /// It ends.
    Ends(Next),
    /// There is news.
    News,
}

/// Wakes the loop.
pub(super) struct Waker {
    /// To the thread; none where the loop cannot be woken.
    thread: Option<Sender<Told>>,
}

impl Waker {
    /// For the window of this class; `notifier` tells when there is news.
    pub(super) fn for_window(class: &'static str, notifier: &Notifier) -> Self {
        Self { thread: start(class, notifier) }
    }

    /// A frame begins.
    pub(super) fn frame_begins(&self) {
        self.tell(Told::Begins);
    }

    /// A frame has been drawn; the loop goes on to present it.
    pub(super) fn frame_ends(&self, next: Next) {
        let now = Instant::now();
        let at_once = match next {
            Next::AtOnce => true,
            Next::At(moment) => moment <= now,
            Next::News { .. } => self.thread.is_none(),
            Next::Input => false,
        };
        match next {
            // The loop that nobody can wake waits before it presents the frame.
            Next::At(moment) if self.thread.is_none() => {
                frame_after(moment.saturating_duration_since(now));
            }
            _ if at_once => miniquad::window::schedule_update(),
            _ => self.tell(Told::Ends(next)),
        }
    }

    fn tell(&self, told: Told) {
        if let Some(thread) = &self.thread {
            // The thread ends only with this sender.
            thread.send(told).ok();
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn start(_class: &'static str, _notifier: &Notifier) -> Option<Sender<Told>> {
    None
}

#[cfg(target_os = "linux")]
fn start(class: &'static str, notifier: &Notifier) -> Option<Sender<Told>> {
    let messenger = Messenger::to(class).ok()?;
    let (sender, told) = channel();
    thread::Builder::new()
        .name("waker".to_owned())
        .spawn(move || {
            wake(&told, || messenger.ask_for_frame(), || messenger.send());
        })
        .ok()?;
    let news = sender.clone();
    // The notifier may tell of news after the window was closed.
    notifier.listen(move || drop(news.send(Told::News)));
    Some(sender)
}

/// Asks for a frame by `schedule` when one is due, and wakes the loop by `message` then and from time to time.
#[cfg(target_os = "linux")]
fn wake(told: &Receiver<Told>, schedule: impl Fn(), message: impl Fn()) {
    let (mut next, mut waits, mut news) = (Next::AtOnce, false, false);
    let (mut sent, mut last) = (0_u32, Instant::now());
    loop {
        let interval = FIRST * 2_u32.saturating_pow(sent.saturating_sub(SHORT)).min(1 << 10);
        let prompt = last + interval.min(LONGEST);
        let due = next.due(news);
        let heard = if waits {
            let until = due.map_or(prompt, |due| due.min(prompt));
            told.recv_timeout(until.saturating_duration_since(Instant::now()))
        } else {
            told.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match heard {
            Ok(Told::Begins) => (waits, news) = (false, false),
            Ok(Told::Ends(after)) => (next, waits, sent, last) = (after, true, 0, Instant::now()),
            Ok(Told::News) => news = true,
            Err(RecvTimeoutError::Timeout) => {
                last = Instant::now();
                if due.is_some_and(|due| due <= last) {
                    // Until the frame begins the messages go on, since this one may be overtaken.
                    schedule();
                    (next, sent) = (Next::Input, 0);
                }
                sent += 1;
                message();
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Next, Told, wake};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Waiting longer than this fails the test.
    const FOR_EVER: Duration = Duration::from_secs(30);

    /// What the thread does.
    #[derive(Debug, PartialEq)]
    enum Done {
        Scheduled,
        Sent,
    }

    fn started() -> (Sender<Told>, Receiver<Done>) {
        let ((sender, told), (done, seen)) = (channel(), channel());
        let also = done.clone();
        // They outlast the test by a message.
        thread::spawn(move || {
            wake(&told, || drop(done.send(Done::Scheduled)), || drop(also.send(Done::Sent)));
        });
        (sender, seen)
    }

    /// How long it takes until a frame is scheduled, and how many messages were sent before.
    fn scheduled(seen: &Receiver<Done>) -> (Duration, usize) {
        let (start, mut messages) = (Instant::now(), 0);
        while seen.recv_timeout(FOR_EVER).expect("a frame") != Done::Scheduled {
            messages += 1;
        }
        (start.elapsed(), messages)
    }

    fn after(milliseconds: u64) -> Instant {
        Instant::now() + Duration::from_millis(milliseconds)
    }

    /// News bring a frame, but not before its earliest moment; without news it comes at the latest one. Messages go on
    /// until it begins.
    #[test]
    fn a_frame_comes_with_the_news() {
        let (tell, seen) = started();
        let told = |what| tell.send(what).expect("a thread");
        let news = |earliest, latest| Told::Ends(Next::News { earliest, latest });
        told(Told::Begins);
        told(news(after(0), after(60_000)));
        thread::sleep(Duration::from_millis(20));
        told(Told::News);
        assert!(scheduled(&seen).0 < FOR_EVER);
        assert_eq!(seen.recv_timeout(FOR_EVER), Ok(Done::Sent));
        assert_eq!(seen.recv_timeout(FOR_EVER), Ok(Done::Sent), "the first message may be overtaken");
        // News that came while the frame was drawn are not lost, but wait for the earliest moment.
        told(Told::Begins);
        told(Told::News);
        let earliest = after(100);
        told(news(earliest, after(60_000)));
        scheduled(&seen);
        assert!(Instant::now() >= earliest);
        // What a frame has taken in is no news.
        told(Told::News);
        told(Told::Begins);
        let latest = after(100);
        told(news(after(0), latest));
        scheduled(&seen);
        assert!(Instant::now() >= latest);
    }

    /// While only input is waited for, messages go on at growing intervals, and no frame is asked for.
    #[test]
    fn messages_become_rare() {
        let (tell, seen) = started();
        tell.send(Told::Ends(Next::Input)).expect("a thread");
        let start = Instant::now();
        let mut messages = 0;
        while start.elapsed() < Duration::from_millis(1500) {
            if let Ok(done) = seen.recv_timeout(Duration::from_millis(50)) {
                assert_eq!(done, Done::Sent);
                messages += 1;
            }
        }
        // Some 100 ms of 4 ms, then 8, 16, 32 … ms: on a busy machine fewer.
        assert!((5..=34).contains(&messages), "{messages} messages");
    }
}
