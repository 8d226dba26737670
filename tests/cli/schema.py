# SPDX-License-Identifier: BSD-2-Clause
"""Checks JSON values against the keywords of JSON Schema (2020-12) that page.schema.json uses; any other
keyword is an error, so that no rule of the schema goes unchecked."""
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "null": type(None)}
NOTES = {"$schema", "$defs", "title", "description"}


def has_type(value, name):
    return isinstance(value, TYPES[name]) and not isinstance(value, bool)


def faults(value, schema, root, at="$"):
    """Every place where the value breaks a rule."""
    for key, rule in schema.items():
        if key in NOTES:
            continue
        yield from RULES[key](value, rule, root, at, schema)


def reference(value, rule, root, at, schema):
    target = root
    for part in rule.lstrip("#/").split("/"):
        target = target[part]
    yield from faults(value, target, root, at)


def one_of(value, rule, root, at, schema):
    tried = [list(faults(value, s, root, at)) for s in rule]
    if sum(not t for t in tried) != 1:
        yield f"{at}: fits {sum(not t for t in tried)} of {len(rule)}: {tried}"


def properties(value, rule, root, at, schema):
    for key in value if isinstance(value, dict) else ():
        if key in rule:
            yield from faults(value[key], rule[key], root, f"{at}.{key}")
        elif schema.get("additionalProperties") is False:
            yield f"{at}: unknown member {key}"


def items(value, rule, root, at, schema):
    for i, v in enumerate(value if isinstance(value, list) else ()):
        yield from faults(v, rule, root, f"{at}[{i}]")


def rule_of(broken):
    def check(value, rule, root, at, schema):
        if broken(value, rule):
            yield f"{at}: {value!r} breaks {rule!r}"
    return check


def number(v):
    return has_type(v, "number")


RULES = {
    "$ref": reference, "oneOf": one_of, "properties": properties, "items": items,
    "additionalProperties": lambda *a: (),  # with properties
    "type": rule_of(lambda v, r: not any(has_type(v, t) for t in ([r] if isinstance(r, str) else r))),
    "required": rule_of(lambda v, r: isinstance(v, dict) and any(k not in v for k in r)),
    "const": rule_of(lambda v, r: v != r),
    "enum": rule_of(lambda v, r: not any(v == e and type(v) is type(e) for e in r)),
    "not": lambda v, r, root, at, s: () if list(faults(v, r, root, at)) else (f"{at}: is what it must not be",),
    "minimum": rule_of(lambda v, r: number(v) and v < r),
    "maximum": rule_of(lambda v, r: number(v) and v > r),
    "exclusiveMinimum": rule_of(lambda v, r: number(v) and v <= r),
    "minItems": rule_of(lambda v, r: isinstance(v, list) and len(v) < r),
    "maxItems": rule_of(lambda v, r: isinstance(v, list) and len(v) > r),
    "minLength": rule_of(lambda v, r: isinstance(v, str) and len(v) < r),
}
