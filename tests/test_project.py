"""project.yml and the experiments that it runs: what they name exists."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from weasel.util.config import load_project_config

from spacy_nonmono.lab.commands import app
from spacy_nonmono.lab.experiments import Experiment, read_experiment

ROOT = Path(__file__).parents[1]
PROJECT = load_project_config(ROOT)
COMMANDS = {command["name"]: command for command in PROJECT["commands"]}
SCRIPTS = [line for command in PROJECT["commands"] for line in command["script"]]
EXPERIMENTS = sorted((ROOT / "configs" / "experiments").glob("*.yml"))


def experiments(script: str) -> list[Experiment]:
    """Those that a script's benchmark has, with the variables that it gives them."""
    words = shlex.split(script)
    pairs = list(pairwise(words))
    given = dict(value.split("=", 1) for option, value in pairs if option == "--var")
    paths = [ROOT / value for option, value in pairs if option == "--experiment"]
    return [read_experiment(path, given) for path in paths]


# Commands that make nothing
CHECKS = {"pipeline-about"}


def test_commands_have_help_scripts_deps_and_outputs():
    assert len(COMMANDS) == len(PROJECT["commands"])
    for name, command in COMMANDS.items():
        assert command["help"] and command["script"]
        assert bool(command.get("outputs")) is (name not in CHECKS)


@pytest.mark.parametrize("workflow", PROJECT["workflows"])
def test_steps_are_commands_whose_deps_exist_or_are_made(workflow):
    made = set()
    for step in PROJECT["workflows"][workflow]:
        command = COMMANDS[step]
        for dep in command.get("deps", []):
            assert dep in made or (ROOT / dep).exists(), f"{step} needs {dep}"
        made.update(command.get("outputs", []))


@pytest.mark.parametrize("name", COMMANDS)
def test_scripts_name_their_deps_and_outputs(name):
    command = COMMANDS[name]
    script = " ".join(command["script"])
    deps = command.get("deps", [])
    for config in re.findall(r"configs/[\w./-]+", script):
        assert config in deps
    words = shlex.split(script)
    planned = [one for line in command["script"] for one in experiments(line)]
    configs = {str(run.config) for one in planned for run in one.runs}
    assert {config for config in configs if not (ROOT / config).exists()} <= set(deps)
    for dep in deps:
        # An experiment names a config, and a command names the folder of the treebank.
        assert dep in script or dep in configs or str(Path(dep).parent) in words
    for output in command.get("outputs", []):
        assert output in words or str(Path(output).parent) in words


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_run_python(script):
    python, option, module = shlex.split(script)[:3]
    if option == "-c":
        assert python == "python" and compile(module, script, "exec")
        return
    assert Path(python).name == "python" and option == "-m" and module in ("spacy", "venv", "pip")


@pytest.mark.parametrize("script", [script for script in SCRIPTS if " spacy nonmono " in script])
def test_our_commands_take_the_options(script):
    words = shlex.split(script)
    name, *rest = words[words.index("nonmono") + 1 :]
    context = typer.main.get_command(app).commands[name].make_context(name, rest)
    if name == "benchmark":
        (experiment,) = experiments(script)
        kept = Path(context.params["output"])
        made = [f"{kind}.png" for kind in experiment.plots] + ["breakdown.json"] * experiment.breakdown
        (command,) = (one for one in COMMANDS.values() if script in one["script"])
        assert {str(kept / name) for name in (*made, "table.json")} <= set(command.get("outputs", []))


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiments(path):
    """Each can be run by hand, too, and is run by some command."""
    experiment = read_experiment(path, {})
    for run in experiment.runs:
        assert (ROOT / run.config).exists() or str(run.config).startswith("training/sample/")
    assert experiment.published is None or (ROOT / experiment.published).exists()
    assert any(str(path.relative_to(ROOT)) in script for script in SCRIPTS)


def test_outputs_are_ignored_by_git():
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    for command in COMMANDS.values():
        for output in command.get("outputs", []):
            assert f"/{output.partition('/')[0]}/" in ignored


def test_nothing_is_fetched_by_a_workflow():
    fetched = [asset["dest"] for asset in PROJECT["assets"]]
    assert fetched
    for command in COMMANDS.values():
        assert not set(fetched) & {*command.get("deps", []), *command.get("outputs", [])}


def test_all_trainings_take_the_same_steps():
    trainings = [script for script in SCRIPTS if " train " in script]
    for option in ("--training.max_steps", "--training.eval_frequency", "--system.seed"):
        values = [re.search(rf"{option} (\S+)", script) for script in trainings]
        assert len({match and match[1] for match in values}) == 1
