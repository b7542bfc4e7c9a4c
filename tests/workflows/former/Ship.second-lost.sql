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
INSERT INTO clock (execution, deferred, due_at_ms, place) VALUES ('Ship/order-1', 'DurableClock/Capture(order-1/second)/capture 1 pause', 1795337302555, 3);
INSERT INTO execution (id, workflow, payload, fingerprint, state, ready, wakes, interrupt, outcome, started_at_ms, changed_at_ms) VALUES ('Ship/order-1', 'Ship', '{"client_orderid":"order-1","orderid":"{order}"}', 'e32dc71d38b33cfb016f079417bf4a11d6fd3835befc38d675b221f8357b194d', 'waiting', NULL, 0, 0, NULL, 1795337292548, 1795337292556);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Ship/order-1', 'activity/Capture(order-1/first)/capture status 1/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337292552,"ended":{"_tag":"Answered","answer":{"order":{"clientOrderId":"order-1","orderId":"{order}","status":"approved","transactionType":"capture","orderStage":"capture_approved","amount":"4.00","currency":"USD","authorizedAmount":"10.42","capturedAmount":"4.00","returnedAmount":"0.00","remainingAmount":"6.42","bin":"444433","lastFour":"1111","cardType":"VISA","approvalCode":"000001","processorTxId":"PNTEST-{order}","descriptor":"SANDBOX USD"}}}}}}', 1, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Ship/order-1', 'activity/Capture(order-1/first)/capture/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337292550,"ended":{"_tag":"Answered","answer":{"orderId":"{order}","serialNumber":"{serial}"}},"isBegunBefore":false}}}', 0, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Ship/order-1', 'activity/Capture(order-1/second)/capture/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337292554,"ended":{"_tag":"OutcomeUnknown","operation":"CAPTURE","clientOrderId":"order-1","orderId":"{order}","idempotencyKey":"order-1%2Fsecond:capture","reason":"ConnectionLost","code":"ECONNRESET","retryable":false},"isBegunBefore":false}}}', 2, NULL);
INSERT INTO migration (id, name, checksum) VALUES (1, 'workflows', 'ddd9e3aa81e9c64406c12b3bdc2998f4898810191304bbc99cd02fddeb1417b9');
INSERT INTO migration (id, name, checksum) VALUES (2, 'order', 'b380dd3ff668e8cf8ec8c0410a026faea5cb104a6ddb829f3f425ced8076f488');
