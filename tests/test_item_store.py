"""Items in a Store: what a listing says again is kept with its details, what it says otherwise is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, insert
from sqlmodel import create_engine

from bot.edges.item_rows import CHUNK
from bot.edges.store import SqlStore
from bot.edges.tables import ItemRow
from bot.model import Comment, Item, ItemKind
from bot.seams import Store, StoreError
from tests.dashboard.fake_store import FakeStore
from tests.dashboard.sample import DAY_BEFORE
from tests.sample_line import WINDOW, open_store


@pytest.fixture(params=["database", "fake"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each implementation in turn."""
    if request.param == "fake":
        yield FakeStore()
        return
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def item(number: int, title: str = "a title", *comments: str) -> Item:
    """An issue."""
    said = tuple(Comment(body=body) for body in comments)
    return Item(repo="a/b", number=number, kind=ItemKind.ISSUE, title=title, comments=said)


ONE, TWO, THREE, FOUR = (item(number) for number in (1, 2, 3, 4))
WHOLE = item(1, "a title", "a comment")


def kept(store: Store) -> list[Item]:
    return list(store.items(WINDOW))


def test_a_window_has_its_listing_and_no_more(store: Store) -> None:
    """Items that a later listing lacks go; other windows keep theirs."""
    store.save_items(DAY_BEFORE, [ONE, FOUR])
    store.save_items(WINDOW, iter([THREE, ONE]))
    store.save_items(WINDOW, iter([TWO, ONE]))
    assert kept(store) == [ONE, TWO]
    assert list(store.items(DAY_BEFORE)) == [ONE, FOUR]
    store.save_items(WINDOW, [])
    assert kept(store) == []


def test_items_come_in_the_order_of_their_keys(store: Store) -> None:
    """Those asked for, as they were asked for; what isn't there is left out."""
    store.save_items(WINDOW, [ONE, TWO, THREE])
    assert list(store.items(WINDOW, [THREE.key, FOUR.key, ONE.key])) == [THREE, ONE]
    assert list(store.items(WINDOW, [])) == []


def test_a_listing_that_says_the_same_keeps_the_details(store: Store) -> None:
    """Told again as it was listed, or as it is kept, an item stays detailed."""
    store.save_items(WINDOW, [ONE, TWO])
    assert store.undetailed(WINDOW, [TWO.key, ONE.key, FOUR.key]) == [TWO.key, ONE.key]
    store.save_details(WINDOW, {ONE.key}, [WHOLE])
    for told in (ONE, WHOLE, ONE):
        store.save_items(WINDOW, [told, TWO])
        assert kept(store) == [WHOLE, TWO]
        assert store.undetailed(WINDOW, [ONE.key, TWO.key]) == [TWO.key]


def test_a_listing_that_says_otherwise_is_believed(store: Store) -> None:
    """What has changed is kept as it is told now, and its details are to be asked for again."""
    store.save_items(WINDOW, [ONE])
    store.save_details(WINDOW, {ONE.key}, [WHOLE])
    for told in (item(1, "another title"), item(1, "a title", "another comment"), ONE):
        store.save_items(WINDOW, [told])
        assert kept(store) == [told]
        assert store.undetailed(WINDOW, [ONE.key]) == [ONE.key]


def test_what_comes_from_outside_stays(store: Store) -> None:
    """It survives listings that don't have it, until it is forgotten, and never overrules the window's own listing."""
    store.save_items(WINDOW, [ONE, TWO])
    store.save_details(WINDOW, {ONE.key}, [WHOLE, item(2, "not the listing's"), THREE])
    assert kept(store) == [WHOLE, TWO, THREE]
    assert store.undetailed(WINDOW, [ONE.key, TWO.key, THREE.key]) == [TWO.key, THREE.key]
    store.save_details(WINDOW, {THREE.key}, [item(3, "a title", "seen")])
    store.save_details(WINDOW, {TWO.key}, [TWO, THREE])
    store.save_items(WINDOW, [ONE, TWO])
    assert kept(store) == [WHOLE, TWO, item(3, "a title", "seen")]
    assert store.undetailed(WINDOW, [THREE.key]) == []
    store.save_details(WINDOW, (), [item(3, "edited")])
    assert store.undetailed(WINDOW, [THREE.key]) == [THREE.key]
    store.forget_items(WINDOW, [THREE.key])
    assert kept(store) == [WHOLE, TWO]


