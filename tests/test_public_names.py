import subprocess
import sys

import pytest

import colligate as cg

PROMISED = {
    "Analyser",
    "Corpus",
    "Knowledge",
    "NamedVectorizer",
    "Network",
    "ObjectType",
    "Relation",
    "Result",
    "Taxonomy",
    "__version__",
    "errors",
    "make",
    "methods",
    "subtype_knowledge",
    "suggest_clusters",
}


def test_the_public_names_are_there_and_no_others():
    assert set(cg.__all__) == PROMISED
    assert all(hasattr(cg, name) for name in PROMISED)
    assert set(dir(cg)) == PROMISED


def test_methods_are_listed_with_what_they_take():
    found = {method.name: method for method in cg.methods()}
    assert {"colligate", "itcc", "citcc", "kmeans"} <= set(found)
    assert "links:documents" in found["citcc"].takes
    assert found["itcc"].takes == ()
    assert all(method.family and method.paper and method.summary for method in found.values())


def test_the_package_of_the_methods_can_still_be_imported_from():
    import colligate.methods.itcc as module

    assert module.ITCC.name == "itcc"
    assert cg.methods()


def test_an_unknown_method_is_refused_with_the_nearest_name():
    with pytest.raises(cg.errors.UnknownMethodError, match="no method 'citc'; did you mean 'citcc'"):
        cg.make("citc")


@pytest.mark.parametrize("name", [None, 3, ["itcc"]])
def test_what_is_no_name_of_a_method_is_refused(name):
    with pytest.raises(cg.errors.UnknownMethodError, match="as in make"):
        cg.make(name)


def test_an_unknown_parameter_is_refused_with_the_nearest_one():
    message = r"colligate has no parameter n_cluster; did you mean n_clusters\? Its parameters are .*tol"
    with pytest.raises(cg.errors.ParameterError, match=message):
        cg.make("colligate", n_cluster=3)


@pytest.mark.parametrize("name", ["", "base", "mixture", "methods.kmeans", "../kmeans", "KMeans", "kmeans "])
def test_names_of_modules_that_are_no_methods_are_refused(name):
    with pytest.raises(cg.errors.UnknownMethodError, match=r"there is no method .* Methods: chinc"):
        cg.make(name)


def test_using_one_method_imports_no_other():
    code = (
        "import sys, colligate; colligate.make('kmeans'); colligate.make('m2dcu-0'); "
        "print([m for m in ('itcc', 'colligate', 'nmf', 'plsa') if f'colligate.methods.{m}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_colligate_stays_light():
    heavy = ("sklearn", "numba", "pyarrow", "pandas")
    code = f"import sys, colligate; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
