"""What a maintainer finds on each page."""

import pytest

from bot.dashboard.links import finding_url, ledger_url
from bot.model import Finding, ItemClass, ItemKind, ItemState, Outcome, OutcomeKind, Verdict
from bot.seams import StoreError
from tests.dashboard.fake_store import FakeStore
from tests.dashboard.sample import DAY, HEADS, ended_case, filled, found_case, item


def address_of(store: FakeStore, position: int = 0) -> str:
    return finding_url(store.findings()[position][0].fingerprint)


def test_list_shows_what_was_measured(ask):
    """The list names operator, defect, dtypes, both values, device, upstream numbers and window."""
    text = ask(filled(), "/").text
    for part in ("grid_sampler_2d_backward", "precision", "bfloat16", "[256, 0]", "[2048, 0]", "204496", "204495"):
        assert part in text
    assert ">2026-11-11</a>" in text


@pytest.mark.parametrize(
    ("case", "device", "why"),
    [
        (found_case("cpu"), "cpu", "Not fileable: evidence from cpu proves nothing about XPU."),
        (found_case(simulated=True), "simulated xpu", "Not fileable: a simulated device proves nothing"),
        (found_case(sandboxed=False), "xpu", "Not fileable: a script that ran outside the sandbox"),
        (found_case(verdict=Verdict.TRACK_UPSTREAM), "xpu", "Not fileable: the verdict is track-upstream."),
    ],
    ids=["cpu", "simulated", "no-sandbox", "verdict"],
)
def test_weak_evidence_is_marked(ask, case, device, why):
    """Evidence that can't become an issue is called so in the list, and its page says why."""
    store = FakeStore([case])
    assert ">not fileable<" in ask(store, "/").text
    assert f">{device}<" in ask(store, "/").text
    assert why in ask(store, address_of(store)).text


def test_real_evidence_is_not_marked(ask):
    """A real XPU's finding is never called not fileable."""
    store = FakeStore([found_case()])
    assert "not fileable" not in (ask(store, "/").text + ask(store, address_of(store)).text).lower()


@pytest.mark.parametrize("path", ["/", "/windows"])
def test_empty_store_says_what_to_type(ask, path):
    """With nothing scanned, the page shows a command that fills it."""
    assert "alignbot scan --sample" in ask(FakeStore(), path).text


def test_finding_shows_all_its_facts(ask):
    """A finding's page holds its draft as HTML and every fact that stands behind it."""
    store = FakeStore([found_case()])
    text = ask(store, address_of(store)).text
    for part in (
        "<h3>Summary</h3>",
        "<td>bfloat16</td>",
        "float32, exact",
        "own kernel",
        "composite",
        "needs-xpu-fix",
        "control_exact",
        "device_string",
        "exit 0",
        "torch.bfloat16 [256.0, 0.0]",
        "Arc Pro B60",
        "https://github.com/pytorch/pytorch/pull/204495",
        "closed",
    ):
        assert part in text


@pytest.mark.parametrize("field", ["reproducer", "port", "evidence", "judgement"])
def test_finding_with_a_gap_has_a_page(ask, field):
    """A finding whose case lacks a field is still shown."""
    store = FakeStore([found_case().model_copy(update={field: None})])
    assert ask(store, address_of(store)).status_code == 200


def test_finding_without_divergences_shows_its_symptom(ask):
    """A crash, which has no values to compare, is listed by its symptom."""
    case = found_case().model_copy(update={"evidence": None})
    assert isinstance(case.finding, Finding)
    crash = case.finding.model_copy(update={"divergences": (), "symptom": "crash"})
    text = ask(FakeStore([case.model_copy(update={"finding": crash})]), "/").text
    assert '<span class="observed">crash</span>' in text


def test_an_exception_is_shown_and_can_do_no_harm(ask):
    """What a device raises, or does not, stands beside its kind, escaped: it is text of a stranger's call."""
    case = found_case()
    raised = {"kind": "error-missing", "observed": None, "expected": None, "raised": "IndexError: <script>x</script>"}
    runs = [
        one.model_copy(update={"divergences": tuple(each.model_copy(update=raised) for each in one.divergences)})
        for one in case.evidence.runs
    ]
    evidence = case.evidence.model_copy(update={"runs": tuple(runs), "divergences": runs[0].divergences})
    finding = case.finding.model_copy(update={"divergences": runs[0].divergences})
    store = FakeStore([case.model_copy(update={"evidence": evidence, "finding": finding})])
    text = ask(store, address_of(store)).text
    assert "IndexError: &lt;script&gt;x&lt;/script&gt;" in text
    assert "<script>x" not in text


def test_windows_lead_to_their_ledgers(ask):
    """Each window's counts link to the ledger of that outcome."""
    text = ask(filled(), "/windows").text
    assert ledger_url(DAY, "xpu", outcome="held").replace("&", "&amp;") in text


def test_windows_show_what_they_span(ask):
    """A whole day is shown by its date, any other window by both its ends."""
    text = ask(filled(), "/windows").text
    assert ">2026-11-10</a>" in text
    assert ">2026-11-09 12:00Z to 2026-11-10 00:00Z</a>" in text


