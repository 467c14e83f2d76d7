"""Readings: how whole a window is, the pages that tell so, how far things have come; items have details."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    for name in ("detailed", "outside"):
        op.add_column("item", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("item", sa.Column("listed_sha256", sa.String(), nullable=True))
    op.create_table(
        "reading",
        sa.Column("window", sa.String(), primary_key=True),
        sa.Column("starts_at", sa.String(), nullable=False),
        sa.Column("ends_at", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("opened_at", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
    )
    op.create_index("ix_reading_starts_at", "reading", ["starts_at"])
    op.create_table(
        "page",
        sa.Column("window", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("fetched_at", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "watermark",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("moment", sa.String(), nullable=False),
    )


def downgrade() -> None:
    for table in ("watermark", "page", "reading"):
        op.drop_table(table)
    with op.batch_alter_table("item") as item:
        for name in ("listed_sha256", "outside", "detailed"):
            item.drop_column(name)
