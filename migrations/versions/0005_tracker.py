"""Trackers: the target's issues and pull requests, and how far they were read."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "tracked",
        sa.Column("repo", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("updated_at", sa.String(), nullable=True),
        sa.Column("document", sa.String(), nullable=False),
    )
    op.create_table(
        "tracker",
        sa.Column("repo", sa.String(), primary_key=True),
        sa.Column("document", sa.String(), nullable=False),
    )


def downgrade() -> None:
    for table in ("tracker", "tracked"):
        op.drop_table(table)
