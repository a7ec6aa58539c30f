"""Takes a part out of rendered manifests.

`extract.py rules FILE` prints the groups of its PrometheusRule as Prometheus reads them.
`extract.py pod FILE KIND [OPTION…]` prints a Pod, or that of a StatefulSet or Job, as `podman kube play` takes it: on the host's
network, without ports, probes and init containers, its claims as podman's own volumes. Options: `field:PATH=VALUE` is what the downward API
would say, `dir:VOLUME=DIR` the contents of a volume, `resolver:FILE` its resolv.conf, `arg:OLD=NEW` replaces the argument that begins so, `image:NAME` the image.
`extract.py config FILE NAME` prints a file of its ConfigMap, `extract.py script FILE` the one of a Job's first init container.
"""

import sys

import yaml


def documents(file):
    with open(file, encoding="utf-8") as stream:
        return [document for document in yaml.safe_load_all(stream) if document]


def the(kind, file):
    [found] = [document for document in documents(file) if document["kind"] == kind]
    return found


def options(words, sort):
    """What `sort:KEY=VALUE` say; a field's path may hold brackets, and an argument's new text "="."""
    return dict(word[len(sort) + 1 :].split("=", 1) for word in words if word.startswith(sort + ":"))


def option(words, sort):
    """What `sort:VALUE` says, if it is there."""
    return next((word.partition(":")[2] for word in words if word.startswith(sort + ":")), None)


def volume(each, dirs):
    if each["name"] in dirs:
        return {"name": each["name"], "hostPath": {"path": dirs[each["name"]], "type": "Directory"}}
    return each


def resolver(spec, file):
    """Names are looked up as this file says: on the host's network a pod would have the host's."""
    spec["volumes"].append({"name": "resolver", "hostPath": {"path": file, "type": "File"}})
    spec["containers"][0]["volumeMounts"].append({"name": "resolver", "mountPath": "/etc/resolv.conf", "readOnly": True})


def container(each, fields, arguments, image):
    for unwanted in ("ports", "startupProbe", "readinessProbe", "livenessProbe"):
        each.pop(unwanted, None)
    values = {}
    for variable in each.get("env", []):
        source = variable.pop("valueFrom", None)
        if source:
            variable["value"] = fields[source["fieldRef"]["fieldPath"]]
        values[variable["name"]] = variable["value"]
    for i, argument in enumerate(each.get("args", [])):
        for name, value in values.items():
            argument = argument.replace(f"$({name})", value)
        for old, new in arguments.items():
            argument = new if argument.startswith(old) else argument
        each["args"][i] = argument
    each["image"] = image or each["image"]
    each["imagePullPolicy"] = "Never"
    return each


def pod(file, kind, words):
    document = the(kind, file)
    spec = document["spec"] if kind == "Pod" else document["spec"]["template"]["spec"]
    for claim in document["spec"].get("volumeClaimTemplates", []):
        name = claim["metadata"]["name"]
        spec["volumes"].append({"name": name, "persistentVolumeClaim": {"claimName": f"{name}-sudokud-0"}})
    dirs, fields, arguments = (options(words, sort) for sort in ("dir", "field", "arg"))
    mounted = {mount["name"] for each in spec["containers"] for mount in each["volumeMounts"]}
    spec["volumes"] = [volume(each, dirs) for each in spec["volumes"] if each["name"] in mounted]
    image = option(words, "image")
    if names := option(words, "resolver"):
        resolver(spec, names)
    spec["containers"] = [container(each, fields, arguments, image) for each in spec["containers"]]
    spec.pop("initContainers", None)
    spec["hostNetwork"] = True
    spec["restartPolicy"] = "Never"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": document["metadata"]["name"]}, "spec": spec}


if sys.argv[1] == "rules":
    print(yaml.safe_dump({"groups": the("PrometheusRule", sys.argv[2])["spec"]["groups"]}, sort_keys=False))
elif sys.argv[1] == "config":
    print(the("ConfigMap", sys.argv[2])["data"][sys.argv[3]])
elif sys.argv[1] == "script":
    print(the("Job", sys.argv[2])["spec"]["template"]["spec"]["initContainers"][0]["command"][-1])
else:
    print(yaml.safe_dump(pod(sys.argv[2], sys.argv[3], sys.argv[4:]), sort_keys=False))
