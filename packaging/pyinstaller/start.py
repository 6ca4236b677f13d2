# SPDX-License-Identifier: Apache-2.0
"""The script that PyInstaller freezes."""

from tenuto.cli.frozen import entry

entry()
