"""Store a result as a folder of open, safe formats, and read it back exactly.

The folder has manifest.json (method, parameters, history, the hash of every file), arrays.npz (labels,
memberships, associations, model), corpus/ and knowledge.parquet where there are any, and network/ unless it
follows from the corpus. Nothing is ever unpickled. Knowledge is stored as statements and compiled again on
loading: the Parquet file has the rows of all blocks, the manifest the fields of each block, and outside/N the
documents that came with block N.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate._storage.array_schema import INTEGERS as INTEGER_TYPES
from colligate._storage.array_schema import ArraySchema, ArraySpec, check_arrays, check_complete
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_folder
from colligate._storage.manifest import (
    BOOLEAN,
    INTEGER,
    INTEGER_MAP,
    INTEGERS,
    NUMBER,
    NUMBERS,
    OBJECT,
    SEED,
    STRING,
    STRING_MAP,
    STRINGS,
    Manifest,
    Schema,
    check_schema,
    nullable,
    wrap_read_errors,
)
from colligate._storage.tables import read_table
from colligate.corpus import Corpus
from colligate.errors import KnowledgeWarning, StoreError, UnknownMethodError
from colligate.knowledge import Block, Compiled, Grouping, Knowledge
from colligate.network import Network, ObjectType, Relation
from colligate.network.neighbourhood import list_parts
from colligate.result.descriptions import pack_descriptions, unpack_descriptions
from colligate.result.misfits import LEFT_OUT, LEFT_OUT_LABELS, LEFT_OUT_ROWS, LEFT_OUT_SHARES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.corpus import Analyser
    from colligate.result.descriptions import Description
    from colligate.result.result import Result


ARRAYS, CORPUS = "arrays.npz", "corpus"
COSTS = "statement_costs"
ARRAY_FIELDS = ("labels", "memberships", "association", "model", "before")
PLAIN_FIELDS = (
    "method",
    "parameters",
    "seed",
    "history",
    "n_iter",
    "converged",
    "restarts",
    "chosen",
    "named_groups",
    "group_numbers",
    "given_names",
    "word_names",
    "provisional_names",
    "versions",
)
ADVICE = "restore it from a copy, or make the result again"
# arrays that the package adds to the model of any method
COMMON_MODEL_SCHEMA: ArraySchema = {
    "copy_of": ArraySpec(("documents",), INTEGER_TYPES, least=0, below="documents", optional=True),
    "trust": ArraySpec(("judged",), least=-1.0, below=1.0 + 1e-6, optional=True),
    LEFT_OUT_ROWS: ArraySpec(("left out",), INTEGER_TYPES, least=0, below="documents", optional=True),
    LEFT_OUT_LABELS: ArraySpec(("left out",), INTEGER_TYPES, least=-1, below="groups", optional=True),
    LEFT_OUT_SHARES: ArraySpec(("left out", "groups"), least=0.0, optional=True),
}
SCHEMA = {
    "method": STRING,
    "parameters": OBJECT,
    "seed": nullable(SEED),
    "history": NUMBERS,
    "n_iter": INTEGER,
    "converged": BOOLEAN,
    "restarts": NUMBERS,
    "chosen": INTEGER,
    "named_groups": INTEGER_MAP,
    "group_numbers": INTEGERS,
    "given_names": STRINGS,
    "word_names": STRINGS,
    "provisional_names": STRINGS,
    "versions": STRING_MAP,
    "network": OBJECT,
    "corpus": BOOLEAN,
    "before": BOOLEAN,
    "knowledge": nullable(OBJECT),
    "files": STRING_MAP,
}
RUN_MODEL = "model"
"""Where the output folder of a command has the result."""
MANIFEST = Manifest(
    name="manifest.json",
    format="colligate-result",
    version=7,
    what="result",
    schema=SCHEMA,
    hint="choose the folder that save() wrote",
    advice=ADVICE,
)
NETWORK_FOLDER = "network"
KNOWLEDGE_FILE = "knowledge.parquet"
OUTSIDE_FOLDER = "outside"
VALUE_PREFIX = "value/"
BLOCK_SCHEMA = {
    "kind": STRING,
    "type": STRING,
    "source": STRING,
    "rows": INTEGER,
    "columns": STRINGS,
    "names": STRINGS,
    "strength": nullable(NUMBER),
    "apart": NUMBER,
    "named": BOOLEAN,
    "outside": BOOLEAN,
    "path": nullable(STRING),
}
KNOWLEDGE_SCHEMA: Schema = {"blocks": [BLOCK_SCHEMA], "n_groups": INTEGER_MAP}


def save(result: Result, folder: Path, *, overwrite: bool = False) -> Path:
    """Write a result to a new folder, which appears only when it is complete; see `Result.save`."""
    with write_folder(folder, overwrite=overwrite, owned=MANIFEST.list_files) as temporary:
        write_arrays(temporary / ARRAYS, collect_arrays(result))
        if result.corpus is not None:
            result.corpus.save(temporary / CORPUS)
        content: dict[str, Any] = {name: getattr(result, name) for name in PLAIN_FIELDS}
        content |= pack_optional(result)
        content["network"] = save_network(result.network, result.corpus, temporary)
        content["corpus"] = result.corpus is not None
        content["before"] = result.before is not None
        content["knowledge"] = None if result.compiled is None else save_knowledge(result.compiled, temporary)
        # Last, since the manifest holds the hash of every other file.
        MANIFEST.write(temporary, content)
    return folder


def load(make: Callable[..., Result], folder: Path, analyser: Analyser | None = None) -> Result:
    """Read a stored result and make it; an error names the file that is missing, damaged or newer.

    The output folder of a command has the result in a folder of its own, which is read then.
    """
    if not (folder / MANIFEST.name).exists() and (folder / RUN_MODEL / MANIFEST.name).exists():
        folder = folder / RUN_MODEL
    content = MANIFEST.read(folder)
    _check_method(content["method"], folder)
    with wrap_read_errors(folder, "cannot be read as a result", ADVICE):
        fields = _read_fields(content, folder, analyser)
        check_result_arrays(fields, fields["network"])
        return make(**fields)


def _read_fields(content: dict[str, Any], folder: Path, analyser: Analyser | None) -> dict[str, Any]:
    fields = {name: content[name] for name in PLAIN_FIELDS}
    fields["history"], fields["restarts"] = tuple(fields["history"]), tuple(fields["restarts"])
    fields["descriptions"] = unpack_optional(content, folder)
    if fields["chosen"] >= max(len(fields["restarts"]), 1):
        raise ValueError(f"restart {fields['chosen']} of {len(fields['restarts'])} was chosen")
    with wrap_read_errors(folder / ARRAYS, advice=ADVICE):
        fields |= split_arrays(read_arrays(folder / ARRAYS))
    if not content["before"]:
        fields["before"] = None
    corpus = Corpus.load(folder / CORPUS) if content["corpus"] else None
    if corpus is not None and analyser is not None:
        corpus = replace(corpus, analyser=analyser)
    network = load_network(content["network"], corpus, folder)
    knowledge = content["knowledge"]
    compiled = None if knowledge is None else load_knowledge(knowledge, network, folder)
    if fields[COSTS].shape not in ((0,), (0 if compiled is None else len(compiled),)):
        raise ValueError("the costs do not fit the statements")
    return {**fields, "corpus": corpus, "network": network, "compiled": compiled}


def pack_optional(result: Result) -> dict[str, Any]:
    """Return the fields of a manifest that only some results have."""
    if not any(description.name for description in result.descriptions):
        return {}
    return {"descriptions": pack_descriptions(result.descriptions)}


def unpack_optional(content: Mapping[str, Any], folder: Path) -> tuple[Description, ...]:
    """Return the descriptions in a manifest; none if there are none."""
    return unpack_descriptions(content.get("descriptions", []), folder / MANIFEST.name, ADVICE)


def collect_arrays(result: Result, groups: Sequence[str] = ARRAY_FIELDS) -> dict[str, NDArray[Any]]:
    """Return the arrays of a result under names such as labels/documents."""
    arrays: dict[str, NDArray[Any]] = {COSTS: result.statement_costs}
    for group in groups:
        arrays |= {f"{group}/{name}": values for name, values in (getattr(result, group) or {}).items()}
    return arrays


def split_arrays(arrays: dict[str, NDArray[Any]], groups: Sequence[str] = ARRAY_FIELDS) -> dict[str, Any]:
    """Return the fields of a result from what `collect_arrays` returned."""
    fields: dict[str, Any] = {COSTS: arrays.pop(COSTS), **{group: {} for group in groups}}
    for key, values in arrays.items():
        group, _, name = key.partition("/")
        if group not in groups or not name:
            # Escaped and cut off, because the name comes from a file that may be hostile.
            raise ValueError(f"{key!a:.60} is no array of a result")
        fields[group][name] = values
    return fields


def check_result_arrays(fields: Mapping[str, Any], network: Network) -> None:
    """Raise ValueError for arrays of a stored result that do not fit each other, the network or the method.

    The compiled code of the methods trusts these arrays.
    """
    centre, types = network.centre, network.types
    n_statements = 0 if fields["compiled"] is None else len(fields["compiled"])
    # a label may be larger than the number of objects where knowledge names more groups
    most = sum(map(len, types.values())) + n_statements + 1
    sizes = {"groups+": most} | {f"size of {name}": len(kind) for name, kind in types.items()}
    for kind, table in fields["memberships"].items():
        sizes[f"groups of {kind}"] = table.shape[1] if table.ndim == 2 else most
        if sizes[f"groups of {kind}"] > most:
            raise ValueError(f"there are more groups of {kind!a:.60} than objects")
    for kind in (*fields["labels"], *(fields.get("before") or ())):
        sizes.setdefault(f"groups of {kind}", most)
        sizes.setdefault(f"size of {kind}", -1)
    if centre not in fields["labels"] or centre not in fields["memberships"]:
        raise ValueError(f"it has no groups of {centre}")
    of_type = ArraySpec(("size of *",), INTEGER_TYPES, least=-1, below="groups of *")
    check_arrays(fields["labels"], {"*": of_type}, sizes, "the labels")
    before = {**sizes, **dict.fromkeys((name for name in sizes if name.startswith("groups of ")), most)}
    check_arrays(fields.get("before") or {}, {"*": of_type}, before, "the labels without knowledge")
    shares = ArraySpec(("size of *", "groups of *"), least=0.0, below=1.0 + 1e-3)
    check_arrays(fields["memberships"], {"*": shares}, sizes, "the memberships")
    for relation in network.relations:
        for side, kind in (("rows", relation.rows), ("columns", relation.columns)):
            labels = fields["labels"].get(kind, np.zeros(0, dtype=np.int32))
            sizes[f"{side} of {relation.name}"] = int(labels.max(initial=-1)) + 1
    mass = ArraySpec(("rows of *+", "columns of *+"), least=-1e-6)
    names = {relation.name for relation in network.relations}
    if unknown := sorted(fields["association"].keys() - names):
        raise ValueError(f"there is no relation {unknown[0]!a:.60}")
    check_arrays(fields["association"], {"*": mass}, sizes, "the association")
    check_arrays({COSTS: fields[COSTS]}, {COSTS: ArraySpec(("costs",))}, {}, "the result")
    _check_model(fields, network, n_statements)


def _check_model(fields: Mapping[str, Any], network: Network, n_statements: int) -> None:
    method, parts = registry.find_method(fields["method"]), list_parts(network, network.centre)
    known = {
        "documents": len(network.types[network.centre]),
        "groups": fields["memberships"][network.centre].shape[1],
        "columns": parts[-1].stop if parts else 0,
        "relations": len(parts),
    }
    check_arrays(fields["model"], {**COMMON_MODEL_SCHEMA, **method.model_schema}, known, "the model")
    check_complete(fields["model"], LEFT_OUT)
    # statements that were added after the fit have no trust
    if len(fields["model"].get("trust", ())) > n_statements:
        raise ValueError("the model judges more statements than there are")
    method.check_model(fields["model"])


def _check_method(name: str, folder: Path) -> None:
    try:
        registry.find_method(name)
    except UnknownMethodError as error:
        raise StoreError(
            f"{folder / MANIFEST.name} was made by a method that this version of Colligate does not "
            f"have: {error} Load the result with the version of Colligate that saved it."
        ) from error


def save_network(network: Network, corpus: Corpus | None, folder: Path) -> dict[str, Any]:
    """Write the network, and return its entry in the manifest."""
    if corpus is not None and _is_same_network(network, Network.from_corpus(corpus)):
        return {"same_as": "corpus", "weight": network.relations[0].weight}
    network.save(folder / NETWORK_FOLDER)
    return {"same_as": None}


def load_network(stored: dict[str, Any], corpus: Corpus | None, folder: Path) -> Network:
    """Read what `save_network` wrote."""
    if corpus is None or stored["same_as"] != "corpus":
        return Network.load(folder / NETWORK_FOLDER)
    network = Network.from_corpus(corpus)
    weighted = (replace(relation, weight=stored.get("weight")) for relation in network.relations)
    return Network(network.types, tuple(weighted))


def _is_same_network(first: Network, second: Network) -> bool:
    """Tell whether two networks are equal except for the weights of their relations."""
    if list(first.types) != list(second.types) or len(first.relations) != len(second.relations):
        return False
    if any(_list_names(first.types[name]) != _list_names(second.types[name]) for name in first.types):
        return False
    return all(_is_same_relation(a, b) for a, b in zip(first.relations, second.relations, strict=True))


def _list_names(kind: ObjectType) -> list[str] | range:
    return kind.names if isinstance(kind.names, range) else list(kind.names)


def _is_same_relation(first: Relation, second: Relation) -> bool:
    if (first.name, first.matrix.shape) != (second.name, second.matrix.shape):
        return False
    return all(
        getattr(first.matrix, part).dtype == getattr(second.matrix, part).dtype
        and np.array_equal(getattr(first.matrix, part), getattr(second.matrix, part))
        for part in ("data", "indices", "indptr")
    )


@dataclass(frozen=True)
class Column:
    """A column of the file: its name, its Arrow type, and how to get it from a block (or None)."""

    name: str
    type: str
    get: Callable[[Block], Any]


def _take_names(column: Any) -> Any:
    return None if column is None or column.dtype.kind in "iu" else column


def _take_positions(column: Any) -> Any:
    return None if column is None or column.dtype.kind not in "iu" else column


COLUMNS = (
    Column("subject", "large_string", lambda block: _take_names(block.subject)),
    Column("subject_at", "int64", lambda block: _take_positions(block.subject)),
    Column("object", "large_string", lambda block: _take_names(block.object)),
    Column("object_at", "int64", lambda block: _take_positions(block.object)),
    Column("code", "int64", lambda block: block.codes),
    Column("strength", "float64", lambda block: None if np.ndim(block.strength) == 0 else block.strength),
    Column("line", "int64", lambda block: block.lines),
    Column("note", "large_string", lambda block: block.notes),
)


def save_knowledge(compiled: Compiled, folder: Path) -> dict[str, Any]:
    """Write the statements, and return their entry in the manifest."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    blocks = compiled.statements.blocks
    values = dict.fromkeys(name for block in blocks for name in block.values)
    columns = (*COLUMNS, *map(_make_value_column, values))
    table = {column.name: _gather_column(column, blocks) for column in columns}
    pq.write_table(pa.table(table), folder / KNOWLEDGE_FILE, compression="zstd")
    return {
        "blocks": [_describe_block(block, number, folder, columns) for number, block in enumerate(blocks)],
        "n_groups": {name: grouping.n_groups for name, grouping in compiled.groupings.items()},
    }


