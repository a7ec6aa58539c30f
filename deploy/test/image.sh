# The image's last stage, built from a static binary and run by podman as the chart's pod and as the example's Job: read-only
# root, no capabilities, nobody's uid, a limit on memory; called over TLS with a token. No image can be pulled here, so the
# Dockerfile's first stage is not run: what it would make is laid out by hand.

image_name=localhost/sudokud:test
# Ports of the tests alone.
api=127.0.0.1:42351
health=127.0.0.1:42352
metrics=127.0.0.1:42353

image() {
  export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf"
  container_settings
  static_binary
  build_image
  secrets
  trap clean_up EXIT
  play_server
  answers
  batch_job
  drains
  play_server
  keeps
  podman pod rm --force sudokud > /dev/null
}

container_settings() {
  printf '%s\n' '[containers]' 'default_ulimits=["nofile=4096:4096","nproc=512:512"]' \
    '[engine]' 'runtime="runc"' 'cgroup_manager="cgroupfs"' 'events_logger="file"' > "$CONTAINERS_CONF"
  printf '%s\n' '[storage]' 'driver="vfs"' "graphroot=\"$work/storage\"" "runroot=\"$work/run\"" > "$CONTAINERS_STORAGE_CONF"
}

# The command of the Dockerfile; only our own crate is linked anew.
static_binary() {
  cargo rustc --quiet --locked --release --bin sudokud -- -C target-feature=+crt-static
  rm -rf "$work/context"
  mkdir -p "$work/context/out/data" "$work/context/etc/ssl/certs"
  strip --strip-debug -o "$work/context/out/sudokud" target/release/sudokud
  cp /etc/ssl/certs/ca-certificates.crt "$work/context/etc/ssl/certs/"
}

build_image() {
  sed -n '/^FROM scratch/,$p' deploy/Dockerfile > "$work/Dockerfile"
  buildah bud --isolation chroot --build-context build="$work/context" --file "$work/Dockerfile" --tag $image_name \
    "$work/context" > "$work/buildah.log" 2>&1 || { cat "$work/buildah.log" >&2; return 1; }
  echo "image: $(podman image inspect --format '{{.Size}}' $image_name) bytes"
}

# An authority, the server's certificate, and tokens: as deploy/README.md makes them.
secrets() {
  rm -rf "$work/secrets" "$work/data"
  mkdir -p "$work"/secrets/{tls,tokens,client,config}
  (
    cd "$work/secrets"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=sudokud test" \
      -keyout ca.key -out ca.crt 2> /dev/null
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=sudokud" \
      -keyout tls/tls.key -out tls.csr 2> /dev/null
    openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -out tls/tls.crt \
      -extfile <(printf 'subjectAltName=DNS:sudokud.puzzles.svc,DNS:localhost,IP:127.0.0.1') 2> /dev/null
    sudokud="$work/context/out/sudokud"
    "$sudokud" token ada --role submit,read > ada
    sed -n 1p ada > client/token
    sed -n 2p ada > tokens/tokens
    cp ca.crt client/
    "$sudokud" token eve --role submit,read | sed -n 1p > foreign
  )
  lock "$work"/secrets/{tls,tokens,client}
}

# As kubelet lays out secrets for a pod with an fsGroup.
lock() {
  chown -R root:65532 "$@"
  chmod -R u=rX,g=rX,o= "$@"
}

play_server() {
  helm template sudokud "$source_dir" --namespace puzzles --values "$source_dir/ci/secure.yaml" --values - \
    > "$work/manifest.yaml" 2> "$work/helm.log" <<END
image: {repository: localhost/sudokud, tag: test}
resources: {limits: {memory: 256Mi}}
extraEnv:
  - {name: SUDOKUD_LISTEN, value: "$api"}
  - {name: SUDOKUD_HEALTH_LISTEN, value: "$health"}
  - {name: SUDOKUD_ADMIN_LISTEN, value: "$metrics"}
END
  "$python" $here/extract.py config "$work/manifest.yaml" sudokud.toml > "$work/secrets/config/sudokud.toml"
  lock "$work/secrets/config"
  "$python" $here/extract.py pod "$work/manifest.yaml" StatefulSet "dir:config=$work/secrets/config" \
    "dir:tls=$work/secrets/tls" "dir:tokens=$work/secrets/tokens" > "$work/pod.yaml"
  podman play kube --replace "$work/pod.yaml" > "$work/play.log" 2>&1 || { cat "$work/play.log" >&2; return 1; }
  local try
  for try in $(seq 100); do
    "$work/context/out/sudokud" health --server "http://$health" > /dev/null 2>&1 && return
    sleep 0.2
  done
  echo "the pod does not serve after $try looks:" >&2
  podman logs sudokud-sudokud >&2
  return 1
}

