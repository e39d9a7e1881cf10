"""``completion``: write a completion script for a shell."""

import argparse
from collections.abc import Sequence

from viz.command_line import COMMANDS, command_parser
from viz.command_line.files import STANDARD, write

EXAMPLES = (
    "completion bash >> ~/.bashrc",
    "completion zsh >> ~/.zshrc",
    "completion fish > ~/.config/fish/completions/treecore.fish",
)
_BASH = """\
_treecore() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command="" words="" one
  for one in "${{COMP_WORDS[@]:1:$((COMP_CWORD-1))}}"; do
    case $one in {commands}) command=$one; break;; esac
  done
  case "$command $before" in
{choices}
    *)
      case $command in
{options}
        *) words="{names} --help --version";;
      esac
      if [[ $word != -* && -n $command ]]; then
        COMPREPLY=($(compgen -f -W "{sets}" -- "$word"))
        return
      fi;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o filenames -F _treecore treecore
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(options: argparse.Namespace) -> None:
    """Write the script."""
    from sample_data import catalogue

    # argparse has no public list of a parser's options.
    (commands,) = (one.choices for one in command_parser()._actions if isinstance(one.choices, dict))
    actions = {name: command._actions for name, command in commands.items()}
    sets = " ".join(entry.name for entry in catalogue() if entry.available)
    write(STANDARD, _fish(actions, sets) if options.shell == "fish" else _bash(actions, sets, options.shell))


def _bash(actions: dict[str, Sequence[argparse.Action]], sets: str, shell: str) -> str:
    choices, words = [], []
    for name, known in actions.items():
        words.append(f'        {name}) words="{" ".join(text for one in known for text in one.option_strings)}";;')
        for action in known:
            for text in action.option_strings if action.choices else ():
                choices.append(f'    "{name} {text}") words="{_words(action)}";;')
    script = _BASH.format(
        commands="|".join(COMMANDS), names=" ".join(COMMANDS), choices="\n".join(choices), options="\n".join(words),
        sets=sets,
    )  # fmt: skip
    return ("autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else "") + script


def _fish(actions: dict[str, Sequence[argparse.Action]], sets: str) -> str:
    lines = ["complete -c treecore -f", "complete -c treecore -n __fish_use_subcommand -l help -l version"]
    for name, known in actions.items():
        lines.append(f"complete -c treecore -n __fish_use_subcommand -a {name} -d {_quote(COMMANDS[name])}")
        of_command = f"complete -c treecore -n '__fish_seen_subcommand_from {name}'"
        for action in known:
            options = "".join(f" -l {text[2:]}" for text in action.option_strings if text.startswith("--"))
            if action.choices:
                lines.append(f"{of_command}{options} -x -a {_quote(_words(action))}")
            elif not options:
                lines.append(f"{of_command} -F -a {_quote(sets)}")
            if options:
                takes = "" if action.nargs == 0 or action.choices else " -r -F"
                lines.append(f"{of_command}{options}{takes} -d {_quote(action.help or '')}")
    return "\n".join([*lines, ""])


def _words(action: argparse.Action) -> str:
    return " ".join(map(str, action.choices or ()))


def _quote(text: str) -> str:
    """Quote a text for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
