# What is for one machine: the compose file, what it mounts, and the systemd unit.

files() {
  "$python" - <<'END'
import compose_spec
with open("deploy/compose.yaml", encoding="utf-8") as stream:
    text = stream.read()
compose_spec.PyCompose.from_yaml(text).validate_volumes()
for right, wrong in (("read_only:", "read_onli:"), ("cap_drop: [ALL]", "cap_drop: ALL"), ("interval: 10s", "interval: soon")):
    assert right in text, right
    try:
        compose_spec.PyCompose.from_yaml(text.replace(right, wrong))
    except ValueError:
        continue
    raise SystemExit(f"deploy/compose.yaml with {wrong} was accepted")
END
  rm -rf "$work/prometheus"
  mkdir "$work/prometheus"
  cp deploy/compose/prometheus.yaml deploy/prometheus/rules.yaml "$work/prometheus/"
  promtool check config "$work/prometheus/prometheus.yaml" > "$work/promtool.log" || { cat "$work/promtool.log" >&2; return 1; }
  "$python" -m json.tool deploy/grafana/sudokud.json > /dev/null
  skeleton
  unit
}

# What the Dockerfile builds dependencies from is a crate: a bench that it does not touch would end the build.
skeleton() {
  rm -rf "$work/skeleton"
  mkdir "$work/skeleton"
  cp Cargo.toml Cargo.lock "$work/skeleton/"
  local commands
  commands=$(sed -n '/^RUN mkdir -p src/,/tee build.rs/{s/^RUN//;p}' deploy/Dockerfile | sed '$s/\\$//')
  (cd "$work/skeleton" && sh -euc "$commands" && cargo fetch --quiet --locked --target "$(rustc --print host-tuple)")
}

# The program need not be installed for a look at its unit. The exposure is of 100, less is better.
unit() {
  mkdir -p "$work/systemd/sudokud.service.d"
  sed 's#^ExecStart=/usr/local/bin/sudokud#ExecStart=/bin/true#' deploy/systemd/sudokud.service > "$work/systemd/sudokud.service"
  cp deploy/systemd/tls.conf "$work/systemd/sudokud.service.d/"
  systemd-analyze verify --man=no "$work/systemd/sudokud.service"
  systemd-analyze security --offline=yes --threshold=15 --no-pager "$work/systemd/sudokud.service" | tail -1
}
