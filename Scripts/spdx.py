# SPDX-License-Identifier: MIT
"""The list of what a release contains and needs, as SPDX 2.3 in JSON (https://spdx.github.io/spdx-spec/v2.3). Used by release."""

import hashlib
import json
import pathlib
import re
import subprocess

# What the programs have inside that is not of this repository.
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"
MODEL_LICENSE = "MIT"


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def library_names(depends):
    """The first alternative of each dependency of a Debian package."""
    names = (part.split("|")[0].split("(")[0].strip() for part in depends.split(","))
    return sorted({name for name in names if name and not name.startswith(("parley", "${"))})


def installed_version(name):
    """The version of a Debian package on this machine; None where it is not installed."""
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 and done.stdout else None


def swift_version():
    done = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True)
    return re.search(r"Swift version (\S+)", done.stdout)[1]


def package(name, version, license_name, **fields):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": license_name, "licenseDeclared": license_name,
            "copyrightText": "NOASSERTION"} | fields


def document(version, commit, created, artefacts, model):
    """The document. `artefacts` are files of the release with their dependencies as Debian states them; `model` is name and version
    of the weights. The same arguments on the same system give the same bytes."""
    swift = package("swift-runtime", swift_version(), SWIFT_LICENSE, comment="linked statically")
    weights = package(model[0], model[1], MODEL_LICENSE, comment="in parley-models")
    packages, relations, libraries = [swift, weights], [], set()

    def relate(name, kind, other):
        relations.append({"spdxElementId": identifier(name), "relationshipType": kind, "relatedSpdxElement": identifier(other)})

    for path, depends in artefacts:
        name = path.name
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        packages.append(package(name, version, "MIT", packageFileName=name,
                                checksums=[{"algorithm": "SHA256", "checksumValue": digest}]))
        relate("DOCUMENT", "DESCRIBES", name)
        for library in library_names(depends):
            libraries.add(library)
            relate(name, "DEPENDS_ON", library)
        if name.startswith("parley-models"):
            relate(name, "CONTAINS", model[0])
        elif name.endswith(".deb"):
            relate(name, "STATIC_LINK", "swift-runtime")
    for library in sorted(libraries):
        packages.append(package(library, installed_version(library) or "NOASSERTION", "NOASSERTION", supplier="Organization: Debian"))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"parley-{version}",
            "documentNamespace": f"urn:parley:{version}:{commit}",
            "creationInfo": {"created": created, "creators": ["Tool: Scripts/release"]},
            "packages": packages, "relationships": relations}


def write(path, content):
    pathlib.Path(path).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
