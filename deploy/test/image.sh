# The image's last stage, built from a static binary and run by podman as the chart's pod and as the example's Job: read-only
# root, no capabilities, nobody's uid, a limit on memory; called over TLS with a token. No image can be pulled here, so the
# Dockerfile's first stage is not run: what it would make is laid out by hand.

image_name=localhost/sudokud:test
# Ports of the tests alone.
api=127.0.0.1:42351
health=127.0.0.1:42352
metrics=127.0.0.1:42353
restored=127.0.0.1:42354

image() {
  export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf"
  container_settings
  static_binary
  configurations
  build_image
  secrets
  client=(--tls-ca "$work/secrets/ca.crt" --token-file "$work/secrets/client/token")
  trap clean_up EXIT
  play_server
  answers
  helm_test
  batch_job
  killed_job
  drains
  play_server
  keeps
  indexed_job
  backup
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
  export PATH="$work/context/out:$PATH"
}

# Each configuration that the chart renders is one that the server takes.
configurations() {
  local rendered
  for rendered in "$snapshots"/*.yaml; do
    "$python" $here/extract.py config "$rendered" sudokud.toml > "$work/sudokud.toml"
    sudokud serve --config "$work/sudokud.toml" --print-config > /dev/null
  done
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
    sudokud token ada --role submit,read > ada
    sed -n 1p ada > client/token
    sed -n 2p ada > tokens/tokens
    cp ca.crt client/
    sudokud token eve --role submit,read | sed -n 1p > foreign
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
service: {port: ${api#*:}}
resources: {limits: {memory: 256Mi}}
extraEnv:
  - {name: SUDOKUD_LISTEN, value: "$api"}
  - {name: SUDOKUD_HEALTH_LISTEN, value: "$health"}
  - {name: SUDOKUD_ADMIN_LISTEN, value: "$metrics"}
  - {name: SUDOKUD_BATCH_PRIORITY, value: normal}
END
  "$python" $here/extract.py config "$work/manifest.yaml" sudokud.toml > "$work/secrets/config/sudokud.toml"
  lock "$work/secrets/config"
  "$python" $here/extract.py pod "$work/manifest.yaml" StatefulSet "dir:config=$work/secrets/config" \
    "dir:tls=$work/secrets/tls" "dir:tokens=$work/secrets/tokens" > "$work/pod.yaml"
  podman play kube --replace "$work/pod.yaml" > "$work/play.log" 2>&1 || { cat "$work/play.log" >&2; return 1; }
  wait_for "http://$health" || { podman logs sudokud-sudokud >&2; return 1; }
}

wait_for() { # URL [client's flags]
  local try
  for try in $(seq 100); do
    sudokud health --server "$1" "${@:2}" > /dev/null 2>&1 && return
    sleep 0.2
  done
  echo "$1 does not serve after $try looks" >&2
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
  expect "SERVING" sudokud health --server "https://$api" --tls-ca "$work/secrets/ca.crt"
  expect "sudokud_" curl --silent "http://$metrics/metrics"
}

# The pod of `helm test`, as it is: it looks the service's name up, and checks the certificate against it.
helm_test() {
  local code
  "$python" $here/names.py sudokud.puzzles.svc &
  name_server=$!
  echo "nameserver 127.0.42.1" > "$work/resolv.conf"
  "$python" $here/extract.py pod "$work/manifest.yaml" Pod "dir:ca=$work/secrets/client" "resolver:$work/resolv.conf" \
    > "$work/test.yaml"
  podman play kube --replace "$work/test.yaml" > "$work/play.log" 2>&1 || { cat "$work/play.log" >&2; return 1; }
  code=$(timeout 60 podman wait sudokud-test-health)
  kill "$name_server"
  name_server=
  [ "$code" = 0 ] || { echo "helm test ended with $code" >&2; podman logs sudokud-test-health >&2; return 1; }
  podman pod rm --force sudokud-test > /dev/null
  echo "helm test: passed, by name"
}

expect() { # words command…: what it prints, on either stream, holds these words; its exit code is its own
  local said
  said=$("${@:2}" 2>&1) || true
  if ! grep -qiF -- "$1" <<< "$said"; then
    printf 'expected "%s" of: %s\nbut it said: %s\n' "$1" "${*:2}" "$said" >&2
    return 1
  fi
}

# A pod of a Job of the examples: its own arguments, but for the server's address.
start_job() { # file [extract.py's options]
  "$python" $here/extract.py pod "$1" Job "dir:work=$work/volume" "dir:credentials=$work/secrets/client" \
    "arg:--server=--server=https://$api" image:$image_name "${@:2}" > "$work/job.yaml"
  podman play kube --replace "$work/job.yaml" > "$work/play.log" 2>&1 || { cat "$work/play.log" >&2; return 1; }
}

# It must succeed; its log is $work/job.log.
end_job() { # name
  local code
  code=$(timeout 240 podman wait "$1-submit")
  podman logs "$1-submit" > "$work/job.log" 2>&1
  podman pod rm --force "$1" > /dev/null
  [ "$code" = 0 ] || { echo "the pod of $1 ended with $code:" >&2; cat "$work/job.log" >&2; return 1; }
}

uid() { echo "field:metadata.labels['batch.kubernetes.io/controller-uid']=$1"; }

# Twice, as after a lost pod: it must be the same job.
batch_job() {
  rm -rf "$work/volume"
  mkdir "$work/volume"
  sudokud generate --puzzles 100000 --seed 5 -o "$work/volume/in.txt"
  sudokud solve "$work/volume/in.txt" -o "$work/solved.txt"
  chown -R 65532:65532 "$work/volume"
  local try
  for try in first second; do
    start_job deploy/examples/batch-job.yaml "$(uid 1)"
    end_job solve-puzzles
    cmp "$work/solved.txt" "$work/volume/out.txt"
    job_id "$work/job.log" > "$work/job.$try"
  done
  diff "$work/job.first" "$work/job.second"
  echo "batch job: $(wc -l < "$work/volume/out.txt") puzzles solved by the example's pod"
}

# Pods killed at random moments, until three of them were at work; the next one ends what they began.
killed_job() {
  local kills=0 i
  mv "$work/volume/in.txt" "$work/once.txt"
  for i in $(seq 20); do cat "$work/once.txt"; done > "$work/volume/in.txt"
  for i in $(seq 30); do
    start_job deploy/examples/batch-job.yaml "$(uid 3)"
    sleep "0.$((RANDOM % 10))"
    if podman kill --signal KILL solve-puzzles-submit > /dev/null 2>&1; then
      kills=$((kills + 1))
    fi
    podman pod rm --force solve-puzzles > /dev/null
    [ $kills -lt 3 ] || break
  done
  start_job deploy/examples/batch-job.yaml "$(uid 3)"
  end_job solve-puzzles
  for i in $(seq 20); do cat "$work/solved.txt"; done | cmp - "$work/volume/out.txt"
  echo "batch job: $(wc -l < "$work/volume/out.txt") puzzles right after $kills kills"
  mv "$work/once.txt" "$work/volume/in.txt"
}

# Its init container by the shell here, since no image of one can be pulled; its last index has no file, and must fail.
indexed_job() {
  local index script example=deploy/examples/batch-job-indexed.yaml
  "$python" $here/extract.py config $example files > "$work/files"
  mkdir -p "$work/volume/in"
  sudokud generate --puzzles 1000 --seed 6 -o "$work/volume/in/easy.txt"
  sudokud generate --puzzles 1000 --seed 7 -o "$work/volume/in/hard.txt"
  script=$("$python" $here/extract.py script $example | sed "s#/work#$work/volume#g; s#/manifest/files#$work/files#")
  for index in 0 1; do
    JOB_COMPLETION_INDEX=$index sh -euc "$script"
    chown -hR 65532:65532 "$work/volume"
    start_job $example "$(uid 2)" "field:metadata.annotations['batch.kubernetes.io/job-completion-index']=$index"
    end_job solve-manifest-1
  done
  if JOB_COMPLETION_INDEX=2 sh -euc "$script" || JOB_COMPLETION_INDEX=3 sh -euc "$script"; then
    echo "an index without a file went through" >&2
    return 1
  fi
  for name in easy hard; do
    sudokud solve "$work/volume/in/$name.txt" | cmp - "$work/volume/out/$name.txt/solved.txt"
  done
  echo "indexed job: 2 of 2 files solved"
}

job_id() { grep -oE '[0-9a-f]{8}-[0-9a-f-]{27}' "$1" | head -1; }

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
  expect "$(cat "$work/job.first")" sudokud batch list "${client[@]}" --server "https://$api"
  sudokud batch results "$(cat "$work/job.first")" "${client[@]}" --server "https://$api" -o "$work/again.txt"
  cmp "$work/solved.txt" "$work/again.txt"
}

# A backup while a job runs and others are deleted; a server on the copy has all that there was, and ends what ran.
backup() {
  local data copy="$work/copy" running number
  data=$(podman volume inspect --format '{{.Mountpoint}}' data-sudokud-0)
  rm -rf "$copy"
  for number in 1 2 3; do
    sudokud batch submit "$work/volume/in.txt" "${client[@]}" --server "https://$api" --wait \
      --request-id "gone-$number" > "$work/gone" 2>&1
    sudokud batch delete "$(job_id "$work/gone")" "${client[@]}" --server "https://$api" > /dev/null
  done
  sudokud batch generate --puzzles 600000 --seed 8 "${client[@]}" --server "https://$api" > "$work/running" 2>&1
  running=$(job_id "$work/running")
  deploy/backup.sh "$data" "$copy"
  sudokud batch watch "$running" "${client[@]}" --server "https://$api" > /dev/null
  sudokud batch results "$running" "${client[@]}" --server "https://$api" -o "$work/here.txt"
  sudokud serve --data "$copy" --listen "$restored" --log warn --batch-priority normal --tls-cert "$work/secrets/tls/tls.crt" \
    --tls-key "$work/secrets/tls/tls.key" --tokens "$work/secrets/tokens/tokens" > "$work/restored.log" 2>&1 &
  restored_pid=$!
  wait_for "https://$restored" "${client[@]}"
  sudokud batch results "$(cat "$work/job.first")" "${client[@]}" --server "https://$restored" -o "$work/again.txt"
  cmp "$work/solved.txt" "$work/again.txt"
  sudokud batch results "$running" "${client[@]}" --server "https://$restored" --follow -o "$work/there.txt"
  cmp "$work/here.txt" "$work/there.txt"
  kill "$restored_pid"
  wait "$restored_pid"
  restored_pid=
  [ ! -s "$work/restored.log" ] || { cat "$work/restored.log" >&2; return 1; }
  echo "backup: restored, and the job that ran went on to its end"
}

clean_up() {
  local code=$?
  [ $code = 0 ] || podman logs --tail 20 sudokud-sudokud >&2 || true
  local left
  for left in ${restored_pid:-} ${name_server:-}; do kill "$left" 2> /dev/null; done
  podman pod rm --force --all > /dev/null 2>&1
  podman volume rm --all --force > /dev/null 2>&1
}
