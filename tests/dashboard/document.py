"""A page taken apart as a browser would: its elements and its title."""

from html.parser import HTMLParser


class Document(HTMLParser):
    """Every element of a page with its attributes, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep the first text of the title."""
        if self.elements and self.elements[-1][0] == "title" and not self.title:
            self.title = data

    @property
    def tags(self) -> set[str]:
        """The names of its elements."""
        return {tag for tag, _ in self.elements}
