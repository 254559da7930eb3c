"""The compiled modules: pyproject.toml cannot find extensions, set Cython directives or choose a
compiler's flags."""

import multiprocessing
import os
import runpy
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from Cython.Build import cythonize
from Cython.Build.Dependencies import create_dependency_tree
from Cython.Utils import file_generated_by_this_cython
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, PlatformError

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}

MSVC = ["/std:c++17", "/O2"]
# Python's own flags ask for debug symbols, which would be three quarters of the modules. Nothing reads
# errno after a square root, and a loop that need not set it becomes one of vectors.
OTHERS = ["-std=c++17", "-O3", "-g0", "-fno-math-errno"]

# The code behind memoryviews, once, instead of in every module that has one: half of the compiler's work
SHARED = "spacy_nonmono.memoryviews"

HEADERS = [str(path) for path in sorted(Path("spacy_nonmono").rglob("*.h"))]


class BuildExtensions(build_ext):
    def build_extensions(self):
        flags = MSVC if self.compiler.compiler_type == "msvc" else OTHERS
        self.check_compiler(flags)
        every = self.extensions
        if self.editable_mode:
            self.extensions = [extension for extension in every if not self.reuse(extension)]
        # Other ways to start a process would run this file again
        forks = multiprocessing.get_start_method() == "fork"
        n_processes = os.cpu_count() if forks else 0
        made = cythonize(
            self.extensions,
            nthreads=n_processes,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
        )
        for extension, cythonized in zip(self.extensions, made, strict=True):
            extension.sources = cythonized.sources
            # In front, so that an extension's own flags decide
            extension.extra_compile_args[:0] = flags
        if self.parallel is None:
            self.parallel = True  # one job per core
        super().build_extensions()
        self.extensions = every

    def reuse(self, extension):
        """Take a module that stands beside its source and is newer than all that it is made of. An
        editable install builds in an empty folder, and would compile everything each time."""
        source = extension.sources[0]
        # Modules of two versions of Cython need not agree on what they share
        if not file_generated_by_this_cython(str(Path(source).with_suffix(".cpp"))):
            return False
        sources = {"setup.py", *extension.depends}
        if extension.name != SHARED:
            sources |= create_dependency_tree().all_dependencies(source)
        ours = [path for path in map(Path, sources) if not path.is_absolute()]
        built = Path(self.get_ext_fullpath(extension.name))
        module = Path(source).with_name(built.name)
        if not module.is_file() or module.stat().st_mtime < max(path.stat().st_mtime for path in ours):
            return False
        built.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(module, built)
        return True

    def check_compiler(self, flags):
        """Compile next to nothing, so that what is missing is said at once and once."""
        with TemporaryDirectory() as folder:
            source = Path(folder, "trial.cpp")
            source.write_text("#include <Python.h>\n#include <vector>\n", encoding="utf-8")
            try:
                self.compiler.compile([str(source)], output_dir=folder, extra_postargs=flags)
            except (CompileError, PlatformError) as error:
                errors = runpy.run_path("spacy_nonmono/errors.py")["Errors"]
                raise PlatformError(errors.NM171.format(reason=error)) from None


extensions = [
    Extension(
        ".".join(path.with_suffix("").parts),
        [str(path)],
        depends=HEADERS if '.h"' in path.read_text("utf-8") else [],
        language="c++",
    )
    for path in sorted(Path("spacy_nonmono").rglob("*.pyx"))
]
# Cython 3.3 refuses a language here; it writes C that is C++, too
extensions.append(Extension(SHARED, [SHARED.replace(".", "/") + ".cpp"]))

setup(
    ext_modules=extensions,
    cmdclass={"build_ext": BuildExtensions},
)
