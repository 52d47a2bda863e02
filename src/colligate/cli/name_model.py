"""`--name-with`: a language model names and describes the groups of a run, where the user agrees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate._chat import LOCAL_SERVER, POLICY, ChatModel
from colligate._storage.atomic import expand_path
from colligate.cli.console import confirm_sending, print_message
from colligate.errors import InputError, NamingWarning, ParameterError
from colligate.result.descriptions import (
    DescriptionCache,
    Prompt,
    ask_for_descriptions,
    describe_sending,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from colligate.cli.console import Watch
    from colligate.result import Result


@dataclass(frozen=True)
class GroupNamer:
    """A language model, and the prompt that asks it for names."""

    model: ChatModel
    prompt: Prompt

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> GroupNamer | None:
        """Make the namer that the options of a command ask for; None if they ask for none."""
        url, name = options["name_with"], options["model"]
        if name is None:
            for option in ("name_with", "prompt", "send_to_remote"):
                if options[option]:
                    raise ParameterError(
                        f"--{option.replace('_', '-')} is for a language model; add --model NAME"
                    )
            return None
        policy = replace(POLICY, timeout=options["timeout"], retries=options["retries"])
        model = ChatModel(url or LOCAL_SERVER, name, key_variable=options["key_variable"], policy=policy)
        path: Path | None = options["prompt"]
        return cls(model, Prompt.read(None if path is None else expand_path(path)))

    def to_order(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the worker of the studio needs to ask this model; the key stays in the environment."""
        kept = {name: options[name] for name in ("key_variable", "timeout", "retries")}
        return {"url": self.model.url, "model": self.model.name, "prompt": self.prompt.text, **kept}

    def agree(self, send_to_remote: bool) -> None:
        """Say what is sent where; go on with a server elsewhere only if the user agrees."""
        print_message("note", f"a language model names the groups: {describe_sending(self.model)}")
        if not (self.model.is_local or send_to_remote):
            confirm_sending("--send-to-remote")

    def name(self, result: Result, cache: Path, watch: Watch, stopped: Callable[[], bool]) -> Result:
        """Return the result with the names and descriptions of the model; warn about groups without."""
        with watch.stage("naming"):
            naming = ask_for_descriptions(
                result, self.model, self.prompt, self._open_cache(cache, watch), watch.listener, stopped
            )
        for problem in naming.problems:
            watch.warned(problem, NamingWarning)
        return replace(result, descriptions=naming.descriptions)

    @staticmethod
    def _open_cache(path: Path, watch: Watch) -> DescriptionCache:
        """Open the cache; a damaged one must not cost the run, which is complete by now."""
        try:
            return DescriptionCache.open(path)
        except (InputError, OSError) as error:
            watch.warned(str(error), NamingWarning)
            return DescriptionCache()
