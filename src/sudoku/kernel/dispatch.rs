//! Which kernel runs.

use std::fmt;
use std::str::FromStr;

/// A way to solve. All give the same outcomes, and the same grid wherever it is unique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that this machine runs.
    #[default]
    Auto,
    /// Scalar band kernel: any machine.
    Portable,
    /// The plain reference solver: slow, for checking.
    Reference,
}

impl Kernel {
    /// `Auto` resolved to the kernel that runs here.
    pub fn resolved(self) -> Kernel {
        if self == Kernel::Auto { Kernel::Portable } else { self }
    }

    /// Its name on the command line and in logs.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Auto => "auto",
            Kernel::Portable => "portable",
            Kernel::Reference => "reference",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kernel {
    type Err = String;

    fn from_str(text: &str) -> Result<Kernel, String> {
        [Kernel::Auto, Kernel::Portable, Kernel::Reference]
            .into_iter()
            .find(|kernel| kernel.name() == text)
            .ok_or_else(|| format!("no kernel {text:?} here: auto, portable or reference"))
    }
}
