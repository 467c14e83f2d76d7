"""The closed vocabularies: one word, one meaning. Other programs read these values (docs/json.md)."""

from enum import StrEnum


class ItemKind(StrEnum):
    """What an upstream item is."""

    ISSUE = "issue"
    PULL = "pull"
    COMMIT = "commit"


class ItemState(StrEnum):
    """What GitHub shows. It says nothing of landing: pull requests land as `closed`."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


class StateReason(StrEnum):
    """Why GitHub says that an issue was closed, or is open again. A pull request has none."""

    COMPLETED = "completed"
    NOT_PLANNED = "not_planned"
    DUPLICATE = "duplicate"
    REOPENED = "reopened"


class LinkKind(StrEnum):
    """What an item is to the one that it links to."""

    FIXES = "fixes"
    FIXED_BY = "fixed-by"
    RELAND = "reland"
    REVERTS = "reverts"
    REVERTED_BY = "reverted-by"
    CHERRY_PICK = "cherry-pick"
    SERIES = "series"
    MENTIONS = "mentions"
    OTHER = "other"
    """A kind that is not known here: it joins nothing."""


class ItemClass(StrEnum):
    """What an item is about; only a candidate goes to the device."""

    CANDIDATE = "candidate"
    SHARED_UPSTREAM = "shared-upstream"
    PERFORMANCE = "performance"
    FEATURE = "feature"
    TEST_TOGGLE = "test-toggle"
    DOCS_CI_BUILD = "docs-ci-build"
    PLATFORM_EXCLUSIVE = "platform-exclusive"
    DISTRIBUTED = "distributed"
    CPU_ONLY = "cpu-only"
    QUESTION = "question"
    OTHER = "other"


class ChangeState(StrEnum):
    """Where an upstream change stands, judged from the default branch and never from what GitHub calls merged."""

    LANDED = "landed"
    OPEN = "open"
    REVERTED = "reverted"
    SUPERSEDED = "superseded"
    ABANDONED = "abandoned"
    UNKNOWN = "unknown"
    """Closed or merged, and what was read doesn't tell how: nothing is claimed."""


class Ownership(StrEnum):
    """Whose code has the fault, as far as names and paths tell."""

    TARGET = "target"
    """The target has a kernel of its own: an upstream fix does not reach it."""
    SHARED_UPSTREAM = "shared-upstream"
    """Code that the target builds too: the upstream fix covers it."""
    VENDOR = "vendor"
    """A library of another vendor, which the target does not call."""
    UNKNOWN = "unknown"


class Kinship(StrEnum):
    """What made two items one upstream change."""

    LANDS = "it is the commit that landed it"
    REVERTS = "it takes it back"
    RELANDS = "it brings it back"
    CHERRY_PICKS = "it carries it to a release branch"
    STACK = "they are layers of one stack"
    LINKED = "GitHub links them as fix and fixed"
    FIXES = "its text says that it fixes it"
    SAME_SUBJECT = "issue and fix name the same operator in like titles"


class DecisionKind(StrEnum):
    """What a maintainer said of a finding."""

    REJECT = "reject"
    DUPLICATE = "duplicate"
    UNDUPLICATE = "unduplicate"
    """It is none of what it was merged with."""


class DefectKind(StrEnum):
    """What is wrong with the operator."""

    SILENT_WRONG_RESULT = "silent-wrong-result"
    PRECISION = "precision"
    OVERFLOW = "overflow"
    MEMORY_ERROR = "memory-error"
    MISSING_CHECK = "missing-check"
    NAN = "nan"
    DETERMINISM = "determinism"
    DTYPE_SHAPE = "dtype-shape"
    CRASH = "crash"
    NONE = "none"


class RunStatus(StrEnum):
    """How a script ended."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    KILLED = "killed"
    REFUSED = "refused"


class Bucket(StrEnum):
    """What a run showed."""

    CONFIRMED = "confirmed"
    RELATED_FAILURE = "related-failure"
    NOT_REPRODUCED = "not-reproduced"
    BLOCKED_ENV = "blocked-env"
    BLOCKED_PLATFORM = "blocked-platform"
    BLOCKED_SCRIPT_ERROR = "blocked-script-error"
    NEEDS_PERFORMANCE_HARNESS = "needs-performance-harness"


class Verdict(StrEnum):
    """What follows for the target."""

    NEEDS_XPU_FIX = "needs-xpu-fix"
    TRACK_UPSTREAM = "track-upstream"
    FIXED = "fixed"
    NON_ISSUE = "non-issue"
    DUPLICATE = "duplicate"
    VERIFICATION_GAP = "verification-gap"


class DivergenceKind(StrEnum):
    """In what way the device differs from the reference."""

    VALUE = "value"
    NAN_INF = "nan-inf"
    DTYPE = "dtype"
    SHAPE = "shape"
    STRIDE = "stride"
    DEVICE = "device"
    ERROR_MISSING = "error-missing"
    ERROR_EXTRA = "error-extra"
    NONDETERMINISTIC = "nondeterministic"


class OracleKind(StrEnum):
    """Who says that a result is wrong."""

    ASSERTION = "assertion"
    DIVERGENCE = "divergence"
    CRASH = "crash"
    STATED = "stated"
    PERFORMANCE = "performance"
    """Nobody: the script measures time and checks no value."""
    SOURCE = "source"
    """Nothing ran: the target's kernel has the form that upstream changed."""
    NONE = "none"


class OutcomeKind(StrEnum):
    """Where a case stands when its stages have answered."""

    FINDING = "finding"
    MERGED = "merged"
    WATCHED = "watched"
    DROPPED = "dropped"
    HELD = "held"


class ReadingState(StrEnum):
    """Whether a window is still being read."""

    OPEN = "open"
    CLOSED = "closed"


class FateKind(StrEnum):
    """What became of a number of the sequence that issues, pull requests and discussions share."""

    ISSUE = "issue"
    PULL = "pull"
    DISCUSSION = "discussion"
    TRANSFERRED = "transferred"
    """Moved away to another repository."""
    DELETED = "deleted"
    HIDDEN = "hidden"
    """GitHub answers that there is no such thing: spam that was taken away, or not yet visible."""
    UNKNOWN = "unknown"
    """Asked, and no answer came."""


class DispatchHow(StrEnum):
    """What the dispatcher does with an operator on the target."""

    NATIVE = "native"
    """The target's own kernel."""
    FALLBACK = "fallback"
    """The CPU's kernel."""
    COMPOSITE = "composite"
    """Code of every device, made of other operators."""
    NONE = "none"
    """Nothing is registered."""


class ChangeKind(StrEnum):
    """What an upstream fix changed."""

    WIDENED_ACCUMULATOR = "widened-accumulator"
    WIDENED_INDEX = "widened-index"
    ADDED_CHECK = "added-check"
    EMPTY_INPUT = "empty-input"
    BOUNDS_GUARD = "bounds-guard"
    NAN_KEPT = "nan-kept"
    DETERMINISM_ALERT = "determinism-alert"
    MORE_DTYPES = "more-dtypes"
    INITIALISED_OUTPUT = "initialised-output"


class Still(StrEnum):
    """Does the target's counterpart have the form that upstream changed?"""

    OLD_FORM = "old-form"
    RIGHT = "right"
    UNKNOWN = "unknown"
