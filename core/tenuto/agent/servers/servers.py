# SPDX-License-Identifier: Apache-2.0
"""All MCP servers of a configuration: one thread with an event loop, called from outside.

The package is asynchronous, the agent is not. Every server lives in a task of its own, from its
start to its end; nothing of the package is imported where no server is configured.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.environment import tool_environment
from tenuto.agent.own import McpServer
from tenuto.agent.servers import results
from tenuto.agent.servers.stdio import Process, Program, transport
from tenuto.agent.tools.base import Tool, confirm_tag, direct_tool
from tenuto.agent.tools.direct import Answer, Context, Handler
from tenuto.agent.tools.fisk import DENY_TAG
from tenuto.agent.tools.introspection import find_program
from tenuto.agent.tree import unusable_config
from tenuto.errors import ConfigError
from tenuto.sentences import Sentence, others_words, sentence

if TYPE_CHECKING:
    import mcp
    import mcp_types

    from tenuto.agent.schema import AgentConfig

_T = TypeVar("_T")
#: Pages of a server's list of tools, and tools of one server.
_MOST_PAGES = 100
_MOST_TOOLS = 1000
#: As every provider takes them.
_LONGEST_NAME = 64
#: Seconds that all servers together have to end: more than one on stdio is ever given.
_END = 15.0
#: Seconds beyond a call's own limit: the package tells of that one in better words.
_SLACK = 5.0


@dataclass
class _Running:
    """A server that said what it has."""

    client: mcp.Client
    listed: list[mcp_types.Tool]


class Servers:
    """A context: inside, the servers of ``config`` run. Made and used by one thread.

    :raises ConfigError: on entering, if one does not start; none is left running then.
    """

    def __init__(self, config: AgentConfig, cancel: CancelToken) -> None:
        self._config = config
        self._cancel = cancel
        self._keys = config.tenuto.mcp_servers
        self._running: dict[str, _Running] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        #: Ends a server that runs, and one that is still starting.
        self._enders: list[Callable[[], None]] = []
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        programs = {name: self._program(name, key) for name, key in self._keys.items()}
        started: concurrent.futures.Future[dict[str, _Running | BaseException]]
        started = concurrent.futures.Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(programs, started)),
            name="mcp-servers",
            daemon=True,
        )
        self._thread.start()
        try:
            found = self._wait(started)
            self._running = {n: one for n, one in found.items() if isinstance(one, _Running)}
            failed = {n: one for n, one in found.items() if isinstance(one, BaseException)}
            if failed:
                raise _error(failed)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all of them. Once is enough, twice does no harm."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it ended by itself
                self._loop.call_soon_threadsafe(self._end)
        # A server on HTTP that does not answer its farewell must not hold the end of a run.
        thread.join(_END)

    def tools(self) -> list[Tool]:
        """Servers in the order of the file, the tools of each by name. Raises ConfigError."""
        found = []
        for server, running in self._running.items():
            for listed in sorted(running.listed, key=lambda tool: tool.name):
                tool = self._tool(server, listed)
                if tool is not None:
                    found.append(tool)
        return found

    def _tool(self, server: str, listed: mcp_types.Tool) -> Tool | None:
        keys = self._keys[server]
        tags = (*keys.tags, *keys.tool_tags.get(listed.name, ()))
        if DENY_TAG in tags:
            return None
        name = f"{server}_" + "".join(c if _allowed(c) else "_" for c in listed.name)
        if len(name) > _LONGEST_NAME:
            text = sentence(
                "the name of the tool {name!r} is longer than {most} characters: shorten the"
                " server's name, or hide the tool (tool_tags, {tag})",
                name=name,
                most=_LONGEST_NAME,
                tag=DENY_TAG,
            )
            raise _problem(server, text)
        own = self._config.tenuto
        return direct_tool(
            name,
            listed.description or "",
            listed.input_schema,
            self._handler(server, listed.name),
            source="mcp",
            tags=tags,
            confirm=confirm_tag(tags, self._config.harness.confirm_tags),
            read_only=(
                keys.read_only
                or name in own.read_only
                or any(tag in own.read_only_tags for tag in tags)
            ),
        )

    def _handler(self, server: str, tool: str) -> Handler:
        def handle(given: dict[str, Any], context: Context) -> Answer:
            return self._call(server, tool, given, context.cancel)

        return handle

    def _call(self, server: str, tool: str, given: dict[str, Any], cancel: CancelToken) -> Answer:
        running = self._running.get(server)
        if running is None or self._loop is None or self._thread is None:
            return Answer(f"the MCP server {server} is not running", is_error=True)
        limit = self._keys[server].timeout
        call = running.client.call_tool(tool, given, read_timeout_seconds=limit)
        future = asyncio.run_coroutine_threadsafe(_result(call), self._loop)
        try:
            return results.answer(self._wait(future, cancel, limit + _SLACK))
        except AbortError:
            future.cancel()
            raise
        except TimeoutError:
            future.cancel()
            reason = f"no answer within {limit:g} seconds"
        except Exception as error:  # noqa: BLE001 - whatever a server does is a result
            reason = results.reason(error)
        return Answer(f"the MCP server {server}: {reason}", is_error=True)

    def _wait(
        self,
        future: concurrent.futures.Future[_T],
        cancel: CancelToken | None = None,
        seconds: float | None = None,
    ) -> _T:
        """The result of ``future``. Raises AbortError, TimeoutError and what it ended with."""
        cancel = cancel or self._cancel
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        # A suspend waits for the step to end, as it does with a command.
        unwatch = cancel.watch(lambda: done.set() if cancel.aborted else None)
        try:
            cancel.check()
            done.wait(seconds)
        finally:
            unwatch()
        cancel.check()
        if not future.done():
            raise TimeoutError
        return future.result()

    # --- on the servers' thread ---------------------------------------------------------------

    async def _serve(
        self,
        programs: dict[str, Program | None],
        started: concurrent.futures.Future[dict[str, _Running | BaseException]],
    ) -> None:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        ready: dict[str, asyncio.Future[_Running]] = {}
        tasks = []
        for name, program in programs.items():
            ready[name] = loop.create_future()
            tasks.append(asyncio.create_task(self._live(name, program, ready[name], stop)))
        self._enders = [
            stop.set,
            *(_cancel_unready(t, r) for t, r in zip(tasks, ready.values(), strict=True)),
        ]
        self._loop = loop
        found = await asyncio.gather(*ready.values(), return_exceptions=True)
        started.set_result(dict(zip(ready, found, strict=True)))
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self) -> None:
        for end in self._enders:
            end()

    async def _live(
        self,
        name: str,
        program: Program | None,
        ready: asyncio.Future[_Running],
        stop: asyncio.Event,
    ) -> None:
        """One server's life. What goes wrong before it is ready is told by ``ready``."""
        keys = self._keys[name]
        process: Process | None = None
        try:
            async with contextlib.AsyncExitStack() as stack:
                if program is not None:
                    process = Process(program, self._cancel)
                    stack.callback(process.kill)
                    streams: Any = transport(process)
                else:
                    streams = await _http(stack, keys)
                async with asyncio.timeout(keys.start_timeout):
                    running = await _connect(stack, streams)
                ready.set_result(running)
                await stop.wait()
        except BaseException as error:  # noqa: BLE001 - told where the start is waited for
            if not ready.done():
                words = process.last_words if process is not None else ""
                ready.set_exception(_StartError(_start_reason(error, keys), words))

    def _program(self, name: str, keys: McpServer) -> Program | None:
        """What is started for a server on stdio. Raises ConfigError."""
        if not keys.command:
            return None
        config = self._config
        environment = tool_environment(
            {**config.tenuto.env, **keys.env}, credentials=config.credentials
        )
        folder = (
            config.relative(keys.working_directory)
            if keys.working_directory
            else config.working_directory or config.directory
        )
        if not os.path.isdir(folder):
            raise _problem(
                name, sentence("the working directory {folder} is not there", folder=folder)
            )
        path = find_program(keys.command[0], str(config.directory), environment.get("PATH"))
        return Program((path, *keys.command[1:], *keys.args), str(folder), environment)


