"""``completion``: a script for shells."""

import argparse

from treecore.command_line import COMMANDS, command_parser
from treecore.command_line.files import STANDARD, write

EXAMPLES = ("completion bash >> ~/.bashrc", "completion zsh >> ~/.zshrc")
_SCRIPT = """\
_treecore() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command="" words="" one
  for one in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
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
    """Options."""
    parser.add_argument("shell", choices=("bash", "zsh"))


def run(options: argparse.Namespace) -> None:
    """Write the script."""
    from sample_data import catalogue

    choices, words = [], []
    parser = command_parser()
    # argparse has no public list of what a parser was given
    (commands,) = (one.choices for one in parser._actions if isinstance(one.choices, dict))
    for name, command in commands.items():
        actions = command._actions
        words.append(f'        {name}) words="{" ".join(text for one in actions for text in one.option_strings)}";;')
        for action in actions:
            for text in action.option_strings if action.choices else ():
                choices.append(f'    "{name} {text}") words="{" ".join(map(str, action.choices))}";;')
    script = _SCRIPT.format(
        commands="|".join(COMMANDS), names=" ".join(COMMANDS), choices="\n".join(choices), options="\n".join(words),
        sets=" ".join(entry.name for entry in catalogue() if entry.available),
    )  # fmt: skip
    write(STANDARD, ("autoload -U +X bashcompinit && bashcompinit\n" if options.shell == "zsh" else "") + script)
