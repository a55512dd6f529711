//! Nine Mens Morris.