def test_window_without_cases_is_listed(ask):
    """A scan that has only begun is listed with its items and no outcome."""
    store = FakeStore()
    store.save_items(DAY, [item(1, "first"), item(2, "second")])
    store.begin_scan(DAY, "xpu", HEADS)
    text = ask(store, "/windows").text
    assert '<td class="number">2</td>' in text
    assert "none yet" in text


def test_chain_tells_where_its_items_stand(ask):
    """A closed pull request is told as landed or reverted, with the reason, and not in GitHub's words."""
    case = found_case()
    fix = item(7, "Sum in a wide type", ItemKind.PULL, ItemState.CLOSED)
    landed = fix.model_copy(update={"landed_sha": "bbbbbbb7"})
    undone = fix.model_copy(update={"number": 8, "labels": ("Reverted",)})
    store = FakeStore([case.model_copy(update={"items": (case.leader, landed, undone)})])
    chain = ask(store, address_of(store)).text.partition('id="chain"')[2].partition("</section>")[0]
    for part in (
        ">landed<",
        "pytorch/pytorch#7 landed as bbbbbbb7",
        ">reverted<",
        "its label says that it was reverted",
    ):
        assert part in chain
    assert ">closed<" not in chain


def test_ledger_holds_every_item(ask):
    """The ledger lists leaders and followers with outcome, stage, reason, class and the way to the finding."""
    store = filled()
    text = ask(store, ledger_url(DAY, "xpu")).text
    for number in (204496, 204495, 204511, 204512, 204513, 204514):
        assert f"pytorch/pytorch#{number}" in text
    for part in ("In the chain of", "The device was sick", "2026-11-18 00:00Z", "performance", "in progress"):
        assert part in text
    finding = found_case().finding
    assert isinstance(finding, Finding)
    assert f'href="{finding_url(finding.fingerprint)}"' in text


def test_ledger_can_be_narrowed(ask):
    """Asked for one outcome, the ledger shows no item of another."""
    text = ask(filled(), ledger_url(DAY, "xpu", outcome="dropped")).text
    assert "#204511" in text
    assert "#204512" not in text


def test_long_ledger_has_pages(ask):
    """Past five hundred items the ledger goes on, on a next page that ends it."""
    outcome = Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="A question.")
    cases = [ended_case(300_000 + count, "Why?", ItemClass.QUESTION, outcome) for count in range(501)]
    store = FakeStore(cases)
    first, second = (ask(store, ledger_url(DAY, "xpu", page=page)).text for page in (1, 2))
    assert (first.count("<bdi"), second.count("<bdi")) == (500, 1)
    assert 'rel="next"' in first
    assert 'rel="next"' not in second


def test_commit_without_pull_request_is_listed(ask):
    """An item whose number is a digest is shown short and links to its commit."""
    sha = "c0ffee" + "0" * 34
    commit = item(1, "Widen the sum").model_copy(update={"number": sha, "kind": ItemKind.COMMIT})
    text = ask(FakeStore([found_case().model_copy(update={"items": (commit,)})]), "/").text
    assert f'href="https://github.com/pytorch/pytorch/commit/{sha}"' in text
    assert "pytorch/pytorch@c0ffee0000<" in text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nope", 404),
        ("/findings/0000000000000000", 404),
        ("/static/nope.css", 404),
        ("/static/../findings.html", 404),
        ("/windows/ledger", 400),
        ("/windows/ledger?window=yesterday", 400),
        ("/windows/ledger?window=2026-11-11&outcome=lost", 400),
        ("/windows/ledger?window=2026-11-11&page=7", 404),
    ],
)
def test_wrong_address_is_answered_in_style(ask, path, status):
    """A wrong address gets its status and a page with the way back."""
    answer = ask(filled(), path)
    assert answer.status_code == status
    assert 'href="/static/dashboard.css"' in answer.text
    assert "All findings" in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_can_be_written(ask, method):
    """Every method that changes things is refused."""
    assert ask(filled(), "/", method).status_code == 405


@pytest.mark.parametrize("path", ["/", "/windows", "/healthz", "/static/dashboard.css"])
def test_head_is_answered(ask, path):
    """HEAD is answered as GET is."""
    assert ask(filled(), path, "HEAD").status_code == 200


def test_health_counts_windows(ask):
    """The health check is JSON and has asked the store."""
    assert ask(filled(), "/healthz").json().items() >= {"status": "ok", "windows": 4}.items()


class BrokenStore(FakeStore):
    """A store whose database is gone."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def findings(self):
        """Fails."""
        raise self._error

    def windows(self):
        """Fails."""
        raise self._error


def test_unreadable_store_is_said(ask):
    """A store that can't be read gives 503 with its reason, as a page and as JSON."""
    store = BrokenStore(StoreError("the database is locked"))
    for path in ("/", "/healthz"):
        answer = ask(store, path)
        assert answer.status_code == 503
        assert "the database is locked" in answer.text


def test_fault_tells_nothing_to_the_browser(ask):
    """A bug gives 500 in style and guarded, without the exception's text."""
    answer = ask(BrokenStore(RuntimeError("secret detail")), "/")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
