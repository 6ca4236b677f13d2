# SPDX-License-Identifier: Apache-2.0
"""``tenuto mcp``: saved sessions for other agents, read-only, as an MCP server on stdio."""

from __future__ import annotations

import argparse
import asyncio

from tenuto.cli.common import folder_of
from tenuto.cli.reasonix_targets import NAME, source_of
from tenuto.sources.session_tools import SessionTools


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "mcp",
        help="serve saved sessions to other agents (MCP on stdio)",
        description=(
            "Serve the tools list_sessions and read_session on stdin and stdout, over runs and "
            "Reasonix sessions, or over one of them (--source). Both only read, and only below "
            "these folders. It ends with its input."
        ),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from tenuto.cli.mcp_server import serve

    runs = None if args.source == NAME else folder_of(args)
    root = None if args.source == "fisk-ai" else source_of(args).directory
    asyncio.run(serve(SessionTools(runs=runs, reasonix=root)))
    return 0
