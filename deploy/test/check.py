"""Checks rendered manifests: `check.py VERSION FILE…` against the schemas of one Kubernetes version, its counts last.

Kinds of Kubernetes go through their own schema, strictly; those of the Prometheus operator through a model and back, since a
model drops what it does not know. Any other kind is an error. Then what schemas let pass: ports, names and references.
"""

import re
import sys

import kubernetes_validate
import yaml
from cloudcoil.models.prometheus_operator import v1 as operator

CUSTOM = {"ServiceMonitor": operator.ServiceMonitor, "PrometheusRule": operator.PrometheusRule}


def losses(given, kept, path=""):
    """What of `given` is not in `kept`."""
    if isinstance(given, dict) and isinstance(kept, dict):
        for key, value in given.items():
            if key not in kept:
                yield f"{path}.{key}: unknown"
            else:
                yield from losses(value, kept[key], f"{path}.{key}")
    elif isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        for i, (one, other) in enumerate(zip(given, kept)):
            yield from losses(one, other, f"{path}[{i}]")
    elif given != kept:
        yield f"{path}: {given!r} became {kept!r}"


def schema(document, version):
    """Problems that its schema sees."""
    kind = document.get("kind")
    if kind in CUSTOM and document["apiVersion"] == "monitoring.coreos.com/v1":
        try:
            model = CUSTOM[kind].model_validate(document)
        except ValueError as error:
            return [str(error)]
        return list(losses(document, model.model_dump(mode="json", by_alias=True, exclude_unset=True)))
    try:
        kubernetes_validate.validate(document, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        return [f"{'.'.join(map(str, error.path))}: {error.message}"]
    except kubernetes_validate.SchemaNotFoundError as error:
        return [error.message]
    return []


def walk(value, path=""):
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from walk(inner, f"{path}.{key}")


def sense(document):
    """Problems that no schema sees."""
    name = document["metadata"]["name"]
    if len(name) > 63 or not re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", name):
        yield f"metadata.name: {name!r}"
    for path, value in walk(document):
        key = path.rsplit(".", 1)[-1]
        if key in ("port", "containerPort") and isinstance(value, int) and not 0 < value < 65_536:
            yield f"{path}: {value} is no port"
        if isinstance(value, dict) and "containers" in value:
            yield from pod(value, path)


def pod(spec, path):
    """Mounts without a volume, volumes without a mount, and probes and ports without each other."""
    volumes = {volume["name"] for volume in spec.get("volumes", [])}
    containers = spec["containers"] + spec.get("initContainers", [])
    mounts = {mount["name"] for container in containers for mount in container.get("volumeMounts", [])}
    claims = {"data"}  # of a StatefulSet's claim templates
    for name in sorted((mounts - volumes - claims) | (volumes - mounts)):
        yield f"{path}: {name} is mounted or a volume, but not both"
    for container in containers:
        ports = {port["containerPort"] for port in container.get("ports", [])}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            if probe in container and container[probe]["grpc"]["port"] not in ports:
                yield f"{path}: {probe} asks a port that {container['name']} does not have"


def main(version, files):
    documents = problems = 0
    for file in files:
        with open(file, encoding="utf-8") as stream:
            for document in filter(None, yaml.safe_load_all(stream)):
                documents += 1
                for problem in [*schema(document, version), *sense(document)]:
                    problems += 1
                    print(f"{file}: {document.get('kind')} {document['metadata']['name']}: {problem}", file=sys.stderr)
    print(f"Kubernetes {version}: {documents} documents, {problems} problems")
    return 1 if problems or not documents else 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
