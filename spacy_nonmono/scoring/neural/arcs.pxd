"""Arc probabilities of a sentence: how likely each word is the head of each other one."""


cdef enum:
    # Heads further away than this are not scored: the cost stays linear. Of 884,159 arcs of ten
    # treebanks of Universal Dependencies 35 are longer.
    BAND = 100
    N_SIGNED_BUCKETS = 18  # buckets of the signed distance
    # Words at most that count as likely heads of a word. In sentences of 1,000 words (Basque-BDT, a
    # threshold of 0.002) Covington's systems look at nine pairs a word, without this bound at 25.
    N_LIKELY = 10


cdef inline int signed_bucket(int h, int d) noexcept nogil:
    """0..8 for heads on the left, 9..17 on the right: 1, 2, 3, 4, 5-6, 7-9, 10-14, 15-24, 25+.
    A guess that was not tuned; see `distance_bucket`."""
    cdef int distance = h - d if h > d else d - h
    cdef int bucket
    if distance <= 4:
        bucket = distance - 1
    elif distance <= 6:
        bucket = 4
    elif distance <= 9:
        bucket = 5
    elif distance <= 14:
        bucket = 6
    elif distance <= 24:
        bucket = 7
    else:
        bucket = 8
    return bucket + (9 if h > d else 0)


cdef struct ArcTableC:
    # P(head of d is h). Row d holds the `width` candidates from `first_head` on; for a sentence of at
    # most 2 * BAND + 1 words that is every word.
    int n
    int width             # min(n, 2 * BAND + 1)
    float* prob           # [n, width] P(head of d is h); 0 for h = d
    float* mass           # [n, width] the same, summed up to and including h
    float* root           # [n] P(d is the root)
    float* best_right     # [n, width] max of P(head of k is h) over the words k >= column
    float* best_left      # [n, width] max of P(head of k is h) over the words k <= column
    float* least          # [n] the least P(head of d is h) of a likely head; above 0


cdef inline int first_head(int n, int width, int d) noexcept nogil:
    cdef int first = d - BAND
    if first > n - width:
        first = n - width
    return first if first > 0 else 0


cdef inline float arc_prob(const ArcTableC* arcs, int h, int d) noexcept nogil:
    cdef int k = h - first_head(arcs.n, arcs.width, d)
    return arcs.prob[d * arcs.width + k] if 0 <= k < arcs.width else 0.0


cdef inline int next_left(
    const ArcTableC* arcs, int left, int right, const int* kept
) noexcept nogil:
    """The first word from `left` on to the left that is among the likely heads of `right`, or has it
    among its own, or is joined to it by `kept` [n], heads; -1: none. kept: NULL for no such heads."""
    # Further away no word has a probability.
    cdef int end = right - 2 * BAND if kept == NULL and right > 2 * BAND else 0
    cdef int word
    for word in range(left, end - 1, -1):
        if (
            arc_prob(arcs, word, right) >= arcs.least[right]
            or arc_prob(arcs, right, word) >= arcs.least[word]
            or (kept != NULL and (kept[word] == right or kept[right] == word))
        ):
            return word
    return -1


cdef inline float mass_up_to(const ArcTableC* arcs, int d, int last) noexcept nogil:
    """P(head of d is one of the words 0..last); last may be -1."""
    cdef int k = last - first_head(arcs.n, arcs.width, d)
    if k < 0:
        return 0.0
    return arcs.mass[d * arcs.width + (k if k < arcs.width else arcs.width - 1)]


cdef inline float best_child_from(const ArcTableC* arcs, int h, int first) noexcept nogil:
    """The greatest P(head of k is h) over k >= first."""
    cdef int k = first - first_head(arcs.n, arcs.width, h)
    if k >= arcs.width:
        return 0.0
    return arcs.best_right[h * arcs.width + (k if k > 0 else 0)]


cdef inline float best_child_to(const ArcTableC* arcs, int h, int last) noexcept nogil:
    """The greatest P(head of k is h) over k <= last."""
    cdef int k = last - first_head(arcs.n, arcs.width, h)
    if k < 0:
        return 0.0
    return arcs.best_left[h * arcs.width + (k if k < arcs.width else arcs.width - 1)]


cdef struct ArcWeightsC:
    int nA
    const float* root     # [nA] score of ROOT as a head: dot product with the dependent's vector
    const float* distance  # [N_SIGNED_BUCKETS] bias of a signed distance


cdef size_t arc_table_floats(int n) noexcept nogil
# Carves the arrays of a table for n words out of `block`.
cdef void arc_table_carve(ArcTableC* arcs, float* block, int n) noexcept nogil
# head_vectors, dep_vectors: [n, nA], of the words of the sentence. threshold: the least probability of
# a likely head.
cdef void fill_arc_table(
    ArcTableC* arcs, const ArcWeightsC* weights, const float* head_vectors, const float* dep_vectors,
    float threshold
) noexcept nogil
# Fills row[width] with P(head of d is h), from the first candidate on; returns P(d is the root).
cdef float softmax_row(
    const ArcWeightsC* weights, const float* head_vectors, const float* dep_vectors,
    int n, int width, int d, float* row
) noexcept nogil
