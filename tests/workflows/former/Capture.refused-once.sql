CREATE TABLE clock (
  execution TEXT NOT NULL,
  deferred TEXT NOT NULL,
  due_at_ms INTEGER NOT NULL, place INTEGER,
  PRIMARY KEY (execution, deferred)
) STRICT, WITHOUT ROWID;
CREATE TABLE execution (
  id TEXT PRIMARY KEY,
  workflow TEXT NOT NULL,
  payload ANY,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ready', 'waiting', 'stuck', 'finished')),
  ready INTEGER,
  wakes INTEGER NOT NULL DEFAULT 0,
  interrupt INTEGER NOT NULL DEFAULT 0,
  outcome ANY,
  started_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE journal (
  execution TEXT NOT NULL,
  entry TEXT NOT NULL,
  value ANY NOT NULL, place INTEGER, asked INTEGER,
  PRIMARY KEY (execution, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE listener (
  execution TEXT NOT NULL,
  deferred TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (execution, deferred)
) STRICT, WITHOUT ROWID;
CREATE TABLE migration (id INTEGER UNIQUE, name TEXT, checksum TEXT) STRICT;
CREATE TABLE signal (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  value ANY NOT NULL
) STRICT;
CREATE TABLE waiter (
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX clock_due ON clock (due_at_ms);
CREATE INDEX execution_open ON execution (state, changed_at_ms, id) WHERE state <> 'finished';
CREATE INDEX execution_ready ON execution (workflow, ready) WHERE ready IS NOT NULL;
CREATE INDEX listener_key ON listener (key);
INSERT INTO clock (execution, deferred, due_at_ms, place) VALUES ('Capture/order-1/shipment-1', 'DurableClock/capture 2 pause', 1795337312260, 3);
INSERT INTO execution (id, workflow, payload, fingerprint, state, ready, wakes, interrupt, outcome, started_at_ms, changed_at_ms) VALUES ('Capture/order-1/shipment-1', 'Capture', '{"client_orderid":"order-1","orderid":"{order}","amount":"6.00","currency":"USD","name":"shipment-1"}', '4cd8a679a84be449e53c973a41ec6bf4199ef9b30773237bf4432a1a1d7f8fb5', 'waiting', NULL, 1, 0, NULL, 1795337292255, 1795337302261);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Capture/order-1/shipment-1', 'activity/capture 2/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337302260,"ended":{"_tag":"OutcomeUnknown","operation":"CAPTURE","clientOrderId":"order-1","orderId":"{order}","idempotencyKey":"order-1%2Fshipment-1:capture","reason":"ConnectionLost","code":"ECONNRESET","retryable":false},"isBegunBefore":true}}}', 2, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Capture/order-1/shipment-1', 'activity/capture/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337292256,"ended":{"_tag":"OutcomeUnknown","operation":"CAPTURE","clientOrderId":"order-1","orderId":"{order}","idempotencyKey":"order-1%2Fshipment-1:capture","reason":"ConnectionLost","code":"ECONNRESET","retryable":false},"isBegunBefore":false}}}', 0, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Capture/order-1/shipment-1', 'deferred/DurableClock/capture 1 pause', '{"ok":null}', 1, 1);
INSERT INTO migration (id, name, checksum) VALUES (1, 'workflows', 'ddd9e3aa81e9c64406c12b3bdc2998f4898810191304bbc99cd02fddeb1417b9');
INSERT INTO migration (id, name, checksum) VALUES (2, 'order', 'b380dd3ff668e8cf8ec8c0410a026faea5cb104a6ddb829f3f425ced8076f488');
