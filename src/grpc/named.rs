//! Settings that are one word of a few.

/// Text forms of a setting: `FromStr`, whose error lists the words, and `Display`.
macro_rules! named {
    ($kind:ident { $($word:literal => $value:ident),+ }) => {
        impl std::str::FromStr for $kind {
            type Err = String;

            fn from_str(text: &str) -> Result<$kind, String> {
                match text {
                    $($word => Ok($kind::$value),)+
                    _ => Err(format!("{text:?} is none of {}", [$($word),+].join(", "))),
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $($kind::$value => $word,)+
                })
            }
        }
    };
}

pub(super) use named;
