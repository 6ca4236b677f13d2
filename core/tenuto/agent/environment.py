# SPDX-License-Identifier: Apache-2.0
"""The environment of tools: an allow-list, never the operator's whole environment.

reliability.md, "Child environment": a name that is not listed does not reach a tool, and a name
that holds a provider's credential does not even when it is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

_NAMES = frozenset(
    {
        "PATH",
        "HOME",
        "LANG",
        "TERM",
        "TZ",
        "USER",
        "LOGNAME",
        "SHELL",
        "TMPDIR",
        # What a program on Windows cannot start without.
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "TEMP",
        "TMP",
        "USERPROFILE",
        "USERNAME",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
    }
)
_PREFIXES = ("LC_", "XDG_")
#: Where the known providers look for a credential. Compared without regard to case: some systems
#: and many programs do not tell ``openai_api_key`` from its usual spelling.
_CREDENTIALS = frozenset(
    {
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_CUSTOM_HEADERS",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AZURE_OPENAI_API_KEY",
        "CEREBRAS_API_KEY",
        "COHERE_API_KEY",
        "DEEPSEEK_API_KEY",
        "FIREWORKS_API_KEY",
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GROQ_API_KEY",
        "HF_TOKEN",
        "HUGGING_FACE_HUB_TOKEN",
        "MISTRAL_API_KEY",
        "MOONSHOT_API_KEY",
        "OLLAMA_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "TOGETHER_API_KEY",
        "XAI_API_KEY",
        "ZHIPU_API_KEY",
    }
)


def is_credential(name: str, more: Iterable[str] = ()) -> bool:
    """Whether ``name`` is where a known provider, or one named in ``more``, keeps its key."""
    upper = name.upper()
    return upper in _CREDENTIALS or upper in {other.upper() for other in more}


def tool_environment(
    extras: Mapping[str, str | None] | None = None,
    *,
    credentials: Iterable[str] = (),
    current: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """What a tool, or an application's introspection, is started with.

    ``extras`` are the configuration's ``env``: a value is set, None passes the present one on.
    ``credentials`` are further names that must not get through.
    """
    source = os.environ if current is None else current
    wanted = {
        name: value
        for name, value in source.items()
        if name.upper() in _NAMES or name.upper().startswith(_PREFIXES)
    }
    for name, value in (extras or {}).items():
        if value is not None:
            wanted[name] = value
        elif name in source:
            wanted[name] = source[name]
    credentials = tuple(credentials)
    kept = {name: value for name, value in wanted.items() if not is_credential(name, credentials)}
    # fisk applications then speak to a model rather than to a terminal.
    kept["LLMFORMAT"] = "1"
    return kept
