"""A window that nothing disturbs: it ends closed with the truth, cheaply, and what it can't be read from is told."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.edges.github.heads import Place
from bot.edges.readings import ADOPTED
from bot.errors import InputError, LimitedError
from bot.model import ItemKind, Link, ReadingState, Window
from tests.double import Token, World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.double.exchange import Answer, Exchange, as_json
from tests.double.faults import Rule
from tests.double.test_app import keys
from tests.github.windowed import (
    DAY,
    MORNING,
    PLACES,
    SETTLED,
    START,
    TARGET,
    UPSTREAM,
    Windowed,
    day_world,
    empty_world,
    larger_than,
    truth,
    upstream,
    windowed,
)

pytestmark = needs_schema
END = DAY.end
SECOND = timedelta(seconds=1)


def test_a_day_of_400_items(tmp_path: Path) -> None:
    """It is closed with the truth, each item as it is, for ten points and ten requests at most; again for none."""
    world, day = day_world(400)
    with windowed(world, tmp_path) as here:
        reading = here.read()
        assert (reading.state, reading.why) == (ReadingState.CLOSED, "")
        assert here.double.points <= 10
        assert here.double.requests <= 10
        assert here.landings() == truth(world)
        items = here.items()
        for number in day.items:
            item, thread = items[f"{UPSTREAM}#{number}"], upstream(world).threads[number]
            told = (item.title, item.body, list(item.labels), item.state.value.upper(), item.created_at)
            assert told == (thread.title, thread.body, thread.labels, thread.state, thread.created_at)
        assert reading.proof is not None
        gone = {"discussion": len(day.discussions), "deleted": len(day.deleted), "hidden": len(day.hidden),
                "transferred": len(day.transferred_out), "elsewhere": len(day.transferred_in),
                "issue": len(day.issues), "pull": len(day.pulls)}  # fmt: skip
        assert reading.proof.accounted == gone
        assert reading.counts["landed"] == len(set(day.landed.values()))
        asked = here.double.requests
        assert here.read() == reading
        assert here.double.requests == asked


def test_reverts_and_commits_of_nobody_are_items(tmp_path: Path) -> None:
    """Each revert is a commit that says what it takes back, a direct commit one that links nothing."""
    world, day = day_world(60)
    with windowed(world, tmp_path) as here:
        here.read()
        commits = {item.number: item for item in here.items().values() if item.kind is ItemKind.COMMIT}
    assert commits.keys() == {*day.reverts, *day.direct}
    assert day.reverts
    for oid, number in day.reverts.items():
        assert commits[oid].links == (Link(kind="reverts", repo=UPSTREAM, number=number),)
        assert commits[oid].title.startswith('Revert "')
    assert all(commits[oid].links == () for oid in day.direct)


def test_the_last_landing_counts(tmp_path: Path) -> None:
    """Landed, reverted and landed again: the last commit; never the revert, and not what landed outside the window."""
    world = empty_world()
    repository = upstream(world)
    numbers = [changes.create_pull(repository, f"Change {n}", at=START + timedelta(minutes=n)).number for n in range(4)]
    twice, undone, later, old = numbers
    repository.threads[old].created_at = START - timedelta(days=3)
    first = landing.land(repository, twice, at=START + timedelta(hours=1))
    landing.revert(repository, twice, at=START + timedelta(hours=2))
    second = landing.land(repository, twice, at=START + timedelta(hours=3))
    only = landing.land(repository, undone, at=START + timedelta(hours=4))
    landing.revert(repository, undone, at=START + timedelta(hours=5))
    late = landing.land(repository, old, at=END - SECOND)
    landing.land(repository, later, at=END)
    with windowed(world, tmp_path) as here:
        here.read()
        landed = {number: here.item(number).landed_sha for number in numbers}
        assert here.landings() == truth(world)
    assert landed == {twice: second.oid, undone: only.oid, later: None, old: late.oid}
    assert first.oid != second.oid


def test_a_stack_lands_unmerged(tmp_path: Path) -> None:
    """A layer of a stack is closed and never merged; its commit tells that it landed. GitHub's button merges."""
    world = empty_world()
    repository = upstream(world)
    layer = changes.create_pull(repository, "Layer", base="gh/a/1/base", head="gh/a/1/head", at=START).number
    button = changes.create_pull(repository, "Button", at=START + SECOND).number
    made = landing.land(repository, layer, at=START + timedelta(hours=1))
    merged = landing.merge(repository, button, at=START + timedelta(hours=2))
    with windowed(world, tmp_path) as here:
        here.read()
        item = here.item(layer)
        assert (item.state, item.merged_at, item.landed_sha, item.base_ref) == ("closed", None, made.oid, "gh/a/1/base")
        other = here.item(button)
        assert (other.state, other.merged_at, other.landed_sha) == ("merged", merged.committed_at, merged.oid)