def _cancel_unready(
    task: asyncio.Task[None], ready: asyncio.Future[_Running]
) -> Callable[[], None]:
    def cancel() -> None:
        if not ready.done():
            task.cancel()

    return cancel


class _StartError(Exception):
    """Why a server did not start, and what it said."""

    def __init__(self, reason: Sentence, words: str) -> None:
        self.said = reason
        if words:
            words_of_it = others_words(words)
            self.said = sentence("{reason}; it said: {words}", reason=reason, words=words_of_it)
        super().__init__(str(self.said))


async def _result(call: Coroutine[Any, Any, _T]) -> _T:
    return await call


async def _connect(stack: contextlib.AsyncExitStack, streams: Any) -> _Running:
    import mcp
    import mcp_types

    from tenuto.version import VERSION

    client = await stack.enter_async_context(
        mcp.Client(
            streams,
            client_info=mcp_types.Implementation(name="tenuto", version=VERSION),
            cache=None,
        )
    )
    listed: list[mcp_types.Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        listed += page.tools
        cursor = page.next_cursor
        if not cursor or len(listed) > _MOST_TOOLS:
            break
    if cursor or len(listed) > _MOST_TOOLS:
        raise _StartError(sentence("it has more than {most} tools", most=_MOST_TOOLS), "")
    return _Running(client, listed)


async def _http(stack: contextlib.AsyncExitStack, keys: McpServer) -> Any:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    headers = dict(keys.headers)
    for header, variable in keys.headers_env.items():
        value = os.environ.get(variable)
        if not value:
            text = sentence("the environment variable {variable} is not set", variable=variable)
            raise _StartError(text, "")
        headers[header] = value
    client = await stack.enter_async_context(
        httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(keys.start_timeout, read=keys.timeout + _SLACK),
        )
    )
    assert keys.url is not None
    return streamable_http_client(keys.url, http_client=client)


def _start_reason(error: BaseException, keys: McpServer) -> Sentence:
    if isinstance(error, TimeoutError):
        return sentence(
            "it was not ready within {seconds} seconds", seconds=f"{keys.start_timeout:g}"
        )
    error = results.first(error)
    return error.said if isinstance(error, _StartError) else others_words(results.reason(error))


def _allowed(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "_-")


def _problem(server: str, what: Sentence) -> ConfigError:
    text = sentence("the MCP server {server}: {what}", server=server, what=what)
    return unusable_config(text, f"mcp_servers.{server}")


def _error(failed: dict[str, BaseException]) -> ConfigError:
    found = []
    for name, error in failed.items():
        said = error.said if isinstance(error, _StartError) else others_words(str(error))
        found.append(_problem(name, sentence("cannot be used: {reason}", reason=said)))
    first = found[0]
    for other in found[1:]:
        first.add(other.sentence)
        first.fields["problems"] += other.fields["problems"]
    return first
