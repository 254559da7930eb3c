"""Pipelines whose components somebody's own code makes."""

import subprocess
import sys

CODE = """
from spacy.language import Language
@Language.component("owls_everywhere")
def owls(doc):
    return doc
"""


def test_a_component_that_only_somebodys_code_makes(tmp_path, nonmono, nonmono_path, treebank):
    """The code runs in processes of its own, so that nothing else registers the component here."""
    code = tmp_path / "code_of_owls.py"
    code.write_text(CODE)
    script = f"""
import spacy, sys
sys.path.insert(0, {str(tmp_path)!r})
import code_of_owls
nlp = spacy.load({str(nonmono_path)!r})
nlp.add_pipe("owls_everywhere")
nlp.to_disk({str(tmp_path / "owls")!r})
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    text = tmp_path / "a.txt"
    text.write_text("dogs bark .")
    for command in (["evaluate", tmp_path / "owls", treebank], ["parse", tmp_path / "owls", text]):
        output = tmp_path / f"{command[0]}.json"
        call = [*map(str, command), "--output", str(output)]
        failed = nonmono(*call)
        assert failed.exit_code == 1
        assert "NM200" in failed.stderr and "'owls_everywhere'" in failed.stderr
        assert "NM200" not in failed.stdout and "Traceback" not in failed.stderr
        program = [sys.executable, "-m", "spacy", "nonmono"]
        subprocess.run([*program, *call, "--code", str(code)], check=True, capture_output=True)
        assert output.exists()
