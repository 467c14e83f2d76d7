"""Alembic's environment: alignbot hands over its open connection; there is no alembic.ini."""

from alembic import context
from sqlmodel import SQLModel

from bot.edges import tables  # noqa: F401  fills SQLModel.metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
