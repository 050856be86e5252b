# SPDX-License-Identifier: MIT
"""The root's debug build, as the compiler and its tools import its modules. Used by readme-programs and docs."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# That of Scripts/test's build, whose products are used.
ENVIRONMENT = os.environ | {"PARLEY_OPTIMISE_KERNELS": "1"}
OPTIONS = os.environ.get("PARLEY_BUILD_OPTIONS", "").split()


def build():
    subprocess.run(["swift", "build", "--package-path", ROOT, "--quiet", *OPTIONS], env=ENVIRONMENT, check=True)


def products():
    """The folder of the build's products, with Modules in it."""
    done = subprocess.run(
        ["swift", "build", "--package-path", ROOT, "--show-bin-path"], env=ENVIRONMENT, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, check=True)
    return pathlib.Path(done.stdout.splitlines()[-1])


def import_flags(folder):
    """What the compiler needs to import a module of the build and the C modules below it."""
    flags = ["-I", str(folder / "Modules")]
    for module_map in [*ROOT.glob("Packages/*/Sources/C*/module.modulemap"), *folder.glob("C*.build/module.modulemap")]:
        flags += ["-Xcc", f"-fmodule-map-file={module_map}"]
    for headers in ROOT.glob("Packages/*/Sources/C*/include"):
        flags += ["-Xcc", f"-I{headers}"]
    # The libraries whose headers are not on the default path.
    for name in ("gio-unix-2.0", "libsecret-1", "pocketsphinx"):
        done = subprocess.run(["pkg-config", "--cflags-only-I", name], stdout=subprocess.PIPE, text=True, check=False)
        flags += [word for header in done.stdout.split() for word in ("-Xcc", header)]
    return flags


def sections():
    """Each section of docs/dependencies.txt: names with what they depend on."""
    found = {}
    for line in (ROOT / "docs" / "dependencies.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = found[line.strip("[]")] = {}
        elif line and not line.startswith("#"):
            name, _, rest = line.partition(":")
            section[name] = rest.split()
    return found
