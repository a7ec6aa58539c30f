//! `serve`'s configuration through the real binary: layers, refusals, what is printed reads back.

use crate::run::Folder;

fn value(config: &str, key: &str) -> String {
    let line = config.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.unwrap_or_else(|| panic!("no {key} in {config}")).trim_matches('"').to_owned()
}

#[test]
fn flags_win_over_variables_over_the_file_over_defaults() {
    let folder = Folder::new();
    folder.write("c.toml", "threads = 3\nlease-ttl = \"9s\"\nlog = \"warn\"\n");
    let mut command = folder.command("serve --print-config --config c.toml --threads 5");
    command.env("SUDOKUD_THREADS", "4").env("SUDOKUD_LEASE_TTL", "8s");
    let out = command.output().expect("the binary runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let config = String::from_utf8(out.stdout).expect("UTF-8");
    let values = ["threads", "lease-ttl", "log", "sweep-every"].map(|key| value(&config, key));
    assert_eq!(values, ["5", "8s", "warn", "5s"]);
    let home = folder.path(".local/share/sudokud");
    assert_eq!(value(&config, "data"), home.to_string_lossy());

    folder.write("again.toml", &config);
    let again = folder.run("serve --print-config --config again.toml");
    assert_eq!((again.code, again.out), (0, config), "{}", again.err);
    let mut by_variable = folder.command("serve --print-config");
    let out = by_variable.env("SUDOKUD_CONFIG", "c.toml").output().expect("the binary runs");
    assert_eq!(value(&String::from_utf8_lossy(&out.stdout), "threads"), "3");
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let folder = Folder::new();
    folder.write("typo.toml", "lisen = \"127.0.0.1:1\"\n");
    folder.write("broken.toml", "threads = = 3\n");
    for (words, told) in [
        ("--config typo.toml", "typo.toml: unknown key `lisen`; the nearest known one is `listen`"),
        ("--config broken.toml", "broken.toml"),
        ("--config none.toml", "none.toml"),
        ("--threads 0", "threads: 0 is out of range: give 1 to 1024"),
        ("--listen 127.0.0.1:7 --admin-listen 127.0.0.1:7", "admin-listen: 127.0.0.1:7 clashes with listen"),
        ("--time-to-live 60days", "is longer than max-time-to-live"),
        ("--store nats://host", "write memory: or file:DIR"),
        ("--data x --store memory:", "data is given too"),
        ("--lease-ttl soon", "is not a duration"),
        ("--kernel gpu", "no kernel"),
        ("--log inof", "\"inof\" is no level"),
        ("--data untouched --listen 0.0.0.0:0", "--insecure"),
        ("--listen 0.0.0.0:0 --store memory:", "--insecure"),
    ] {
        let ran = folder.run(&format!("serve {words}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}: {}", ran.err);
        assert!(ran.err.contains(told), "{words}: {}", ran.err);
    }
    assert!(!folder.names().contains(&"untouched".to_owned()), "a refused server opened its store");
    let mut command = folder.command("serve --print-config");
    let out = command.env("SUDOKUD_LISTENN", "x").output().expect("the binary runs");
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!((out.status.code(), told.lines().count()), (Some(2), 1));
    assert!(told.contains("unknown environment variable SUDOKUD_LISTENN; the nearest known one is SUDOKUD_LISTEN"));
}

#[test]
fn an_address_or_a_directory_in_use_is_io() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("bound");
    let ran = folder.run(&format!("serve --store memory: --log off --listen {address}"));
    assert_eq!((ran.code, ran.err.lines().count()), (3, 1), "{}", ran.err);
    assert!(ran.err.contains(&format!("cannot listen on {address}")), "{}", ran.err);
    folder.write("file", "no directory");
    let ran = folder.run("serve --data file --log off --listen 127.0.0.1:0");
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.starts_with("sudokud: data directory file"), "{}", ran.err);
}

#[test]
fn the_sample_file_is_what_it_says() {
    let folder = Folder::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/sudokud.toml");
    let ran = folder.run(&format!("serve --print-config --config {sample}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(value(&ran.out, "data"), "/var/lib/sudokud");
    assert_eq!(value(&ran.out, "admin-listen"), "127.0.0.1:50053");
}
