# The chart for several Kubernetes versions and sets of values: lint, schemas, policy, alert rules, snapshots, and what must
# be refused. Needs no cluster.

versions=(1.32 1.34 1.37)
source_dir=deploy/helm/sudokud
snapshots=deploy/helm/snapshots
python="$tools/venv/bin/python"

render() { # values-file version [helm's arguments]: the manifests
  helm template sudokud "$source_dir" --namespace puzzles --values "$1" --kube-version "$2" "${@:3}" 2> "$work/helm.log" ||
    { cat "$work/helm.log" >&2; return 1; }
}

chart() { # [--update]
  local rendered="$work/rendered" version values name
  rm -rf "$rendered"
  for version in "${versions[@]}"; do
    mkdir -p "$rendered/$version"
    for values in "$source_dir"/ci/*.yaml; do
      name=$(basename "$values")
      helm lint --strict --quiet "$source_dir" --values "$values" --kube-version "$version" > "$work/lint.log" 2>&1 ||
        { cat "$work/lint.log" >&2; return 1; }
      render "$values" "$version" > "$rendered/$version/$name"
    done
    # No template asks what the cluster is: one snapshot stands for all versions.
    diff -r "$rendered/${versions[0]}" "$rendered/$version"
    "$python" $here/check.py "$version" "$rendered/$version"/*.yaml deploy/examples/*.yaml
  done
  rendered="$rendered/${versions[0]}"
  yamllint --strict --config-file deploy/.yamllint deploy
  yamllint --strict --config-data '{rules: {key-duplicates: enable}}' "$rendered"
  policy "$rendered"
  promtool check rules deploy/prometheus/rules.yaml > "$work/promtool.log" || { cat "$work/promtool.log" >&2; return 1; }
  "$python" $here/extract.py rules "$rendered/metrics.yaml" > "$work/rules.yaml"
  promtool check rules "$work/rules.yaml"
  explained
  packaged
  refusals "$rendered"
  # Not what is a copy of other files here.
  rm "$rendered/metrics.yaml"
  snapshot "$rendered" "${1:-}"
}

snapshot() { # rendered --update?
  if [ "$2" = --update ]; then
    rm -rf "$snapshots"
    cp -r "$1" "$snapshots"
  fi
  diff -ru "$snapshots" "$1" ||
    { echo "the rendered manifests are not the snapshots: look, then deploy/test/run.sh --update" >&2; return 1; }
  echo "snapshots: $(find "$snapshots" -name '*.yaml' | wc -l) files as they were"
}

# Skipped, each for its reason: 8 and 9, a Job's and the test's pod have no probes; 11, no limit on processors, as batches take
# only idle ones; 15, a tag of a version is not pulled again; 21, the examples go where `kubectl -n` says; 43, the digest is the
# installer's; CKV2_K8S_6, clients have no policy here; CKV_DOCKER_2, probes are the pod's, and compose has its own.
policy() { # rendered
  "$tools/checkov/bin/checkov" --framework kubernetes --skip-download --quiet --compact \
    --skip-check CKV_K8S_8,CKV_K8S_9,CKV_K8S_11,CKV_K8S_15,CKV_K8S_21,CKV_K8S_43,CKV2_K8S_6 \
    --file "$1/secure.yaml" "$1/everything.yaml" "$1/metrics.yaml" deploy/examples/batch-job.yaml deploy/examples/batch-job-indexed.yaml
  "$tools/checkov/bin/checkov" --framework dockerfile --skip-download --quiet --compact \
    --skip-check CKV_DOCKER_2 --file deploy/Dockerfile
}

# Each alert has its heading in deploy/README.md, to which it leads, and no heading is of an alert that is gone.
explained() {
  diff <(sed -n 's/^ *- alert: //p' deploy/prometheus/rules.yaml | sort) \
    <(sed -n 's/^### \(Sudokud.*\)/\1/p' deploy/README.md | sort) ||
    { echo "deploy/README.md, Alerts, and deploy/prometheus/rules.yaml name different alerts" >&2; return 1; }
}

# The archive holds the alert rules and the dashboard themselves, which are links here.
packaged() {
  helm package "$source_dir" --destination "$work" > /dev/null 2> "$work/helm.log" || { cat "$work/helm.log" >&2; return 1; }
  tar xzf "$work"/sudokud-*.tgz --directory "$work" sudokud/files
  diff "$work/sudokud/files/rules.yaml" deploy/prometheus/rules.yaml
  diff "$work/sudokud/files/sudokud.json" deploy/grafana/sudokud.json
}

# What must not render, and what must not pass the checks: each with the words that say why.
refusals() { # rendered
  local count=0 secure="$source_dir/ci/secure.yaml" line words
  while IFS='|' read -r words line; do
    # shellcheck disable=SC2086
    if helm template sudokud "$source_dir" $line > /dev/null 2> "$work/refusal.log"; then
      echo "rendered, but should not: $line" >&2
      return 1
    fi
    grep -qF -- "$words" "$work/refusal.log" || { echo "no \"$words\" for $line:" >&2; cat "$work/refusal.log" >&2; return 1; }
    count=$((count + 1))
  done <<END
set tls.secretName|
set tls.secretName|--set tls.secretName=a
set tls.secretName|--set tokens.secretName=a
clientCaSecretName needs|--set insecure=true --set tls.clientCaSecretName=a
clientAuth needs|--values $secure --set tls.clientAuth=required
optional needs|--set tls.secretName=a --set tls.clientCaSecretName=b --set tls.clientAuth=optional
/tls/clientAuth|--values $secure --set tls.clientAuth=maybe
/service/port|--values $secure --set service.port=999999
/service/port|--values $secure --set-string service.port=50051
/persistence/size|--values $secure --set persistence.size=lots
/resources/limits/memory|--values $secure --set resources.limits.memory=1gig
'replicas' not allowed|--values $secure --set replicas=3
'secret' not allowed|--values $secure --set tls.secret=a
/image/digest|--values $secure --set image.digest=latest
/insecure|--set-string insecure=true
'listen'|--values $secure --set config.listen=0.0.0.0:1
'drain-delay'|--values $secure --set config.drain-delay=9s
/config/log|--values $secure --set config.log.level=debug
END
  while IFS='|' read -r words line; do
    cat "$1/everything.yaml" "$1/metrics.yaml" | sed "$line" > "$work/broken.yaml"
    if cat "$1/everything.yaml" "$1/metrics.yaml" | cmp -s "$work/broken.yaml"; then
      echo "changes nothing: $line" >&2
      return 1
    fi
    if "$python" $here/check.py "${versions[1]}" "$work/broken.yaml" > "$work/refusal.log" 2>&1; then
      echo "passed, but should not: $line" >&2
      return 1
    fi
    grep -qF -- "$words" "$work/refusal.log" || { echo "no \"$words\" for $line:" >&2; cat "$work/refusal.log" >&2; return 1; }
    count=$((count + 1))
  done <<'END'
999999 is no port|s/port: 443/port: 999999/
Couldn't find schema|s/kind: StatefulSet/kind: StatefulSett/
Couldn't find schema|s/^apiVersion: apps.v1/apiVersion: apps\/v2/
replica|s/^  replicas: 1/  replica: 1/
'many' is not of type|s/^  replicas: 1/  replicas: many/
.intervall: unknown|s/interval: 15s/intervall: 15s/
Field required|s/ expr:/ exprr:/
asks a port|s/containerPort: 50052/containerPort: 50055/
is mounted or a volume|s/name: tokens$/name: token/;0,/name: token$/s//name: tokens/
END
  echo "refused: $count of $count"
}
