# SPDX-License-Identifier: Apache-2.0
"""``python -m tenuto`` is the command line."""

from tenuto.cli.main import entry

entry()
