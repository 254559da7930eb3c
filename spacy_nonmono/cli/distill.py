"""`python -m spacy nonmono distill`."""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from ..errors import count
from ..treebank.formats import DEV, TRAIN, find_part
from .arguments import Code, GpuId, TreebankFolder, read_overrides
from .screen import check_exist

Config = Annotated[Path, typer.Argument(help="Config with a nonmono_parser, for all trainings")]
Text = Annotated[
    str, typer.Argument(help="Raw text: a file, a folder or a pattern; each line is a document")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for the parsers and trees")]
Teachers = Annotated[int, typer.Option("--teachers", "-t", min=1, help="Number of teachers")]
Teacher = Annotated[
    list[str] | None,
    typer.Option(
        "--teacher",
        help="A trained pipeline that is a teacher, in the place of those that would be trained; may be "
        "given several times",
    ),
]
TeacherConfig = Annotated[
    Path | None,
    typer.Option("--teacher-config", help="Config of the teachers, if it is not the student's"),
]
Systems = Annotated[
    str,
    typer.Option(
        "--systems",
        "-s",
        help="Transition systems, separated by commas; the teachers take them in turn",
    ),
]
Agreement = Annotated[
    float, typer.Option("--agreement", "-a", help="Share of the teachers that must agree on an arc")
]
Ratio = Annotated[
    float, typer.Option("--ratio", "-r", min=0, help="Docs of raw text per Doc of the treebank")
]
NProcess = Annotated[
    int, typer.Option("--n-process", "-n", min=1, help="Number of processes that parse")
]


def distill_cli(
    context: typer.Context,
    config: Config,
    treebank: TreebankFolder,
    text: Text,
    output: Output,
    teachers: Teachers = 4,
    teacher: Teacher = None,
    teacher_config: TeacherConfig = None,
    systems: Systems = "",
    agreement: Agreement = 0.75,
    ratio: Ratio = 2.0,
    n_process: NProcess = 1,
    code: Code = None,
    use_gpu: GpuId = -1,
) -> None:
    """Train a parser on a treebank and on raw text.

    First, several parsers with different seeds, the teachers, are trained on the treebank and parse the
    raw text. Then one more parser, the student, is trained on the treebank and on the arcs of the raw
    text on which the teachers agree. Settings of the config may follow the options, as for `spacy
    train`: --training.max_steps 6000. If the run is stopped, start it again with the same command:
    finished steps are not repeated.
    """
    from ..recipes.distill import distill

    configs = [config, teacher_config] if teacher_config else [config]
    check_exist([*configs, find_part(treebank, TRAIN), find_part(treebank, DEV)])
    path, silver = distill(
        config,
        treebank,
        text,
        output,
        systems=[name for name in systems.split(",") if name],
        n_teachers=teachers,
        pipelines=teacher or (),
        teacher_config=teacher_config,
        agreement=agreement,
        ratio=ratio,
        n_process=n_process,
        code=code,
        use_gpu=use_gpu,
        overrides=read_overrides(context),
        report=msg.divider,
    )
    share = silver.n_known / max(silver.n_words, 1)
    msg.text(f"{silver.n_words:,} words of raw text, {share:.1%} of them with a head")
    msg.text(f"Left out: {count(silver.n_left_out, 'sentence')} of the treebank")
    msg.good("Saved the parser", str(path))
