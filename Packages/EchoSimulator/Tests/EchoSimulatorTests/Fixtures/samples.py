# SPDX-License-Identifier: MIT
"""Checks, by the package jsonschema, that each value of the lines {"schema": …, "value": …} satisfies its schema."""

import json
import sys

import jsonschema


def main():
    count = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            entry = json.loads(line)
            jsonschema.Draft202012Validator.check_schema(entry["schema"])
            validator = jsonschema.Draft202012Validator(entry["schema"])
            for error in validator.iter_errors(entry["value"]):
                sys.exit(f"line {number}: {entry['value']!r}: {error.message}")
            count += 1
    print(count)


if __name__ == "__main__":
    main()
