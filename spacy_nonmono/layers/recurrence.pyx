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
        const float* bias
        float* memory
        size_t row
    void recur(const RecurrenceC* it, float* state)
    void recur_backward(const RecurrenceC* it, float* state, const float* d_memory)

# The units of a direction are a multiple of it.
MULTIPLE = WIDTH


cdef RecurrenceC arrays(
    float[:, ::1] gates, const float[::1] bias, const unsigned char[::1] fresh, bint backwards,
    float[:, ::1] memory, Py_ssize_t column, float[::1] state
) except *:
    """The arrays of a direction, checked against each other; there is one word at least."""
    cdef RecurrenceC it
    it.n = gates.shape[0]
    it.units = state.shape[0]
    check_at_least("gates", gates, 0, 1)
    check_at_least("state", state, 0, 1)
    check_shape("state", state, (it.units + WIDTH - 1) // WIDTH * WIDTH)
    check_shape("gates", gates, it.n, 2 * it.units)
    check_shape("bias", bias, 2 * it.units)
    check_shape("fresh", fresh, it.n)
    check_shape("memory", memory, it.n)
    check_at_least("memory", memory, 1, it.units)
    check_values("column", column, 0, memory.shape[1] - it.units)
    it.step = -1 if backwards else 1
    it.fresh = &fresh[0]
    it.gates = &gates[0, 0]
    it.bias = &bias[0]
    it.memory = &memory[0, column]
    it.row = memory.shape[1]
    return it


def forward(
    float[:, ::1] gates not None, const float[::1] bias not None,
    const unsigned char[::1] fresh not None, bint backwards, float[:, ::1] memory not None,
    Py_ssize_t column, float[::1] state not None
):
    """Run one direction of a layer over one word or more, in place.

    gates: (n, 2 * units), the sums of candidate and update, of which it makes their values. bias:
    (2 * units,). fresh: (n,), 1 where a doc starts, for that direction. memory: (n, ...), is filled from
    `column` on. state: (units,), what is remembered at first and then in the end.
    """
    cdef RecurrenceC it = arrays(gates, bias, fresh, backwards, memory, column, state)
    with nogil:
        recur(&it, &state[0])


def backward(
    float[:, ::1] gates not None, const float[::1] bias not None,
    const unsigned char[::1] fresh not None, bint backwards, float[:, ::1] memory not None,
    Py_ssize_t column, float[::1] state not None, const float[:, ::1] d_memory not None
):
    """Run the backward pass of `forward`: of the gates' values it makes the gradients of their sums.

    A doc starts where the direction does. state: (units,), zeros. d_memory: of the shape of `memory`.
    """
    cdef RecurrenceC it = arrays(gates, bias, fresh, backwards, memory, column, state)
    check_shape("d_memory", d_memory, it.n, it.row)
    check_values("fresh at the start", fresh[it.n - 1 if backwards else 0], 1, 1)
    with nogil:
        recur_backward(&it, &state[0], &d_memory[0, column])
