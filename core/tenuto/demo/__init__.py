# SPDX-License-Identifier: Apache-2.0
"""Sample runs of every state, which resume with no network and no key (design.md, "Demo data")."""
