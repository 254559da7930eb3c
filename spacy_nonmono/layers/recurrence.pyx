"""The recurrence of `recurrent`, word by word, in C."""

from ..shapes import check_at_least, check_shape, check_values

cdef extern from "recurrence.h" namespace "nonmono" nogil:
    enum: WIDTH
    struct RecurrenceC:
        int n
        int units
        int step
        const unsigned char* fresh
        float* gates
        size_t gates_row
        const float* bias
        const float* skip
        size_t skip_row
        float* memory
    void recur(const RecurrenceC* it, float* state, float* out, size_t out_row)
    void recur_backward(
        const RecurrenceC* it, float* state, const float* d_out, size_t out_row, float* d_skip,
        size_t d_skip_row
    )

# The units of a direction are a multiple of it.
MULTIPLE = WIDTH


cdef RecurrenceC arrays(
    float[:, ::1] gates, const float[::1] bias, const float[:, ::1] skip, Py_ssize_t skip_column,
    const unsigned char[::1] fresh, bint backwards, float[:, ::1] memory
) except *:
    """The arrays of a direction, checked against each other; there is one word at least."""
    cdef RecurrenceC it
    it.n = gates.shape[0]
    it.units = memory.shape[1]
    check_at_least("gates", gates, 0, 1)
    check_at_least("memory", memory, 1, 1)
    check_shape("memory", memory, it.n, (it.units + WIDTH - 1) // WIDTH * WIDTH)
    check_at_least("gates", gates, 1, 3 * it.units)
    check_shape("bias", bias, 3 * it.units)
    check_shape("fresh", fresh, it.n)
    check_columns("skip", skip, it.n, skip_column, it.units)
    it.step = -1 if backwards else 1
    it.fresh = &fresh[0]
    it.gates = &gates[0, 0]
    it.gates_row = gates.shape[1]
    it.bias = &bias[0]
    it.skip = &skip[0, skip_column]
    it.skip_row = skip.shape[1]
    it.memory = &memory[0, 0]
    return it


cdef check_columns(name, array, n, column, units):
    """Raises ValueError (NM020, NM022) unless there are n rows, and `units` columns from `column` on."""
    check_shape(name, array, n)
    check_at_least(name, array, 1, units)
    check_values(f"{name}_column", column, 0, array.shape[1] - units)


def forward(
    float[:, ::1] gates not None, const float[::1] bias not None, const float[:, ::1] skip not None,
    Py_ssize_t skip_column, const unsigned char[::1] fresh not None, bint backwards,
    float[:, ::1] memory not None, float[::1] state not None, float[:, ::1] out not None,
    Py_ssize_t out_column
):
    """One direction of a layer over one word or more, in place.

    gates: (n, 3 * units or more), the sums of candidate, update and reset, of which it makes their
    values. bias: (3 * units,). skip: (n, ...), of which the units from `skip_column` on count. fresh:
    (n,), 1 where a doc starts, for that direction. memory: (n, units), is filled. state: (units,), what
    is remembered at first and then in the end. out: (n, ...), is filled from `out_column` on.
    """
    cdef RecurrenceC it = arrays(gates, bias, skip, skip_column, fresh, backwards, memory)
    check_shape("state", state, it.units)
    check_columns("out", out, it.n, out_column, it.units)
    with nogil:
        recur(&it, &state[0], &out[0, out_column], out.shape[1])


def backward(
    float[:, ::1] gates not None, const float[::1] bias not None, const float[:, ::1] skip not None,
    Py_ssize_t skip_column, const unsigned char[::1] fresh not None, bint backwards,
    float[:, ::1] memory not None, float[::1] state not None, const float[:, ::1] d_out not None,
    Py_ssize_t out_column, float[:, ::1] d_skip not None, Py_ssize_t d_skip_column
):
    """The backward pass of `forward`: of the gates' values it makes the gradients of their sums.

    A doc starts where the direction does. state: (units,), zeros. d_skip: (n, ...), is filled from
    `d_skip_column` on; it may be `skip`.
    """
    cdef RecurrenceC it = arrays(gates, bias, skip, skip_column, fresh, backwards, memory)
    check_shape("state", state, it.units)
    check_columns("d_out", d_out, it.n, out_column, it.units)
    check_columns("d_skip", d_skip, it.n, d_skip_column, it.units)
    check_values("fresh at the start", fresh[it.n - 1 if backwards else 0], 1, 1)
    with nogil:
        recur_backward(
            &it, &state[0], &d_out[0, out_column], d_out.shape[1], &d_skip[0, d_skip_column],
            d_skip.shape[1]
        )
