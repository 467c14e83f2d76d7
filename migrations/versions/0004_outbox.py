"""The outbox: intents to write on a tracker, and the lease of the one who may."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

TEXTS = ("key", "kind", "fingerprint", "window", "created_at", "state", "why", "document")
MAYBE = ("open_key", "sent_at", "counted_at", "done_at", "url", "looked_at")


def upgrade() -> None:
    op.create_table(
        "intent",
        sa.Column("id", sa.String(), primary_key=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in TEXTS),
        *(sa.Column(name, sa.String(), nullable=True) for name in MAYBE),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("severity", "fence", "looks")),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in ("number", "comment")),
        sa.UniqueConstraint("open_key"),
    )
    for name in ("key", "fingerprint", "state", "counted_at"):
        op.create_index(f"ix_intent_{name}", "intent", [name])
    op.create_table(
        "lease",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
    )


def downgrade() -> None:
    for table in ("lease", "intent"):
        op.drop_table(table)
