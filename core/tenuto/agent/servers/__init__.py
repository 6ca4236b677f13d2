# SPDX-License-Identifier: Apache-2.0
"""MCP servers: started with a run, asked for their tools, ended with it."""

from tenuto.agent.servers.servers import Servers

__all__ = ["Servers"]
