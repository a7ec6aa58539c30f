//! [`Kernel`]: which kernel runs. The only file that names them all.

use super::array::Array;
#[cfg(target_arch = "x86_64")]
use super::avx2::{self, Avx2};
#[cfg(target_arch = "x86_64")]
use super::avx512::{self, Avx512};
use super::plain::Plain;
use super::search::Search;
use super::searcher::Searcher;
use std::fmt;
use std::str::FromStr;

/// A way to solve. All give the same outcomes, and the same grid wherever it is unique.
///
/// There are values only of kernels that this machine can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// 32 puzzles in lockstep: Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Proof),
    /// 16 puzzles in lockstep: Haswell, Zen and later.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Proof),
    /// 8 puzzles in lockstep, without intrinsics: any machine.
    Portable,
    /// The plain reference solver: slow, for checking.
    Reference,
}

impl Default for Kernel {
    /// The fastest that this machine runs.
    fn default() -> Kernel {
        Kernel::all().next().unwrap_or(Kernel::Portable)
    }
}

impl Kernel {
    /// The kernels that this machine runs, the fastest first.
    pub fn all() -> impl Iterator<Item = Kernel> {
        #[cfg(target_arch = "x86_64")]
        let fast = [avx512::Proof::detect().map(Kernel::Avx512), avx2::Proof::detect().map(Kernel::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let fast = [None; 0];
        fast.into_iter().flatten().chain([Kernel::Portable, Kernel::Reference])
    }

    /// A searcher of this kernel.
    pub fn searcher(self) -> Box<dyn Searcher> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(proof) => Box::new(Search::<Avx512>::new(proof)),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => Box::new(Search::<Avx2>::new(proof)),
            Kernel::Portable => Box::new(Search::<Array>::new(())),
            Kernel::Reference => Box::new(Plain::default()),
        }
    }

    /// Its name on the command line and in logs.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => "avx2",
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

    /// The kernel of this name; `auto` is the fastest one here.
    fn from_str(text: &str) -> Result<Kernel, String> {
        if text == "auto" {
            return Ok(Kernel::default());
        }
        Kernel::all().find(|kernel| kernel.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Kernel::all().map(Kernel::name).collect();
            format!("this machine has no kernel {text:?}, only auto, {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for kernel in Kernel::all() {
            assert_eq!(kernel.name().parse(), Ok(kernel));
        }
        assert_eq!("auto".parse(), Ok(Kernel::default()));
        let error = "sse9".parse::<Kernel>().expect_err("there is none");
        assert!(error.contains("no kernel \"sse9\"") && error.ends_with("portable, reference"), "{error}");
    }
}
