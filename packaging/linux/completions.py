# SPDX-License-Identifier: Apache-2.0
"""Completions for bash, zsh and fish, from the parsers of the command line.

Session ids are asked of ``tenuto session ls`` at the moment of completion; it reads previews only.
"""

from __future__ import annotations

from collections.abc import Iterator

from command_tree import EVERYWHERE, Command, Option, commands

_LICENCE = "# SPDX-License-Identifier: Apache-2.0"


def bash() -> str:
    """The file for /usr/share/bash-completion/completions."""
    cases = []
    for command in _all():
        words = [child.words[-1] for child in command.children]
        words += [flag for option in _options(command) for flag in option.flags]
        files = "1" if command.takes_files or not command.words else ""
        sessions = "1" if command.takes_sessions or not command.words else ""
        cases.append(
            f'    "{command.name}") words="{" ".join(words)}"; files={files}; ids={sessions} ;;'
        )
    values = []
    for option in _valued():
        flags = " | ".join(option.flags)
        if option.choices:
            values.append(f'    {flags}) words="{" ".join(option.choices)}" ;;')
        else:
            values.append(f"    {flags}) files=1 ;;")
    groups = "|".join(_quoted(each.name) for each in _all() if each.children and each.words)
    return f"""{_LICENCE}
# bash completion for tenuto, generated from its parsers

_tenuto_ids() {{
  local before=() word previous=
  for word in "${{COMP_WORDS[@]}}"; do
    [[ $previous == --state-dir ]] && before=(--state-dir "$word")
    previous=$word
  done
  tenuto session ls "${{before[@]}}" 2>/dev/null | awk 'NR > 1 {{ print $1 }}'
}}

_tenuto() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command= word skip= words= files= ids= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    if [[ $skip ]]; then
      skip=
    elif [[ $word == --state-dir || $word == --source ]]; then
      skip=1
    elif [[ $word != -* ]]; then
      case $command in
        "" | {groups}) command="${{command:+$command }}$word" ;;
      esac
    fi
  done
  case $previous in
{chr(10).join(values)}
    *)
      case $command in
{chr(10).join(cases)}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ $ids && $current != -* ]] && COMPREPLY+=($(compgen -W "$(_tenuto_ids)" -- "$current"))
  [[ $files && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _tenuto tenuto
complete -f tenuto-gui
"""


def zsh() -> str:
    """The file for /usr/share/zsh/vendor-completions."""
    cases = []
    for command in _all():
        # In a line of _describe the colon ends the word.
        rows = [f"{child.words[-1]}:{child.help}" for child in command.children]
        rows += [f"{flag}:{option.help}" for option in _options(command) for flag in option.flags]
        listed = " ".join(_quoted(row) for row in rows)
        more = []
        if command.takes_sessions or not command.words:
            more.append("_tenuto_ids")
        if command.takes_files or not command.words:
            more.append("_files")
        tail = "".join(f"; [[ $current != -* ]] && {each}" for each in more)
        cases.append(f"    ({_quoted(command.name)}) words=({listed}){tail} ;;")
    values = []
    for option in _valued():
        flags = "|".join(option.flags)
        act = f"compadd -- {' '.join(option.choices)}" if option.choices else "_files"
        values.append(f"    ({flags}) {act}; return ;;")
    groups = "|".join(_quoted(each.name) for each in _all() if each.children and each.words)
    return f"""#compdef tenuto tenuto-gui
{_LICENCE}
# zsh completion for tenuto, generated from its parsers

_tenuto_ids() {{
  local -a found
  found=(${{(f)"$(tenuto session ls 2>/dev/null | awk 'NR > 1 {{ print $1 }}')"}})
  compadd -- $found
}}

_tenuto() {{
  [[ $service == tenuto-gui ]] && {{ _files; return }}
  local current=$words[CURRENT] previous=$words[CURRENT-1] command= word skip=
  local -a typed
  typed=($words[2,CURRENT-1])
  for word in $typed; do
    if [[ -n $skip ]]; then
      skip=
    elif [[ $word == --state-dir || $word == --source ]]; then
      skip=1
    elif [[ $word != -* ]]; then
      case $command in
        (''|{groups}) command="${{command:+$command }}$word" ;;
      esac
    fi
  done
  case $previous in
{chr(10).join(values)}
  esac
  local -a words
  case $command in
{chr(10).join(cases)}
  esac
  _describe tenuto words
}}

_tenuto "$@"
"""


def fish() -> str:
    """The file for /usr/share/fish/vendor_completions.d."""
    lines = [
        _LICENCE,
        "# fish completion for tenuto, generated from its parsers",
        "function __tenuto_at",
        "    set -l typed",
        "    set -l skip",
        "    for word in (commandline -opc)[2..-1]",
        "        if set -q skip[1]",
        "            set skip",
        "        else if contains -- $word --state-dir --source",
        "            set skip 1",
        "        else if not string match -q -- '-*' $word",
        "            set -a typed $word",
        "        end",
        "    end",
        # A group is at hand while nothing follows it, a command whatever follows.
        '    set -l wanted (string split -n " " -- "$argv[2]")',
        "    set -l most (count $wanted)",
        '    test "$argv[1]" = group; and test (count $typed) -ne $most; and return 1',
        "    test (count $typed) -ge $most; or return 1",
        '    test $most -eq 0; or test "$typed[1..$most]" = "$argv[2]"',
        "end",
        "complete -c tenuto-gui -F",
    ]
    for command in _all():
        kind = "group" if command.children else "command"
        when = f"-n '__tenuto_at {kind} \"{command.name}\"'"
        lines += [
            f"complete -c tenuto {when} -f -a {child.words[-1]} -d {_quoted(child.help)}"
            for child in command.children
        ]
        if command.takes_sessions or not command.words:
            ids = "(tenuto session ls 2>/dev/null | awk \\'NR > 1 { print $1 }\\')"
            lines.append(f"complete -c tenuto {when} -a '{ids}'")
        lines += [
            f"complete -c tenuto {when} {_fish_option(option)}" for option in _options(command)
        ]
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    words = [
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    ]
    if option.choices and option.takes_value:
        words.append(f"-x -a {_quoted(' '.join(option.choices))}")
    elif option.takes_value:
        words.append("-r")
    return " ".join([*words, f"-d {_quoted(option.help)}"])


def _all() -> Iterator[Command]:
    """Every command, groups and the program itself (no words) included."""
    top = Command((), "", options=_TOP, children=commands())
    waiting = [top]
    while waiting:
        command = waiting.pop(0)
        yield command
        waiting += command.children


_TOP = (
    Option(("--help",), "", "what there is"),
    Option(("--version",), "", "the version, and nothing else"),
)


def _options(command: Command) -> list[Option]:
    own = {flag for option in command.options for flag in option.flags}
    return [*command.options, *(each for each in EVERYWHERE if not own & set(each.flags))]


def _valued() -> list[Option]:
    """Options that take a value, each flag once; choices only where all commands agree on them."""
    found: dict[str, Option] = {}
    for command in _all():
        for option in _options(command):
            for flag in option.flags if option.takes_value else ():
                before = found.get(flag)
                same = before is None or before.choices == option.choices
                found[flag] = Option((flag,), option.metavar, "", option.choices if same else ())
    return list(found.values())


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
