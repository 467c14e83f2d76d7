"""Observations: what the reproducer of a finding showed on later builds."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "observation",
        sa.Column("fingerprint", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("build", sa.String(), nullable=False),
        sa.Column("shows", sa.Boolean(), nullable=True),
        sa.Column("observed_at", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("observation")
