"""Alembic's environment: alignbot hands over its connection with the transaction open; there is no alembic.ini.

All revisions are one transaction, SQLite's DDL included, so that a kill leaves the schema as it was.
"""

from alembic import context
from sqlmodel import SQLModel

from bot.edges import tables  # noqa: F401  fills SQLModel.metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
