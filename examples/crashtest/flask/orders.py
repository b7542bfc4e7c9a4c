"""The orders in SQLite."""
import os
import sqlite3


def sql(text, *values):
    """Run a statement, and commit it."""
    db = sqlite3.connect(os.environ.get("SHOP_DATABASE", "shop.db"), timeout=10)
    try:
        db.row_factory = sqlite3.Row
        with db:
            return db.execute(text, values).fetchall()
    finally:
        db.close()


def find(name):
    return next(iter(sql("SELECT * FROM orders WHERE name = ?", name)), None)


def fail(name):
    sql("UPDATE orders SET state = 'failed' WHERE name = ? AND state = 'open'", name)


sql("PRAGMA journal_mode = WAL")
sql("""CREATE TABLE IF NOT EXISTS orders (name TEXT PRIMARY KEY, amount TEXT NOT NULL, sent REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'open', gateway_id TEXT, shipped INTEGER NOT NULL DEFAULT 0, refund TEXT)""")
