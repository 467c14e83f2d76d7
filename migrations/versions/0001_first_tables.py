"""First tables: scans, items, cases, attempts, findings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "scan",
        sa.Column("window", sa.String(), primary_key=True),
        sa.Column("device", sa.String(), primary_key=True),
        sa.Column("starts_at", sa.String(), nullable=False),
        sa.Column("upstream_head", sa.String(), nullable=True),
        sa.Column("target_head", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
    )
    op.create_index("ix_scan_starts_at", "scan", ["starts_at"])
    op.create_table(
        "item",
        sa.Column("window", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )
    op.create_table(
        "case",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("window", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("leader", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("look_again_at", sa.String(), nullable=True),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )
    op.create_index("ix_case_window", "case", ["window"])
    op.create_index("ix_case_outcome", "case", ["outcome"])
    op.create_table(
        "attempt",
        sa.Column("case_key", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("replaced_at", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )
    op.create_table(
        "finding",
        sa.Column("fingerprint", sa.String(), primary_key=True),
        sa.Column("case_key", sa.String(), nullable=False),
        sa.Column("op", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("found_at", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )
    op.create_index("ix_finding_op", "finding", ["op"])


def downgrade() -> None:
    for table in ("finding", "attempt", "case", "item", "scan"):
        op.drop_table(table)