call() { # token-file method [grpcurl's arguments]
  grpcurl -cacert "$work/secrets/ca.crt" -authority sudokud.puzzles.svc -H "authorization: Bearer $(cat "$1")" \
    "${@:3}" "$api" "$2"
}

puzzle=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
solution=534678912672195348198342567859761423426853791713924856961537284287419635345286179

# What a pod of the chart may and may not do, and what it answers to whom.
answers() {
  local inspect='{{.HostConfig.ReadonlyRootfs}} {{.Config.User}} {{.EffectiveCaps}} {{.HostConfig.Memory}}'
  expect "true 65532:65532 [] 268435456" podman inspect --format "$inspect" sudokud-sudokud
  local pid
  pid=$(podman inspect --format '{{.State.Pid}}' sudokud-sudokud)
  expect "0000000000000000" awk '/^CapEff/ {print $2}' "/proc/$pid/status"
  expect "1" awk '/^NoNewPrivs/ {print $2}' "/proc/$pid/status"
  expect "65532" awk '/^Uid/ {print $2}' "/proc/$pid/status"
  local mine="$work/secrets/client/token"
  expect "$solution" call "$mine" sudoku.v1.SudokuService/Solve -d "{\"puzzle\": \"$puzzle\"}"
  expect "Unauthenticated" call "$work/secrets/foreign" sudoku.v1.SudokuService/Solve -d "{\"puzzle\": \"$puzzle\"}"
  expect "PermissionDenied" call "$mine" sudoku.v1.SudokuService/SubmitBatch \
    -d "{\"open\": {\"requestId\": \"urgent\", \"solve\": {}, \"priority\": \"PRIORITY_HIGH\"}}"
  expect "SERVING" "$work/context/out/sudokud" health --server "https://$api" --tls-ca "$work/secrets/ca.crt"
  expect "sudokud_" curl --silent "http://$metrics/metrics"
}

expect() { # words command…: what it prints, on either stream, holds these words; its exit code is its own
  local said
  said=$("${@:2}" 2>&1) || true
  if ! grep -qiF -- "$1" <<< "$said"; then
    printf 'expected "%s" of: %s\nbut it said: %s\n' "$1" "${*:2}" "$said" >&2
    return 1
  fi
}

# The example's Job: its pod's own arguments, but for the server's address; twice, as after a lost pod.
batch_job() {
  local try
  rm -rf "$work/volume"
  mkdir "$work/volume"
  "$work/context/out/sudokud" generate --puzzles 100000 --seed 5 -o "$work/volume/in.txt"
  chown -R 65532:65532 "$work/volume"
  "$python" $here/extract.py pod deploy/examples/batch-job.yaml Job "dir:work=$work/volume" \
    "dir:credentials=$work/secrets/client" "field:metadata.labels['batch.kubernetes.io/controller-uid']=uid-1" \
    "arg:--server=--server=https://$api" image:$image_name > "$work/job.yaml"
  for try in first second; do
    podman play kube --replace "$work/job.yaml" > "$work/play.log" 2>&1 || { cat "$work/play.log" >&2; return 1; }
    if ! expect 0 timeout 120 podman wait solve-puzzles-submit; then
      podman logs solve-puzzles-submit >&2
      return 1
    fi
    podman logs solve-puzzles-submit > "$work/job.$try" 2>&1
    podman pod rm --force solve-puzzles > /dev/null
  done
  "$work/context/out/sudokud" solve "$work/volume/in.txt" -o "$work/solved.txt"
  cmp "$work/solved.txt" "$work/volume/out.txt"
  expect "$(job_id first)" job_id second
  echo "batch job: $(wc -l < "$work/volume/out.txt") puzzles solved by the example's pod"
}

job_id() { grep -oE '[0-9a-f]{8}-[0-9a-f-]{27}' "$work/job.$1" | head -1; }

# SIGTERM, with kubelet's patience.
drains() {
  local begun=$SECONDS code
  podman kill --signal TERM sudokud-sudokud > /dev/null
  code=$(timeout 50 podman wait sudokud-sudokud)
  if [ "$code" != 0 ]; then
    echo "the server ended with $code after SIGTERM:" >&2
    podman logs sudokud-sudokud >&2
    return 1
  fi
  echo "drained: exit 0 after $((SECONDS - begun)) s"
}

# Another pod on the same volume has the jobs of the one before.
keeps() {
  expect "$(job_id first)" "$work/context/out/sudokud" batch list --server "https://$api" \
    --tls-ca "$work/secrets/ca.crt" --token-file "$work/secrets/client/token"
  rm -f "$work/again.txt"
  "$work/context/out/sudokud" batch results "$(job_id first)" --server "https://$api" \
    --tls-ca "$work/secrets/ca.crt" --token-file "$work/secrets/client/token" -o "$work/again.txt"
  cmp "$work/solved.txt" "$work/again.txt"
}

clean_up() {
  podman pod rm --force --all > /dev/null 2>&1
  podman volume rm --all --force > /dev/null 2>&1
}
