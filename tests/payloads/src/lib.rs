//! Payloads against the public contract, byte for byte: the fixtures they are made from.
