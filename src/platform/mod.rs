//! What differs between the desktop and a web page, one file per thing; nothing else in the program asks where it runs.

pub(crate) mod address;