def _make_value_column(name: str) -> Column:
    """Return the column of numbers that a kind of knowledge defines."""
    return Column(f"{VALUE_PREFIX}{name}", "float64", lambda block: block.values.get(name))


def load_knowledge(stored: dict[str, Any], network: Network, folder: Path) -> Compiled:
    """Read what `save_knowledge` wrote and compile it; the user was warned when it was compiled first."""
    check_schema(stored, KNOWLEDGE_SCHEMA, "the knowledge of a stored result", ADVICE)
    table = _read_rows(folder / KNOWLEDGE_FILE, sum(block["rows"] for block in stored["blocks"]))
    knowledge = Knowledge(unknown="report", contradictions="report")
    start = 0
    for number, block in enumerate(stored["blocks"]):
        knowledge.add(_make_block(block, table.slice(start, block["rows"]), number, folder))
        start += block["rows"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        groupings = {name: Grouping(n, network.nonempty(name)) for name, n in stored["n_groups"].items()}
        return knowledge.compile(network.names, groupings)


def _read_rows(path: Path, rows: int) -> Any:
    with wrap_read_errors(path, advice=ADVICE):
        return read_table(path, rows)


def _gather_column(column: Column, blocks: Sequence[Block]) -> Any:
    import pyarrow as pa

    dtype = getattr(pa, column.type)()
    parts = [
        pa.nulls(len(block), dtype) if (part := column.get(block)) is None else pa.array(part, type=dtype)
        for block in blocks
    ]
    return pa.chunked_array(parts, type=dtype)


def _describe_block(block: Block, number: int, folder: Path, columns: Sequence[Column]) -> dict[str, Any]:
    if block.corpus is not None:
        (folder / OUTSIDE_FOLDER).mkdir(exist_ok=True)
        block.corpus.save(folder / OUTSIDE_FOLDER / str(number))
    return {
        "kind": block.kind,
        "type": block.type,
        "source": block.source,
        "rows": len(block),
        "columns": [column.name for column in columns if column.get(block) is not None],
        "names": list(block.names),
        "strength": float(block.strength) if np.ndim(block.strength) == 0 else None,
        "apart": block.apart,
        "named": block.named,
        "outside": block.corpus is not None,
        "path": None if block.path is None else str(block.path),
    }


def _make_block(stored: dict[str, Any], rows: Any, number: int, folder: Path) -> Block:
    columns = {name: rows.column(name) for name in stored["columns"]}
    for name, column in columns.items():
        _check_type(name, column)
    # `columns` lists only columns that the block has in full, so a gap is damage.
    if gaps := [name for name, column in columns.items() if column.null_count]:
        raise ValueError(f"the {gaps[0]} of a statement is missing")
    numbers = {name: _read_numbers(columns[name]) for name in ("code", "strength", "line") if name in columns}
    return Block(
        kind=stored["kind"],
        type=stored["type"],
        subject=_read_references(columns, "subject"),
        source=stored["source"],
        object=_read_references(columns, "object"),
        codes=numbers.get("code"),
        names=tuple(stored["names"]),
        strength=numbers["strength"] if stored["strength"] is None else float(stored["strength"]),
        apart=stored["apart"],
        named=stored["named"],
        lines=numbers.get("line"),
        notes=tuple(columns["note"].to_pylist()) if "note" in columns else None,
        corpus=Corpus.load(folder / OUTSIDE_FOLDER / str(number)) if stored["outside"] else None,
        path=None if stored["path"] is None else Path(stored["path"]),
        values={
            name.removeprefix(VALUE_PREFIX): _read_numbers(column)
            for name, column in columns.items()
            if name.startswith(VALUE_PREFIX)
        },
    )


def _check_type(name: str, column: Any) -> None:
    """Raise ValueError for a column that does not contain what `save_knowledge` writes there."""
    import pyarrow as pa

    types = {column.name: column.type for column in COLUMNS}
    expected = "float64" if name.startswith(VALUE_PREFIX) else types.get(name)
    if expected is None or column.type != getattr(pa, expected)():
        raise ValueError(f"the column {name!a:.60} of the statements contains {column.type}")


def _read_references(columns: Mapping[str, Any], name: str) -> Any:
    """Return one side of the statements: names, or positions where these were given."""
    if name in columns:
        # An array of objects: fixed-width strings would all take the room of the longest.
        texts = np.empty(len(columns[name]), dtype=object)
        texts[:] = columns[name].to_pylist()
        return texts
    return _read_numbers(columns[f"{name}_at"]) if f"{name}_at" in columns else None


def _read_numbers(column: Any) -> Any:
    return np.ascontiguousarray(column.combine_chunks().to_numpy(zero_copy_only=False))
