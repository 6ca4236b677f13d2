# SPDX-License-Identifier: Apache-2.0
"""The guard's fingerprint of a configuration (run-journal.md, "The resume guard")."""

from __future__ import annotations

import msgspec


class Fingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a run was started with. ``provider`` is "" in versions 1 and 2 (then it was anthropic)."""

    provider: str = ""
    model: str = ""
    system_hash: str = ""
    tools_hash: str = ""
    thinking_mode: str = ""
    max_tokens: int = 0
    max_iterations: int = 0