def test_boundaries(tmp_path: Path) -> None:
    """What was made in the first second belongs to the window, what was made in the second of its end does not."""
    world = empty_world()
    repository = upstream(world)
    for at in (START - SECOND, START, START, END - SECOND, END, END):
        changes.create_issue(repository, "An issue", at=at)
        landing.commit(repository, f"At {at}", at=at)
    before = Window(start=START - timedelta(days=1), end=START)
    after = Window(start=END, end=END + timedelta(hours=20))
    with windowed(world, tmp_path) as here:
        for window in (DAY, before, after):
            assert here.read(window).state is ReadingState.CLOSED
        numbers = [sorted(str(n) for n in _numbers(here, window)) for window in (before, DAY, after)]
        assert numbers == [["1"], ["2", "3", "4"], ["5", "6"]]
        for window in (before, DAY, after):
            assert here.landings(window) == truth(world, window)


def test_a_crowded_first_second(tmp_path: Path) -> None:
    """What was made in one second may fill pages: they are followed to the end of it, and nothing is left to find."""
    world = empty_world()
    for at in (START - SECOND, *[START] * 13, START + SECOND):
        changes.create_issue(upstream(world), "An issue", at=at)
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(5), times=None))
        assert here.read().counts == {"issue": 14, "landed": 0}
        assert here.readings.page(DAY, ADOPTED) is None


def _numbers(here: Windowed, window: Window) -> list[int]:
    return [item.number for item in here.items(window).values() if isinstance(item.number, int)]


@pytest.mark.parametrize("around", ["nothing", "before", "after", "both"])
def test_a_window_without_items(tmp_path: Path, around: str) -> None:
    """It is closed and empty, whether there is something before it, after it, both, or nothing at all."""
    world = empty_world()
    for minute in range(5):
        if around in ("before", "both"):
            changes.create_pull(upstream(world), "Early", at=START - timedelta(hours=5, minutes=-minute))
    for minute in range(5):
        if around in ("after", "both"):
            changes.create_pull(upstream(world), "Late", at=END + timedelta(hours=1, minutes=minute))
    with windowed(world, tmp_path) as here:
        reading = here.read()
        assert (reading.state, reading.counts) == (ReadingState.CLOSED, {"landed": 0})
        assert here.landings() == {}


def test_numbers_that_trailers_only_claim(tmp_path: Path) -> None:
    """A trailer that names an issue, a discussion, or no number that was given leaves the commit to stand for itself.

    So does one of a pull request that GitHub hides; one of another repository, or beyond GitHub's numbers, is text.
    """
    world = empty_world()
    repository = upstream(world)
    issue = changes.create_issue(repository, "An issue", at=START).number
    talk = changes.create_discussion(repository, "A talk", at=START + SECOND).number
    hidden = changes.create_pull(repository, "Spam", at=START + 2 * SECOND).number
    landing.land(repository, hidden, at=START + timedelta(hours=1))
    changes.hide(repository, hidden)
    for number in (issue, talk, 999_999_999, 99_999_999_999):
        url = f"https://github.com/{UPSTREAM}/pull/{number}"
        landing.commit(repository, f"Fix\n\nPull Request resolved: {url}", at=START + timedelta(hours=2))
    other = "Fix\n\nPull Request resolved: https://github.com/other/place/pull/1"
    landing.commit(repository, other, at=START + timedelta(hours=3))
    with windowed(world, tmp_path) as here:
        reading = here.read()
        assert reading.state is ReadingState.CLOSED
        assert reading.counts == {"commit": 6, "issue": 1, "landed": 0}
        assert here.landings() == truth(world)
        assert here.item(issue).landed_sha is None


def test_a_revert_that_was_a_pull_request_itself(tmp_path: Path) -> None:
    """It is a landed pull request, and says which one it takes back."""
    world = empty_world()
    repository = upstream(world)
    first = changes.create_pull(repository, "Add a kernel", at=START).number
    landing.land(repository, first, at=START + timedelta(hours=1))
    second = changes.create_pull(repository, f'Revert "Add a kernel (#{first})"', at=START + timedelta(hours=2)).number
    made = landing.land(repository, second, at=START + timedelta(hours=3))
    with windowed(world, tmp_path) as here:
        here.read()
        item = here.item(second)
        assert (item.landed_sha, item.links) == (made.oid, (Link(kind="reverts", repo=UPSTREAM, number=first),))
        assert here.landings() == truth(world)


