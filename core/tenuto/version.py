# SPDX-License-Identifier: Apache-2.0
"""The version, as the project file says it (importlib.metadata costs 55 ms, a start's third)."""

VERSION = "0.1.0"
