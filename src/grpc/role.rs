//! What a caller may do, and who it is.

use super::named::named;
use crate::job::Principal;
use std::fmt;
use std::str::FromStr;

/// What a caller may be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To submit jobs, and to cancel and delete its own.
    Submit,
    /// To look at its own jobs and read their results.
    Read,
    /// Both of these, and on everyone's jobs.
    Admin,
    /// To submit jobs of high priority; no other role holds it.
    HighPriority,
}

named!(Role { "submit" => Submit, "read" => Read, "admin" => Admin, "high-priority" => HighPriority });

const ALL: [Role; 4] = [Role::Submit, Role::Read, Role::Admin, Role::HighPriority];

/// Some roles, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// Of a caller who need not show who it is: all but to see what belongs to others.
    pub const ANYONE: Roles = Roles(Role::Submit.bit() | Role::Read.bit() | Role::HighPriority.bit());
    /// Of a client's certificate where no file says more.
    pub const CERTIFIED: Roles = Roles(Role::Submit.bit() | Role::Read.bit());

    /// Whether they allow what the role does.
    pub fn allow(self, role: Role) -> bool {
        let by_admin = if role == Role::HighPriority { 0 } else { Role::Admin.bit() };
        self.0 & (role.bit() | by_admin) != 0
    }
}

impl Role {
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl FromStr for Roles {
    type Err = String;

    /// Names with commas between them.
    fn from_str(text: &str) -> Result<Roles, String> {
        text.split(',').try_fold(Roles(0), |roles, name| Ok(Roles(roles.0 | name.parse::<Role>()?.bit())))
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = ALL.into_iter().filter(|role| self.0 & role.bit() != 0);
        f.write_str(&named.map(|role| role.to_string()).collect::<Vec<_>>().join(","))
    }
}

/// Who calls, as it has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Whose jobs it means.
    pub principal: Principal,
    /// What it may do.
    pub roles: Roles,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admin_holds_all_but_high_priority() {
        let roles = |text: &str| text.parse::<Roles>().expect("roles");
        for (text, allowed) in [
            ("submit", [true, false, false, false]),
            ("read", [false, true, false, false]),
            ("admin", [true, true, true, false]),
            ("high-priority", [false, false, false, true]),
            ("submit,high-priority", [true, false, false, true]),
        ] {
            assert_eq!(ALL.map(|role| roles(text).allow(role)), allowed, "{text}");
            assert_eq!(roles(text).to_string(), text);
        }
        assert_eq!(ALL.map(|role| Roles::ANYONE.allow(role)), [true, true, false, true]);
        assert_eq!(Roles::CERTIFIED.to_string(), "submit,read");
        for bad in ["", "root", "submit,", "submit read"] {
            assert!(bad.parse::<Roles>().is_err_and(|e| e.contains("submit, read, admin, high-priority")), "{bad}");
        }
    }
}