def test_strange_items(tmp_path: Path) -> None:
    """No author, an app as author, control characters, half a character, an empty body, a hundred labels: all kept."""
    world = empty_world()
    repository = upstream(world)
    labels = [f"label {n}" for n in range(100)]
    nobody = changes.create_issue(repository, "\x00a\tb\nc\u2028d\x1b[31m", "", author=None, labels=labels, at=START)
    bot = changes.create_pull(repository, "HALF \U0001f525", "x" * 65_536, author="app[bot]", at=START + SECOND)
    with windowed(world, tmp_path) as here:
        here.double.add(Rule("half", after=_halved, times=None))
        assert here.read().state is ReadingState.CLOSED
        item = here.item(nobody.number)
        assert (item.title, item.body, item.author, list(item.labels)) == (nobody.title, "", "", labels)
        other = here.item(bot.number)
        assert (other.title, len(other.body), other.author) == ("\ufffd \U0001f525", 65_536, "app[bot]")


def _halved(_: Exchange, answer: Answer) -> Answer:
    answer.body = answer.body.replace(b"HALF", b"\\ud83d")
    return answer


def test_merged_branches(tmp_path: Path) -> None:
    """Commits of a merged branch are on the default branch, each once, with the merge."""
    world = empty_world()
    repository = upstream(world)
    base = landing.commit(repository, "Base", at=START + timedelta(hours=1))
    side = landing.commit(repository, "Side", at=START + timedelta(hours=2))
    main = landing.commit(repository, "Main", at=START + timedelta(hours=3))
    main.parents = (base.oid,)
    merge = landing.commit(repository, "Merge branch 'side'", at=START + timedelta(hours=4))
    merge.parents = (main.oid, side.oid)
    with windowed(world, tmp_path) as here:
        assert here.read().counts == {"commit": 4, "landed": 0}
        assert here.landings() == truth(world)


@pytest.mark.parametrize("spelling", ["PyTorch/PyTorch", "pytorch/pytorch"])
def test_spelling_of_the_repository(tmp_path: Path, spelling: str) -> None:
    """However the configuration spells it, items and links have the one key that GitHub's spelling gives them."""
    world = empty_world()
    issue = changes.create_issue(upstream(world), "A fault", at=START).number
    pull = changes.create_pull(upstream(world), "A fix", f"Fixes #{issue}", at=START + SECOND).number
    with windowed(world, tmp_path, places=(Place("upstream", spelling, "main"), PLACES[1])) as here:
        here.read()
        assert here.landings() == truth(world)
        (found,) = here.source().details([here.item(pull)])
        assert found.links == (Link(kind="fixes", repo=UPSTREAM, number=issue),)


def test_both_heads_are_frozen(tmp_path: Path) -> None:
    """The heads stay those that were there when the window was opened, and what landed later is not of the window."""
    world, day = day_world(12, now=MORNING)
    repository, target = upstream(world), world.repositories[TARGET]
    with windowed(world, tmp_path) as here:
        frozen = here.source().heads()
        assert (frozen.upstream, frozen.target) == (repository.commits[-1].oid, target.commits[-1].oid)
        expected = truth(world)
        late = landing.commit(repository, "Pushed with an old date", at=day.end - SECOND)
        landing.commit(target, "Another", at=MORNING)
        reading = here.read()
        assert reading.heads == frozen
        assert here.landings() == expected
        assert f"{UPSTREAM}@{late.oid}" in truth(world)


@pytest.mark.parametrize(("minutes", "error"), [(-1, InputError), (0, LimitedError), (1, LimitedError), (2, None)])
def test_when_a_window_may_be_read(tmp_path: Path, minutes: int, error: type[Exception] | None) -> None:
    """Not before its end, and not while GitHub's replicas may still lack its last items; nothing is stored by then."""
    world, _ = day_world(12, now=END + timedelta(minutes=minutes))
    with windowed(world, tmp_path) as here:
        if error is None:
            here.source().heads()
            return
        with pytest.raises(error, match=r"is not (over yet|long enough over)"):
            here.source().heads()
        assert here.readings.all() == []
        world.clock.set(SETTLED)
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)


