"""Products of sparse rows with a few columns in vectors of eight numbers, which Numba's loops do not become.

The vectors are those of LLVM, not of one processor, and every lane adds in the same order. So the results
do not depend on how wide the registers are. A processor without fused multiply-add rounds once more.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8
MAX_VECTORS = 4
"""A tile has so many vectors at most: their sums fill half of the registers of AVX2 or of NEON."""
RUN = 4
"""So many products are summed in the precision of the factors, and these sums in double precision."""
INTEGER = ir.IntType(64)


@intrinsic(prefer_literal=True)
def add_tile(typing_context, data, indices, start, stop, dense, column, row, n_vectors):
    """Add Σ_t data[t]·dense[indices[t]] over the entries start to stop to a row, for one tile of columns.

    The tile has `n_vectors` vectors (a literal) from a column on. The last vector starts earlier if it would
    pass the end of the row: its first lanes then compute the same numbers as the vector before it. The row
    is in double precision, has at least as many numbers as a vector, and the arrays are contiguous.
    """
    if not isinstance(n_vectors, types.IntegerLiteral):
        return None
    is_single = data.dtype == types.float32 and dense.dtype == types.float32
    tile = _Tile(data, indices, dense, row, types.float32 if is_single else types.float64)

    def generate(context, builder, _, arguments):
        tile.generate(context, builder, arguments, n_vectors.literal_value)
        return context.get_dummy_value()

    return types.void(data, indices, start, stop, dense, column, row, n_vectors), generate


class _Tile:
    """The code of one tile for arrays of certain types."""

    def __init__(self, data, indices, dense, row, factor):
        self.types = data, indices, dense, row
        self.factor = factor

    def generate(self, context, builder, arguments, n_vectors):
        """Write the code: load the row, add runs of entries and then single ones, and store the row."""
        data, indices, start, stop, dense, column, row, _ = arguments
        self.context, self.builder = context, builder
        arrays = zip(self.types, (data, indices, dense, row), strict=True)
        self.data, self.indices, self.dense, self.row = (
            context.make_array(kind)(context, builder, value) for kind, value in arrays
        )
        self.single, self.double = (
            ir.VectorType(context.get_value_type(kind), LANES) for kind in (self.factor, types.float64)
        )
        self.columns = self._place_vectors(column, n_vectors)
        places = [self._point(self.row.data, offset, self.double) for offset in self.columns]
        sums = [builder.load(place, align=8) for place in places]
        t, sums = self._loop(start, stop, sums, RUN)
        _, sums = self._loop(t, stop, sums, 1)
        for place, total in zip(places, sums, strict=True):
            builder.store(total, place, align=8)

    def _place_vectors(self, column, n_vectors):
        """Return the column where each vector starts."""
        width = cgutils.unpack_tuple(self.builder, self.row.shape)[0]
        largest = self.builder.sub(width, INTEGER(LANES))
        columns = [self.builder.add(column, INTEGER(LANES * number)) for number in range(n_vectors)]
        passes_end = self.builder.icmp_signed(">", columns[-1], largest)
        return [*columns[:-1], self.builder.select(passes_end, largest, columns[-1])]

    def _point(self, start, offset, vector):
        """Return a pointer to the vector that starts after so many numbers."""
        return self.builder.bitcast(self.builder.gep(start, [offset]), vector.as_pointer())

    def _loop(self, start, stop, sums, step):
        """Write a loop over the entries, `step` at a time; return the first entry left, and the sums."""
        builder, before = self.builder, self.builder.block
        head, body, end = (builder.append_basic_block(name) for name in ("entries", "add", "added"))
        builder.branch(head)
        builder.position_at_end(head)
        t, totals = builder.phi(INTEGER), [builder.phi(self.double) for _ in sums]
        following = builder.add(t, INTEGER(step))
        builder.cbranch(builder.icmp_signed("<=", following, stop), body, end)
        builder.position_at_end(body)
        added = self._add_run(totals, [builder.add(t, INTEGER(number)) for number in range(step)])
        for phi, first, later in zip([t, *totals], [start, *sums], [following, *added], strict=True):
            phi.add_incoming(first, before)
            phi.add_incoming(later, builder.block)
        builder.branch(head)
        builder.position_at_end(end)
        return t, totals

    def _add_run(self, totals, entries):
        """Return the totals with the products of some entries, which are summed first."""
        factors = [self._load_entry(t) for t in entries]
        values = [value for value, _ in factors]
        added = []
        for number, total in enumerate(totals):
            vectors = [row[number] for _, row in factors]
            if len(entries) == 1 and self.single == self.double:
                added.append(self._multiply_add(values[0], vectors[0], total))
                continue
            # the order in which compilers contract a sum of products: (a·f + b·s) + c·t + d·u
            second = min(1, len(entries) - 1)
            part = self.builder.fmul(values[second], vectors[second])
            for position in range(len(entries)):
                if position != second:
                    part = self._multiply_add(values[position], vectors[position], part)
            added.append(self.builder.fadd(total, self._widen(part, self.double)))
        return added

    def _load_entry(self, t):
        """Return the value of an entry in all lanes, and the vectors of its row of the dense matrix."""
        builder, context = self.builder, self.context
        data_type, index_type, dense_type, _ = self.types
        value = builder.load(builder.gep(self.data.data, [t]))
        value = context.cast(builder, value, data_type.dtype, self.factor)
        index = builder.load(builder.gep(self.indices.data, [t]))
        index = context.cast(builder, index, index_type.dtype, types.int64)
        width = cgutils.unpack_tuple(builder, self.dense.shape)[1]
        row = builder.gep(self.dense.data, [builder.mul(index, width)])
        stored = ir.VectorType(context.get_value_type(dense_type.dtype), LANES)
        vectors = [
            self._widen(builder.load(self._point(row, column, stored), align=4), self.single)
            for column in self.columns
        ]
        return self._broadcast(value), vectors

    def _broadcast(self, value):
        """Return a vector with a number in every lane."""
        nothing = ir.Constant(self.single, ir.Undefined)
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        first = self.builder.insert_element(nothing, value, ir.IntType(32)(0))
        return self.builder.shuffle_vector(first, nothing, lanes)

    def _multiply_add(self, value, vector, total):
        """Return value·vector + total, rounded once where the processor can."""
        bits = 32 if self.factor == types.float32 else 64
        signature = ir.FunctionType(self.single, [self.single] * 3)
        function = cgutils.get_or_insert_function(
            self.builder.module, signature, f"llvm.fmuladd.v{LANES}f{bits}"
        )
        return self.builder.call(function, [value, vector, total])

    def _widen(self, vector, kind):
        """Return a vector in another precision, if it is not in it already."""
        return vector if vector.type == kind else self.builder.fpext(vector, kind)
