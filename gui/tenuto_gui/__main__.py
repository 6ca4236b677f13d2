# SPDX-License-Identifier: Apache-2.0
"""``python -m tenuto_gui`` opens the window."""

from tenuto_gui.start import entry

entry()
