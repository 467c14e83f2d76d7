"""C++ and SYCL sources as rules see them: scopes, declarations, updates and calls, by tree-sitter's syntax. Pure."""

from bot.cpp.kinds import Width, declared, width
from bot.cpp.macros import Dispatch, dispatch_of, quieted
from bot.cpp.reading import Source, read
from bot.cpp.shapes import Call, Declaration, Scope, ScopeKind, Unread, Update

__all__ = [
    "Call",
    "Declaration",
    "Dispatch",
    "Scope",
    "ScopeKind",
    "Source",
    "Unread",
    "Update",
    "Width",
    "declared",
    "dispatch_of",
    "quieted",
    "read",
    "width",
]