def test_a_window_is_not_begun_on_an_empty_budget(tmp_path: Path) -> None:
    """With too few points left it is not opened, and the error says when it can be; a long one needs more."""
    world, _ = day_world(12)
    world.limits["graphql"] = 100
    month = Window(start=END - timedelta(days=10), end=END)
    with windowed(world, tmp_path) as here:
        with pytest.raises(InputError, match=r"this needs 300 points .* choose a shorter window"):
            here.source(month).heads()
        for _ in range(71):
            here.forge.graphql.ask("query Idle { rateLimit { cost remaining resetAt } }", {}, "Idle")
        with pytest.raises(LimitedError, match=r"this needs 30 points of GitHub's graphql budget, 2[0-9] are left"):
            here.source().heads()
        assert here.readings.all() == []
        world.clock.advance(3_700)
        assert here.read().state is ReadingState.CLOSED


def restricted(world: World, *held: str) -> str:
    """Make both repositories ones that need permissions, and a token that has these."""
    for each in world.repositories.values():
        each.restricted = True
    permissions = dict.fromkeys(held, "read")
    return world.add_token(Token("github_pat_" + "x" * 40, "reader", "fine-grained", permissions=permissions))


@pytest.mark.parametrize("missing", ["issues", "pull_requests", "contents"])
def test_a_missing_permission(tmp_path: Path, missing: str) -> None:
    """It is told in one sentence before anything is stored, and with it the window is read."""
    world, _ = day_world(12)
    every = ("metadata", "issues", "pull_requests", "contents", "discussions")
    token = restricted(world, *(each for each in every if each != missing))
    with windowed(world, tmp_path, token=token) as here:
        with pytest.raises(InputError, match=r"may not .*Resource not accessible.*Issues, Pull requests and Contents"):
            here.source().heads()
        assert here.readings.all() == []
        here.world.tokens[token].permissions[missing] = "read"
        assert here.read().state is ReadingState.CLOSED


def test_discussions_may_be_out_of_reach(tmp_path: Path) -> None:
    """Without that permission their numbers are as hidden ones are: a day later the window is closed with the truth."""
    world, day = day_world(30, now=MORNING)
    token = restricted(world, "metadata", "issues", "pull_requests", "contents")
    with windowed(world, tmp_path, token=token) as here:
        reading = here.read()
        hidden = sorted([*day.discussions, *day.hidden])
        assert reading.proof is not None
        assert (reading.state, list(reading.proof.unaccounted)) == (ReadingState.OPEN, hidden)
        here.closes_truly()


def test_discussions_may_be_denied_at_once(tmp_path: Path) -> None:
    """Where GitHub denies the list of discussions and with it the repository, it is asked without."""

    def after(exchange: Exchange, answer: Answer) -> Answer:
        if not (exchange.graphql or {})["variables"]["discussions"]:
            return answer
        content = answer.content
        content["data"]["upstream"] = None
        content["errors"] = [{"type": "FORBIDDEN", "path": ["upstream", "discussions"], "message": "Not accessible"}]
        return as_json(200, content, answer.headers)

    world, _ = day_world(12)
    with windowed(world, tmp_path) as here:
        here.double.add(Rule("no discussions", after=after, operation="Heads", times=None))
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)


def _bad_token(world: World) -> str:
    return "ghp_" + "z" * 36


def _expired(world: World) -> str:
    token = Token("ghp_" + "e" * 36, "reader", scopes=("public_repo",), expires_at=SETTLED - SECOND)
    return world.add_token(token)


def _renamed(world: World) -> str:
    landing.rename_repository(upstream(world), "pytorch/torch")
    return world.token


def _renamed_target(world: World) -> str:
    landing.rename_repository(world.repositories[TARGET], "intel/xpu")
    return world.token


def _renamed_branch(world: World) -> str:
    landing.rename_branch(upstream(world), "trunk")
    return world.token


def _wrong_repository(world: World) -> str:
    del world.repositories[UPSTREAM]
    return world.token


