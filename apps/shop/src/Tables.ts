/** The tables of the shop, oldest first. A line that was released is never changed: the next one corrects it. */
import type { Migration } from "@pay/sqlite/Migration"

const orders = `
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  visitor TEXT NOT NULL,
  product TEXT NOT NULL,
  amountMinor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  way TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open',
  gatewayId TEXT,
  capturedMinor INTEGER NOT NULL DEFAULT 0,
  returnedMinor INTEGER NOT NULL DEFAULT 0,
  lastFour TEXT,
  reason TEXT,
  errand TEXT,
  sent INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  createdAtMs INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_visitor ON orders (visitor, createdAtMs);
CREATE INDEX orders_open ON orders (status) WHERE status = 'open';
`

const actions = `
CREATE TABLE actions (
  name TEXT PRIMARY KEY,
  orderId TEXT NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL,
  amountMinor INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'open',
  reason TEXT,
  createdAtMs INTEGER NOT NULL
) STRICT;
CREATE INDEX actions_order ON actions (orderId, createdAtMs);
CREATE INDEX actions_open ON actions (status) WHERE status = 'open';
`

const wallet = `
CREATE TABLE cards (
  visitor TEXT NOT NULL,
  ref TEXT NOT NULL,
  lastFour TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  PRIMARY KEY (visitor, ref)
) STRICT;
ALTER TABLE orders ADD COLUMN recurringId TEXT;
ALTER TABLE orders ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;
`

const payouts = `
CREATE TABLE payouts (
  id TEXT PRIMARY KEY,
  supplier TEXT NOT NULL,
  amountMinor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'checking',
  gatewayId TEXT,
  reason TEXT,
  createdAtMs INTEGER NOT NULL
) STRICT;
`

const released = "ALTER TABLE orders ADD COLUMN released INTEGER NOT NULL DEFAULT 0"

const subscriptions = `
CREATE TABLE subscriptions (
  id TEXT PRIMARY KEY,
  orderId TEXT NOT NULL REFERENCES orders (id),
  visitor TEXT NOT NULL,
  product TEXT NOT NULL,
  state TEXT NOT NULL,
  nextDay TEXT,
  lastFour TEXT,
  asked TEXT,
  problem TEXT,
  version INTEGER NOT NULL DEFAULT 0,
  createdAtMs INTEGER NOT NULL
) STRICT;
CREATE INDEX subscriptions_visitor ON subscriptions (visitor, createdAtMs);
CREATE INDEX subscriptions_order ON subscriptions (orderId);
CREATE INDEX subscriptions_asked ON subscriptions (asked) WHERE asked IS NOT NULL;
INSERT INTO subscriptions (id, orderId, visitor, product, state, lastFour, createdAtMs)
  SELECT recurringId, id, visitor, product, iif(cancelled = 1, 'cancelled', 'active'), lastFour, createdAtMs
  FROM orders WHERE recurringId IS NOT NULL;
ALTER TABLE orders DROP COLUMN cancelled;
CREATE INDEX orders_recurring ON orders (recurringId, createdAtMs) WHERE recurringId IS NOT NULL;
`

export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "orders", sql: orders },
  { id: 2, name: "actions", sql: actions },
  { id: 3, name: "wallet", sql: wallet },
  { id: 4, name: "payouts", sql: payouts },
  { id: 5, name: "released", sql: released },
  { id: 6, name: "subscriptions", sql: subscriptions }
]
