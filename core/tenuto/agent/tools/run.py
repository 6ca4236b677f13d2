# SPDX-License-Identifier: Apache-2.0
"""From a call of the model's to a result: look up, freeze, ask, run what was asked about.

Whatever a model or a tool does wrong becomes an error result; only the operator (abort, suspend)
stops a call.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from tenuto import gojson
from tenuto.agent.approvals import NOBODY, ApprovalQuestion, Approvals, Denied
from tenuto.agent.cancel import CancelToken
from tenuto.agent.events import Events
from tenuto.agent.tools.base import Tool
from tenuto.agent.tools.command import FrozenCall, execute, freeze, result_json
from tenuto.agent.tools.direct import Context, DirectCall, clip, direct_input
from tenuto.errors import ToolInputError
from tenuto.messages import ToolResult, ToolUse

#: What the model is told besides, where it is the second attempt that was not allowed.
EARLIER = "it may have run before the run was interrupted, and the outcome of that is unknown"


class CommandTools:
    """The tools of a resolved configuration, run in one folder with one environment."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        cwd: str,
        environment: Mapping[str, str],
        approvals: Approvals,
        events: Events,
        cancel: CancelToken,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._cwd = cwd
        self._environment = dict(environment)
        self._approvals = approvals
        self._events = events
        self._cancel = cancel
        #: When the last call began to run, its question over.
        self.started = 0.0
        #: Tools that the operator allowed for the rest of this run.
        self._allowed: set[str] = set()

    def find(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def freeze(self, call: ToolUse) -> FrozenCall | DirectCall:
        """What a call runs. Raises ToolInputError with what to tell the model."""
        tool = self._tools.get(call.name)
        if tool is None:
            raise ToolInputError(f'unknown tool "{call.name}"', tool=call.name)
        raw_input = bytes(call.input)
        arguments = tool.arguments(raw_input)
        if tool.handler is not None:
            text = direct_input(tool.name, raw_input)
            return DirectCall(tool.name, text, self._cwd, tool.handler)
        return freeze(
            tool.program,
            arguments,
            cwd=tool.cwd or self._cwd,
            environment=self._environment,
            timeout=tool.timeout,
        )

    def run(self, call: ToolUse, *, rerun: bool = False, approved: bool = False) -> ToolResult:
        """Answer one call; see :class:`tenuto.agent.loop.ToolRunner`."""
        tool = self._tools.get(call.name)
        display = call.name if tool is None else tool.command(bytes(call.input))
        self.started = time.monotonic()
        try:
            frozen = self.freeze(call)
            if tool is not None and tool.confirm and not approved:
                refused = self._ask(call, tool, frozen, rerun=rerun)
                self.started = time.monotonic()
                if refused is not None:
                    return refused
        except ToolInputError as error:
            self._events.emit(
                "tool_start", id=call.id, name=call.name, display=display, rerun=rerun
            )
            return self._end(call, ToolResult(call.id, error.message, is_error=True))
        self._events.emit("tool_start", id=call.id, name=call.name, display=display, rerun=rerun)
        if isinstance(frozen, DirectCall):
            answer = frozen.answer(Context(call.id, self._approvals, self._cancel))
            return self._end(call, ToolResult(call.id, answer.content, answer.is_error))
        outcome = execute(frozen, self._cancel)
        if outcome.failure is None:
            result = ToolResult(call.id, result_json(frozen.arguments, outcome))
        else:
            text = outcome.output.decode("utf-8", "replace")
            content = f"{display}: {outcome.failure}" + (f"\n{text}" if text else "")
            # The command itself may be what was too long to start.
            result = ToolResult(call.id, clip(content), is_error=True)
        return self._end(call, result)

    def _ask(
        self, call: ToolUse, tool: Tool, frozen: FrozenCall | DirectCall, *, rerun: bool
    ) -> ToolResult | None:
        """None when the call may run, else the result that says why not."""
        if tool.name in self._allowed:
            return None
        digest = frozen.digest()
        question = ApprovalQuestion(
            call_id=call.id,
            tool=tool.name,
            argv=tuple(frozen.argv),
            cwd=frozen.cwd,
            tag=tool.confirm,
            digest=digest,
        )
        decision = self._approvals.approve(question)
        # What runs is the very object that was shown; that it still is what was shown is checked.
        if decision in ("once", "run") and frozen.digest() == digest:
            if decision == "run":
                self._allowed.add(tool.name)
            return None
        denied = decision if isinstance(decision, Denied) else Denied()
        words = NOBODY if decision == "nobody" else denied.words
        if rerun:
            # It is not run again, and may have run all the same.
            words += f"; {EARLIER}"
        reason = gojson.encode_string(words)
        content = b'{"allowed":false,"reason":' + reason + b"}"
        return ToolResult(call.id, content.decode())

    def _end(self, call: ToolUse, result: ToolResult) -> ToolResult:
        milliseconds = round((time.monotonic() - self.started) * 1000)
        self._events.emit("tool_end", id=call.id, is_error=result.is_error, ms=milliseconds)
        return result
