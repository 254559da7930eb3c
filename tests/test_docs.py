"""README and docs/: Python runs and prints what is said; commands, settings and linked files exist."""

import ast
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet
import pytest
import spacy
import srsly
import typer
from spacy.cli._util import app, parse_config_overrides
from spacy.language import DEFAULT_CONFIG_PRETRAIN_PATH
from spacy.util import load_config
from thinc.api import Config
from typer.testing import CliRunner
from weasel.util.config import load_project_config

import spacy_nonmono.lab.commands  # attaches all commands  # noqa: F401
from docs.pages import api_page, errors_page
from spacy_nonmono.corpora.rows import ROW_COLUMNS, arrow_columns, document_rows
from spacy_nonmono.errors import Errors, Warnings
from spacy_nonmono.lab.commands.benchmark import parse_run
from spacy_nonmono.recipes.config import make_config
from spacy_nonmono.treebank.corpus import create_conllu_corpus
from spacy_nonmono.treebank.reader import read_sentences
from spacy_nonmono.treebank.sentences import Document

ROOT = Path(__file__).parents[1]
FOLDERS = [ROOT / "docs", ROOT / "docs" / "lab"]
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted(folder.glob("*.md")))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in PAGES}
DISTRIBUTION = distribution("spacy-nonmono")
PROJECT = load_project_config(ROOT)
COMMANDS = typer.main.get_command(app).commands

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(
    r"```python\n(.*?)^```$(?:\n\nprints\n\n```\n(.*?)^```$)?", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


def cases(find):
    """What is found on the pages: (page, found), called by page and number."""
    return [
        pytest.param(page, found, id=f"{page}-{number}")
        for page, text in TEXTS.items()
        for number, found in enumerate(find(text), start=1)
    ]


def command_lines(text):
    """The lines of indented blocks that stand alone; those of lists and of fenced blocks are text."""
    return [line[4:] for line in FENCED.sub("", text).splitlines() if line.startswith("    ")]


def ini_blocks(text):
    return [block for kind, block in FENCED.findall(text) if kind == "ini"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where examples run: a tiny pipeline lies where the pages train some, trees where they parse."""
    path = tmp_path_factory.mktemp("docs")
    config = load_config(
        ROOT / "configs" / "neural.cfg",
        overrides={"components.tok2vec.model.encode.width": 16, "nlp.lang": "xx"},
        interpolate=False,
    )
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    sample = ROOT / "assets" / "sample" / "test.conllu"
    examples = list(create_conllu_corpus(sample, limit=5, multiword="merge")(nlp))
    nlp.initialize(lambda: examples)
    for trained in ("mine", "sample/covington"):
        model = path / "training" / trained / "model-best"
        model.parent.mkdir(parents=True)
        nlp.to_disk(model)
    (path / "trees-conllu").mkdir()
    shutil.copy(sample, path / "trees-conllu" / "part-000000.conllu")
    (path / "trees").mkdir()
    rows = list(document_rows(Document("test", list(read_sentences(sample)))))
    table = pyarrow.table(arrow_columns(rows), names=list(ROW_COLUMNS))
    pyarrow.parquet.write_table(table, path / "trees" / "part-000000.parquet")
    return path


@pytest.mark.usefixtures("own_extensions")
@pytest.mark.parametrize(("page", "example"), cases(PRINTED.findall))
def test_python_runs_and_prints_what_the_page_says(page, example, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    code, printed = example
    exec(compile(code, page, "exec"), {})
    if printed:
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize(("page", "line"), cases(command_lines))
def test_command_exists_with_its_options(page, line):
    # The package of tests/outside is not installed: another system with such oracles stands for it
    words = shlex.split(line.replace("outside.TwoPlanar.v1", "spacy-nonmono.Covington.v1"))
    if words[0].startswith("--"):
        return check_overrides(config_of(page, "configs/neural.cfg"), words)
    if "&&" in words:
        at = words.index("&&")
        test_command_exists_with_its_options(page, shlex.join(words[:at]))
        return test_command_exists_with_its_options(page, shlex.join(words[at + 1 :]))
    while "=" in words[0]:  # variables of the environment
        del words[0]
    match words:
        case ["taskset", "-c", "0", *rest]:
            test_command_exists_with_its_options(page, shlex.join(rest))
        case ["python", "-m", "spacy", "nonmono", name, *rest]:
            check_nonmono(page, name, rest)
        case ["python", "-m", "spacy", "train" | "pretrain" as name, config, *rest]:
            check_training(page, name, config, rest)
        case ["python", "-m", "spacy", "init", "fill-config", config, _, "--pretraining"]:
            assert config_of(page, config)
        case ["python", "-m", "spacy", "init", "labels", config, _, *rest]:
            check_overrides(config_of(page, config), rest)
        case ["python", "-m", "spacy", "project", name, *rest]:
            check_project(name, rest)
        case ["python", "-m", "spacy", name, *rest]:
            options = {option for one in COMMANDS[name].params for option in one.opts}
            assert {word for word in rest if word.startswith("--")} <= options
        case ["spark-submit", *rest]:
            _, name, *rest = rest[rest.index("run.py") :]
            check_nonmono(page, name, rest)
        case ["python", "-m", "pytest", *rest]:
            assert not rest or rest in [["-m", "exhaustive"], ["-m", "fuzz"]]
        case ["python", "-m", module, *rest]:
            source = Path(find_spec(module).origin).read_text("utf-8")
            # Paths are the reader's
            assert all(f"{module} {word}" in source for word in rest if "/" not in word)
        case ["pip", "install", "-e", package]:
            extras = DISTRIBUTION.metadata.get_all("Provides-Extra")
            assert package in [".", *(f".[{extra}]" for extra in extras)]
        case ["pip", "install", "build" | "spacy-nonmono" | "spacy-transformers"]:
            pass
        case ["pip", "wheel", "--no-deps", ".", "--wheel-dir", "wheels"]:
            pass
        case ["pip", "install", "--find-links", "wheels", package]:  # which the page makes
            assert f"--name {Path(package).name.split('-')[0].removeprefix('en_')} " in TEXTS[page]
        case ["rsvg-convert" | "cairosvg", *_]:  # programs that no test needs
            pass
        case ["bash", script]:
            assert (ROOT / script).exists()
        case _:
            pytest.fail(f"a line that nothing checks: {line}")


def check_nonmono(page, name, rest):
    """The options and arguments are read as the command would; overrides of its runs name settings."""
    command = COMMANDS["nonmono"].commands[name]
    context = command.make_context(name, list(rest))
    if name == "benchmark":
        common = shlex.split(context.params["common"])
        for text in context.params["run"]:
            run = parse_run(text)
            # What a config does not have, such as a setting of ours for spaCy's parser, is an error
            load(config_of(page, run.config), {**run.overrides, **parse_config_overrides(common)})


def check_training(page, name, config, options):
    a_config = str(ROOT / "configs" / "neural.cfg")
    context = COMMANDS[name].make_context(name, [a_config, *options])
    check_overrides(config_of(page, config), context.args)


def config_of(page, path):
    """A config of the repository, or one that the page has made; None if that needs another pipeline."""
    if (ROOT / path).exists():
        return Config().from_disk(ROOT / path, interpolate=False)
    nonmono = ["python", "-m", "spacy", "nonmono"]
    makes = [*nonmono, "init-config", str(path)]
    calls = [shlex.split(line) for line in command_lines(TEXTS[page])]
    for words in calls:
        # The config of the student has all settings of the teachers'
        folder = f" --output {Path(path).parent} "
        if words[:5] == [*nonmono, "distill"] and folder in f"{shlex.join(words)} ":
            return config_of(page, Path(words[5]))
        if words[:5] == ["python", "-m", "spacy", "init", "fill-config"] and words[6] == str(path):
            return load_config(DEFAULT_CONFIG_PRETRAIN_PATH).merge(config_of(page, words[5]))
    options = next(words[6:] for words in calls if words[:6] == makes)
    if "--base" in options:
        return None
    made = CliRunner().invoke(app, ["nonmono", "init-config", "-", *options])
    assert made.exit_code == 0
    return Config().from_str(made.stdout, interpolate=False)


def check_overrides(config, words):
    load(config, parse_config_overrides(words))


def load(plain, overrides):
    """The config with its overrides, which name settings that it has or that its functions have."""
    if plain is None:
        return
    config = Config().from_str(plain.to_str(interpolate=False), overrides=overrides)
    for key in overrides:
        section, _, name = key.rpartition(".")
        check_setting(plain, config, section, name)


def check_setting(plain, config, section, name):
    """plain: the config as it is; config: with other settings."""
    for part in section.split("."):
        assert part in plain and part in config, f"no section {section}"
        plain, config = plain[part], config[part]
    functions = [(key[1:], value) for key, value in config.items() if key.startswith("@")]
    for registry, function in functions:
        parameters = inspect.signature(spacy.registry.get(registry, function)).parameters
        assert name.startswith("@") or name in parameters, f"{function} has no {name}"
    assert functions or name in plain, f"no setting {name} in {section}"


def check_project(name, rest):
    if name == "assets":
        assert PROJECT["assets"] and not rest
        return
    assert name == "run"
    command, *options = rest
    assert command in PROJECT["workflows"] or command in [c["name"] for c in PROJECT["commands"]]
    options = [word for word in options if word != "."]
    for option in options[::2]:
        assert option.removeprefix("--vars.") in PROJECT["vars"]


@pytest.mark.parametrize(("page", "block"), cases(ini_blocks))
def test_settings_are_those_of_the_config(page, block):
    parsed = RawConfigParser()
    parsed.read_string(block)
    overrides = {
        f"{section}.{name}": value if value.startswith("${") else srsly.json_loads(value)
        for section in parsed.sections()
        for name, value in parsed.items(section)
    }
    assert overrides
    plain = config_of("README.md", "configs/neural.cfg")
    if "Committee" in block:
        plain = make_config(members=2)
    new = ("initialize.components.", "components.nonmono_parser.model.embed", "pretraining.")
    if any(section.startswith(new) for section in parsed.sections()):
        # What a component is initialized with, a layer that the parser has as an option, and what only
        # `spacy pretrain` reads
        text = plain.to_str(interpolate=False).replace("\nembed = null\n", "\n")
        whole = Config().from_str(f"{text}\n{block}", interpolate=False)
        for section, name in ((one, name) for one in parsed.sections() for name in parsed[one]):
            check_setting(whole, whole, section, name)
        return
    load(plain, overrides)


@pytest.mark.parametrize("page", TEXTS)
def test_names_of_registered_functions_codes_and_commands(page):
    text = TEXTS[page]
    registered = {entry_point.name for entry_point in DISTRIBUTION.entry_points}
    assert set(re.findall(r"spacy-nonmono\.\w+\.v\d+", text)) <= registered
    for code in re.findall(r"\bNM\d{3}\b", text):
        # On the page of errors, the bounds of a group are no codes
        assert page == "docs/errors.md" or hasattr(Errors, code) or hasattr(Warnings, code)
    for command in re.findall(r"python -m spacy nonmono ([a-z][a-z-]*)", text):
        assert command in COMMANDS["nonmono"].commands
    for config in re.findall(r"configs/\w+\.cfg", text):
        assert (ROOT / config).exists()


def anchors(text):
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("page", "target"), cases(LINK.findall))
def test_link_leads_somewhere(page, target):
    if target.startswith("https://"):
        return
    path, _, anchor = target.partition("#")
    linked = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    assert linked.exists()
    if anchor:
        assert anchor in anchors(linked.read_text("utf-8"))


@pytest.mark.parametrize("page", TEXTS)
def test_names_of_source_files(page):
    """As a path, or as a part of one: `layers/vectors.h`."""
    sources = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("spacy_nonmono", "tests", ".github")
        for path in (ROOT / folder).rglob("*.*")
    ]
    for name in re.findall(r"`([\w./-]+\.(?:py|pyx|pxd|pyi|h))`", TEXTS[page]):
        assert (ROOT / name).exists() or any(path.endswith(f"/{name}") for path in sources), name


def test_readme_is_short_and_names_every_page():
    assert TEXTS["README.md"].count("\n") <= 200
    named = set(LINK.findall(TEXTS["README.md"]))
    assert {page for page in TEXTS if page.startswith("docs/")} <= named


def test_page_of_errors_is_that_of_the_code():
    expected = errors_page.page()
    assert TEXTS["docs/errors.md"] == expected, "run: python -m docs.pages.errors_page"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="signatures are written as Python 3.11 does")
def test_page_of_the_api_is_that_of_the_code():
    expected = api_page.page()
    assert TEXTS["docs/api.md"] == expected, "run: python -m docs.pages.api_page"


def test_site_has_every_page():
    config = (ROOT / "docs" / "site" / "mkdocs.yml").read_text("utf-8")
    pages = re.findall(r"(?:- |: )([\w/]+\.md)$", config.partition("\nnav:")[2], re.MULTILINE)
    assert len(pages) == len(set(pages))
    assert {f"docs/{page}" for page in pages} == (set(TEXTS) - {"README.md"}) | {"docs/changelog.md"}


def test_site_is_built_without_a_warning(tmp_path):
    """Links and anchors among the pages lead somewhere."""
    config = ROOT / "docs" / "site" / "mkdocs.yml"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", config]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(
        [*command, "--site-dir", tmp_path / "site"], env=env, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert "Material for MkDocs" in (tmp_path / "site" / "changelog.html").read_text("utf-8")


def test_directives_of_a_package_from_outside_are_ours():
    """But that which is for docstrings."""
    found = [
        ast.literal_eval(re.search(r"^directives = (\{.*?^\})", text, re.M | re.S | re.I)[1])
        for text in (
            (ROOT / "setup.py").read_text("utf-8"),
            TEXTS["docs/extending.md"],
            (ROOT / "tests" / "outside" / "setup.py").read_text("utf-8"),
        )
    ]
    assert found[0].pop("embedsignature")
    assert found[0] == found[1] == found[2]
