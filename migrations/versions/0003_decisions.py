"""Decisions: what maintainers said of findings, every word of it kept."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "decision",
        sa.Column("fingerprint", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("decided_at", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("decision")