def test_what_is_listed_at_last_is_of_the_window(store: Store) -> None:
    """An item from outside that a listing has goes with the listing; its details are kept."""
    store.save_items(WINDOW, [ONE])
    store.save_details(WINDOW, {ONE.key}, [WHOLE, THREE])
    store.save_details(WINDOW, {THREE.key}, [item(3, "a title", "seen")])
    store.save_items(WINDOW, [ONE, THREE])
    assert store.undetailed(WINDOW, [THREE.key]) == []
    store.save_items(WINDOW, [ONE])
    assert kept(store) == [WHOLE]


def test_only_the_listing(tmp_path: Path) -> None:
    """What lies outside isn't among the listed items."""
    store = open_store(tmp_path)
    store.save_items(WINDOW, [ONE])
    store.save_details(WINDOW, {ONE.key}, [WHOLE, THREE])
    assert list(store.listed(WINDOW)) == [WHOLE]
    assert store.keys(WINDOW) == {ONE.key, THREE.key}
    store.close()


def failing(*items: Item) -> Iterator[Item]:
    """Items, then an error."""
    yield from items
    raise StoreError("broken off")


def test_what_breaks_off_changes_nothing(store: Store) -> None:
    """An error of the iterator, however late, leaves everything as it was."""
    store.save_items(WINDOW, [ONE, TWO])
    for save in (
        lambda: store.save_items(WINDOW, failing(item(1, "new"), *map(item, range(3, 300)))),
        lambda: store.save_details(WINDOW, {ONE.key}, failing(WHOLE)),
    ):
        with pytest.raises(StoreError, match="broken off"):
            save()
        assert kept(store) == [ONE, TWO]
        assert store.undetailed(WINDOW, [ONE.key]) == [ONE.key]


def test_many_items(store: Store) -> None:
    """Nothing is lost where one chunk ends and the next begins."""
    many = sorted(map(item, range(1, 3 * CHUNK + 2)), key=lambda one: one.key)
    store.save_items(WINDOW, many)
    store.save_items(WINDOW, many)
    keys = [one.key for one in many]
    assert kept(store) == many == list(store.items(WINDOW, keys))
    assert store.undetailed(WINDOW, keys) == keys
    store.save_details(WINDOW, set(keys), many)
    assert store.undetailed(WINDOW, keys) == []
    store.save_items(WINDOW, many[:2])
    assert kept(store) == many[:2]


def test_who_lists_may_write_and_who_reads_may_save(tmp_path: Path) -> None:
    """No lock is held while a listing is told, and none while items are read."""
    store, other = open_store(tmp_path), open_store(tmp_path)

    def telling() -> Iterator[Item]:
        for number in range(1, CHUNK + 2):
            other.save_items(DAY_BEFORE, [item(number)])
            yield item(number)

    store.save_items(WINDOW, telling())
    for one in store.items(WINDOW):
        store.save_details(WINDOW, {one.key}, [one.model_copy(update={"title": "read"})])
        other.save_items(DAY_BEFORE, [one])
    assert {one.title for one in store.items(WINDOW)} == {"read"}
    store.close()
    other.close()


def test_the_same_again_writes_nothing(tmp_path: Path) -> None:
    """A listing that says the same touches no row."""
    store = open_store(tmp_path)
    store.save_items(WINDOW, [ONE, TWO])
    seen: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *told: seen.append(told[2]))
    store.save_items(WINDOW, [ONE, TWO])
    assert [one for one in seen if one.startswith(("INSERT", "UPDATE", "DELETE"))] == []
    store.close()


@pytest.mark.parametrize("document", ["{", "{}"])
def test_an_item_that_cannot_be_read(document: str, tmp_path: Path) -> None:
    """A damaged row is a StoreError of one line that names its key."""
    store = open_store(tmp_path)
    engine = create_engine(f"sqlite:///{tmp_path / 'alignbot.db'}")
    with engine.begin() as connection:
        row = {"window": str(WINDOW), "key": "a/b#1", "kind": "issue", "document": document}
        connection.execute(insert(ItemRow), [row])
    engine.dispose()
    with pytest.raises(StoreError, match=r"^the database holds a/b#1 in a form that can't be read: [^\n]*$"):
        kept(store)
    store.close()


def test_a_broken_database_is_told_while_items_are_read(tmp_path: Path) -> None:
    """An error of the database in the middle of a stream is a StoreError."""
    store: SqlStore = open_store(tmp_path)
    store.save_items(WINDOW, map(item, range(1, 2 * CHUNK)))
    stream = store.items(WINDOW)
    next(stream)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE item")
    with pytest.raises(StoreError, match="no such table"):
        list(stream)
    store.close()
