"""The tracker on GitHub: sent once, what came of it as a value, and found again by listing."""

import pytest

from bot.edges.github.access import Access
from bot.edges.github.connect import connect
from bot.edges.github.tokens import FILER
from bot.edges.github.tracker import GitHubTracker
from bot.errors import ForgeError, InputError
from bot.model import (
    Answer,
    Carried,
    Declined,
    Filed,
    Intent,
    Outbound,
    Overtaken,
    Unsent,
    Unsure,
)
from bot.model.outbox import identity
from tests.double import Token, changes, faults, landing
from tests.filing.campaign import AFTER_COMMIT, BEFORE_COMMIT, TIMEOUT_S
from tests.filing.desk import NOON, REPO, Room, issue

ISSUES = f"/repos/{REPO}/issues"
WRITES = {"path": "/repos/"}


def ready(**more: object) -> Intent:
    """An intent with its id, as the outbox gives it."""
    plain = issue(sent_at=NOON, **more)
    return plain.model_copy(update={"id": identity(plain.key, 1)})


def posted(room: Room, intent: Intent) -> Answer:
    """What comes of sending it."""
    with room.desk() as desk:
        desk.tracker.greet(REPO)
        return desk.tracker.post(intent)


def found(room: Room, intent: Intent) -> Filed | None:
    """What a filer that starts anew finds of it."""
    with room.desk() as desk:
        desk.tracker.greet(REPO)
        return desk.tracker.find(intent)


def thread(room: Room, **more: object) -> int:
    """An issue of ours that is there."""
    done = posted(room, ready(about="there", **more))
    assert isinstance(done, Carried)
    return done.filed.number


