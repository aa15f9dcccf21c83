//! The command as a user meets it: what it prints, where, and with which exit code.

mod bad_input;
mod eval;
mod help;
mod naive;
mod pages;
mod support;
