# SPDX-License-Identifier: Apache-2.0
"""Tool inputs on their way between a provider's wire and the journal."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from tenuto import gojson


def raw_input(text: str) -> msgspec.Raw:
    """A streamed tool input as the journal keeps it.

    A reply cut at the output limit may leave half a JSON text: that is kept as a JSON string, which
    no tool takes for its arguments.
    """
    raw = gojson.replace_surrogates(text).encode()
    try:
        json.loads(raw)
        return msgspec.Raw(gojson.compact(raw))
    except (ValueError, RecursionError):
        return msgspec.Raw(gojson.encode_string(text))


def object_input(value: Any) -> dict[str, Any]:
    """An input as APIs take it: an object; whatever else the model wrote, it sees inside one."""
    if isinstance(value, dict):
        return value
    return {} if value is None else {"input": value}
