# SPDX-License-Identifier: Apache-2.0
"""What an MCP server answered, as the text that the journal keeps and the model reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tenuto.agent.tools.direct import Answer

if TYPE_CHECKING:
    import mcp_types

#: Characters of a foreign error's text.
_MOST_REASON = 2000


def answer(result: mcp_types.CallToolResult) -> Answer:
    """Text as it is; of what is no text, its kind and size."""
    parts = [_part(block) for block in result.content]
    if not parts and result.structured_content is not None:
        parts.append(json.dumps(result.structured_content, ensure_ascii=False))
    return Answer("\n".join(parts), bool(result.is_error))


def _part(block: Any) -> str:
    match block.type:
        case "text":
            text: str = block.text
            return text
        case "resource":
            resource = block.resource
            text = getattr(resource, "text", None) or ""
            return text or f"[{resource.mime_type or 'data'} of {resource.uri} left out]"
        case "resource_link":
            return f"[{block.name}: {block.uri}]"
        case kind:
            size = len(block.data) * 3 // 4
            return f"[{kind} left out: {block.mime_type}, about {size} bytes]"


def first(error: BaseException) -> BaseException:
    """The first cause in a group of errors."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def reason(error: BaseException) -> str:
    """The first cause in a group of errors, in words."""
    error = first(error)
    text = str(error).strip() or type(error).__name__
    return text[:_MOST_REASON]