KINDS: dict[str, dict[str, object]] = {
    "issue": {},
    "comment": {"kind": Outbound.COMMENT},
    "edit": {"kind": Outbound.EDIT},
    "label": {"kind": Outbound.LABEL, "labels": ("one", "two")},
    "close": {"kind": Outbound.CLOSE, "body": "not_planned"},
    "reaction": {"kind": Outbound.REACTION, "body": "eyes"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_sent_once_and_found_again(kind: str, room: Room) -> None:
    """Each kind is one request, is where its answer says, and is found there by a filer that knows only the intent."""
    number = thread(room)
    intent = ready(**({"number": number} if kind != "issue" else {}), **KINDS[kind])
    assert found(room, intent) is None
    before = len(room.posts)
    answer = posted(room, intent)
    assert isinstance(answer, Carried), answer
    assert len(room.posts) == before + 1
    assert found(room, intent) == answer.filed
    made = room.repository.threads[answer.filed.number]
    assert {"issue": intent.body in made.body, "comment": bool(made.comments and made.comments[0].body == intent.text),
            "edit": intent.body in made.body, "label": {"one", "two"} <= set(made.labels), "close": not made.open,
            "reaction": bool(made.reactions)}[kind]  # fmt: skip
    assert made.number == number or kind == "issue"


def test_reopened(room: Room) -> None:
    """A closed issue is open again."""
    number = thread(room)
    changes.close(room.repository, number)
    intent = ready(kind=Outbound.REOPEN, number=number)
    assert found(room, intent) is None
    assert isinstance(posted(room, intent), Carried)
    assert room.repository.threads[number].open


def test_a_comment_of_ours_is_edited_and_reacted_to(room: Room) -> None:
    """By its own address."""
    number = thread(room)
    first = posted(room, ready(kind=Outbound.COMMENT, number=number, body="first"))
    assert isinstance(first, Carried)
    same = {"number": number, "comment": first.filed.comment}
    for kind, body in ((Outbound.EDIT, "second"), (Outbound.REACTION, "+1")):
        intent = ready(kind=kind, body=body, **same)
        assert isinstance(posted(room, intent), Carried)
        assert found(room, intent) is not None
    (comment,) = room.repository.threads[number].comments
    assert ("second" in comment.body, "first" in comment.body, len(comment.reactions)) == (True, False, 1)


def test_an_edit_leaves_what_people_wrote(room: Room) -> None:
    """Around our block everything stays; where they wrote in it, nothing is sent."""
    number = thread(room)
    body = room.repository.threads[number].body
    changes.edit(room.repository, number, body=f"A note above.\n\n{body}\nA note below.")
    assert isinstance(posted(room, ready(kind=Outbound.EDIT, number=number, body="news")), Carried)
    now = room.repository.threads[number].body
    assert (now.startswith("A note above."), now.endswith("A note below."), "news" in now) == (True, True, True)
    changes.edit(room.repository, number, body=now.replace("news", "my news"))
    before = len(room.posts)
    for gone in (number, 999):
        assert isinstance(posted(room, ready(kind=Outbound.EDIT, number=gone, body="more")), Overtaken)
    assert len(room.posts) == before
    assert "my news" in room.repository.threads[number].body


def test_an_edit_that_can_not_be_read_first_is_not_sent(room: Room) -> None:
    """Nothing is known, so nothing is written."""
    number = thread(room)
    room.double.add(faults.bad_gateway(method="GET", path=f"/issues/{number}$"))
    before = len(room.posts)
    assert isinstance(posted(room, ready(kind=Outbound.EDIT, number=number)), Unsent)
    assert len(room.posts) == before


@pytest.mark.parametrize("name", AFTER_COMMIT)
def test_lost_after_it_was_done(name: str, room: Room) -> None:
    """Whatever is answered instead, it is Unsure, there is one issue, and it is found."""
    room.timeout_s = TIMEOUT_S
    room.double.add(AFTER_COMMIT[name]())
    intent = ready()
    answer = posted(room, intent)
    assert isinstance(answer, Unsure), answer
    assert len(answer.why.splitlines()) == 1
    assert len(room.posts) == len(room.repository.threads) == 1
    assert found(room, intent) is not None


@pytest.mark.parametrize("name", BEFORE_COMMIT)
def test_failed_before_it_was_done(name: str, room: Room) -> None:
    """Only limits say for certain that nothing was done."""
    room.double.add(BEFORE_COMMIT[name]())
    answer = posted(room, ready())
    assert isinstance(answer, Unsure if "before" in name else Unsent), answer
    assert (len(room.posts), len(room.repository.threads)) == (1, 0)


@pytest.mark.parametrize(
    ("status", "message", "every"),
    [
        (401, "Bad credentials", True),
        (403, "Resource not accessible by personal access token", True),
        (403, "Unable to create comment because issue is locked", False),
        (404, "Not Found", True),
        (410, "Issues are disabled for this repo", True),
        (422, "Validation Failed", False),
        (400, "Problems parsing JSON", False),
    ],
)
def test_refused(status: int, message: str, every: bool, room: Room) -> None:
    """GitHub's own no, in one line of its words; whether it is about everything is told."""
    room.double.add(faults.status(status, message, method="POST", **WRITES))
    answer = posted(room, ready())
    assert isinstance(answer, Declined), answer
    assert (message in answer.why, len(answer.why.splitlines()), answer.all) == (True, 1, every)
    assert len(room.posts) == 1


def test_refused_in_one_thread(room: Room) -> None:
    """404 of a comment is about that issue alone."""
    answer = posted(room, ready(kind=Outbound.COMMENT, number=99))
    assert isinstance(answer, Declined)
    assert not answer.all


def test_nobody_there(room: Room) -> None:
    """What could not even connect was not sent."""
    access = Access(api="http://127.0.0.1:1")
    with connect(
        access, REPO, room.time, {FILER.variable: "x"}, sleep=room.time.sleep, place=FILER, writes=True
    ) as forge:
        assert isinstance(GitHubTracker(forge.rest).post(ready()), Unsent)


def test_a_way_that_people_must_mend(room: Room) -> None:
    """A client that only reads, or whose way is broken, sends nothing."""
    with room.desk() as desk:
        assert isinstance(desk.tracker, GitHubTracker)
        desk.tracker._rest._writes = False
        assert isinstance(desk.tracker.post(ready()), Unsent)
    assert room.posts == []


def test_an_endless_answer_is_unsure(room: Room) -> None:
    """It was sent, whatever is wrong with what came."""

    def long(_: object, answer: object) -> object:
        answer.body = b" " * (65 << 20)  # type: ignore[attr-defined]
        return answer

    room.double.add(faults.Rule("long", after=long, method="POST"))  # type: ignore[arg-type]
    assert isinstance(posted(room, ready()), Unsure)


def test_only_what_we_wrote_counts(room: Room) -> None:
    """A copy of our text by somebody else is not found, nor a pull request with it, nor another finding's issue."""
    intent = ready()
    changes.create_issue(room.repository, "copy", intent.text, author="copycat")
    changes.create_pull(room.repository, "copy", intent.text, author="alignbot")
    changes.create_issue(room.repository, "other", ready(about="other").text, author="alignbot")
    assert found(room, intent) is None
    mine = changes.create_issue(room.repository, "mine", intent.text, author="alignbot")
    filed = found(room, intent)
    assert filed is not None
    assert filed.number == mine.number
    comment = ready(kind=Outbound.COMMENT, number=mine.number)
    changes.comment(room.repository, mine.number, comment.text, author="copycat")
    assert found(room, comment) is None
    changes.react(room.repository, mine, "eyes", by="copycat")
    assert found(room, ready(kind=Outbound.REACTION, number=mine.number, body="eyes")) is None


def test_all_of_ours_by_finding(room: Room) -> None:
    """Closed ones too, over several pages, without those of others and without pull requests."""
    for number in range(130):
        intent = issue(number)
        changes.create_issue(room.repository, "t", intent.text.replace("intent=", "intent=0"), author="alignbot")
    changes.close(room.repository, 1)
    changes.create_issue(room.repository, "copy", ready().text, author="copycat")
    changes.create_pull(room.repository, "copy", ready().text, author="alignbot")
    with room.desk() as desk:
        desk.tracker.greet(REPO)
        own = desk.tracker.own(REPO)
    assert {name: [one.number for one in filed] for name, filed in own.items()} == {
        f"{number:016x}": [number + 1] for number in range(130)
    }


def test_a_list_without_end(room: Room) -> None:
    """Is an error of GitHub's, and no look that found nothing."""
    full = [{"number": number, "body": "", "html_url": "u"} for number in range(100)]

    def same(_: object, answer: object) -> object:
        answer.body = str(full).replace("'", '"').encode()  # type: ignore[attr-defined]
        return answer

    room.double.add(faults.Rule("same", after=same, path="/issues$", times=None))  # type: ignore[arg-type]
    with pytest.raises(ForgeError, match="does not end"):
        found(room, ready())


@pytest.mark.parametrize("shown", ['{"message": "x"}', '[{"body": 1}, "x"]'])
def test_lists_of_another_shape(shown: str, room: Room) -> None:
    """What is no list of objects shows nothing."""

    def other(_: object, answer: object) -> object:
        answer.status, answer.body = 200, shown.encode()  # type: ignore[attr-defined]
        return answer

    room.double.add(faults.Rule("other", after=other, path="/(issues|comments|reactions)$", times=None))  # type: ignore[arg-type]
    looked = [ready(), ready(kind=Outbound.COMMENT, number=1), ready(kind=Outbound.REACTION, number=1, body="eyes")]
    assert [found(room, intent) for intent in looked] == [None] * 3


@pytest.mark.parametrize("told", ['{"body": "MARK"}', '{"body": "MARK", "number": "4", "html_url": "u"}', "[1]", "{}"])
def test_an_answer_of_another_shape_is_unsure(told: str, room: Room) -> None:
    """With the status of success, but not what was sent."""
    intent = ready()

    def other(_: object, answer: object) -> object:
        answer.body = told.replace("MARK", intent.marker).encode()  # type: ignore[attr-defined]
        return answer

    room.double.add(faults.Rule("other", after=other, method="POST", times=None))  # type: ignore[arg-type]
    for each in (intent, ready(kind=Outbound.LABEL, number=1), ready(kind=Outbound.REACTION, number=1, body="eyes")):
        assert isinstance(posted(room, each), Unsure)


def test_greeting(room: Room) -> None:
    """Asks whose the token is once, and each time whether the repository is there under its name."""
    with room.desk() as desk:
        desk.tracker.greet(REPO)
        desk.tracker.greet(REPO)
    assert [each.path for each in room.double.log] == ["/user", f"/repos/{REPO}", f"/repos/{REPO}"]
    landing.rename_repository(room.repository, "intel/kernels")
    with room.desk() as desk, pytest.raises(InputError, match=r"set target\.repo"):
        desk.tracker.greet(REPO)
    with room.desk() as desk, pytest.raises(InputError, match=r"nothing for intel/none"):
        desk.tracker.greet("intel/none")
    installed = Token(value="ghs_" + "i" * 36, login="app[bot]", kind="installation", permissions={"issues": "write"})
    room.token = room.double.world.add_token(installed)
    with room.desk() as desk, pytest.raises(InputError, match="not accessible"):
        desk.tracker.greet(REPO)
    room.double.add(faults.Rule("other", after=lambda _, answer: _emptied(answer), path="/user$"))
    with room.desk() as desk, pytest.raises(InputError, match="personal token"):
        desk.tracker.greet(REPO)


def _emptied(answer: object) -> object:
    answer.status, answer.body = 200, b"{}"  # type: ignore[attr-defined]
    return answer