def _empty(world: World) -> str:
    upstream(world).commits.clear()
    return world.token


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_bad_token, "GitHub does not accept the credentials (Bad credentials): check ALIGNBOT_GITHUB_TOKEN"),
        (_expired, "GitHub does not accept the credentials (Bad credentials): check ALIGNBOT_GITHUB_TOKEN"),
        (_renamed, "pytorch/pytorch is now pytorch/torch: set upstream.repo"),
        (_renamed_target, "intel/torch-xpu-ops is now intel/xpu: set target.repo"),
        (_renamed_branch, "the default branch of pytorch/pytorch is 'trunk', not 'main'"),
        (_wrong_repository, "GitHub has no repository pytorch/pytorch that this token may read: set upstream.repo"),
        (_empty, "pytorch/pytorch has no default branch: set upstream.repo to a repository with commits"),
    ],
)
def test_what_a_person_has_to_mend(tmp_path: Path, make: object, said: str) -> None:
    """One sentence says it; no window is opened, and nothing of it stands in the way once it is mended."""
    assert callable(make)
    broken, _ = day_world(12)
    token = make(broken)
    with windowed(broken, tmp_path, token=token) as here:
        with pytest.raises(InputError) as raised:
            here.source().heads()
        assert str(raised.value).startswith(said)
        assert "\n" not in str(raised.value)
        assert here.readings.all() == []
    mended, _ = day_world(12)
    with windowed(mended, tmp_path) as here:
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(mended)


def test_a_missing_scope(tmp_path: Path) -> None:
    """It is told in one sentence, and no window is opened."""
    world, _ = day_world(12)
    said = "Your token has not been granted the required scopes to execute this query."
    with windowed(world, tmp_path) as here:
        error = {"errors": [{"type": "INSUFFICIENT_SCOPES", "message": said}]}
        here.double.add(Rule("scopes", before=lambda *_: as_json(200, error)))
        with pytest.raises(InputError, match=r"^the token lacks a scope \(Your token .*\): make one that has it"):
            here.source().heads()
        assert here.readings.all() == []
        assert here.read().state is ReadingState.CLOSED


@pytest.mark.parametrize("known", [True, False])
def test_the_key_of_an_app(tmp_path: Path, known: bool) -> None:
    """With a key that GitHub knows the window is read; one that was taken back is told, and nothing is opened."""
    world, _ = day_world(12)
    app = world.add_app((keys() if known else keys("another"))[1])
    world.install(app, UPSTREAM)
    (path := tmp_path / "key.pem").write_text(keys()[0])
    path.chmod(0o600)
    with windowed(world, tmp_path, app_id=str(app.app_id), app_key_file=path) as here:
        if known:
            assert here.read().state is ReadingState.CLOSED
            assert here.landings() == truth(world)
            return
        with pytest.raises(InputError, match=r"could not be decoded.*check github\.app_id and github\.app_key_file"):
            here.source().heads()
        assert here.readings.all() == []


def test_another_repository_in_the_same_folder(tmp_path: Path) -> None:
    """What was read of one repository is not gone on with for another."""
    world, _ = day_world(12)
    other = Place("upstream", "pytorch/vision", "main")
    with windowed(world, tmp_path) as here:
        here.source().heads()
        here.places = (other, PLACES[1])
        with pytest.raises(InputError, match=r"were read from pytorch/pytorch, and upstream\.repo is pytorch/vision"):
            here.source().items()
        here.places = PLACES
        reading = here.read()
        assert (reading.state, reading.upstream, reading.target) == (ReadingState.CLOSED, UPSTREAM, TARGET)


def test_a_repository_renamed_while_it_is_read(tmp_path: Path) -> None:
    """Nothing is taken for transferred: a person has to look, and the window stays open with that reason."""
    world, _ = day_world(12)
    with windowed(world, tmp_path) as here:
        here.source().heads()
        landing.rename_repository(upstream(world), "pytorch/torch")
        with pytest.raises(InputError, match=r"GitHub shows no repository pytorch/pytorch: check upstream.repo"):
            here.read()
        reading = here.readings.load(DAY)
        assert reading is not None
        assert reading.why.startswith("GitHub shows no repository pytorch/pytorch")
        assert list(here.store.listed(DAY)) == []


def test_a_window_that_was_not_saved_stays_open(tmp_path: Path) -> None:
    """Proven whole is not enough: only what the store holds closes a window."""
    world, _ = day_world(12)
    with windowed(world, tmp_path) as here:
        source = here.source()
        items = source.items()
        assert source.reading().state is ReadingState.OPEN
        told = list(items)
        assert source.reading().why == "it was read whole, and its items could not be saved"
        here.store.save_items(DAY, iter(told[1:]))
        assert source.reading().state is ReadingState.OPEN
        here.store.save_items(DAY, iter(told))
        assert source.reading().state is ReadingState.CLOSED
        assert here.landings() == truth(world)
