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
INSERT INTO clock (execution, deferred, due_at_ms, place) VALUES ('Rebill/order-1', 'DurableClock/create look 2.1 pause', 1795337382630, 6);
INSERT INTO execution (id, workflow, payload, fingerprint, state, ready, wakes, interrupt, outcome, started_at_ms, changed_at_ms) VALUES ('Rebill/order-1', 'Rebill', '{"client_orderid":"order-1","cardrefid":"{order}","amount":"10.42","currency":"USD","order_desc":"Two tickets","ipaddress":"203.0.113.7","redirect_url":"https://shop.example/back","server_callback_url":"http://shop.test/told","given and not kept":[]}', '363e4c1bf8b22456300a4a30109458c918aad1a0f78c108c3e2d11b5ba6c01d6', 'waiting', NULL, 1, 0, NULL, 1795337292624, 1795337337631);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Rebill/order-1', 'activity/create 2/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337337629,"ended":{"_tag":"OutcomeUnknown","operation":"REBILL","clientOrderId":"order-1","reason":"ConnectionLost","code":"ECONNRESET","retryable":false},"isBegunBefore":true}}}', 4, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Rebill/order-1', 'activity/create look 1.1/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337292626,"ended":{"_tag":"Refused","operation":"STATUS","clientOrderId":"order-1","errorCode":54,"errorMessage":"Unknown order","serialNumber":"{serial}","status":400,"errors":[]}}}}', 1, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Rebill/order-1', 'activity/create look 1.2/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337337629,"ended":{"_tag":"Refused","operation":"STATUS","clientOrderId":"order-1","errorCode":54,"errorMessage":"Unknown order","serialNumber":"{serial}","status":400,"errors":[]}}}}', 3, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Rebill/order-1', 'activity/create look 2.1/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337337630,"ended":{"_tag":"Refused","operation":"STATUS","clientOrderId":"order-1","errorCode":54,"errorMessage":"Unknown order","serialNumber":"{serial}","status":400,"errors":[]}}}}', 5, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Rebill/order-1', 'activity/create/1', '{"ok":{"_tag":"Success","success":{"askedAtMs":1795337292625,"ended":{"_tag":"OutcomeUnknown","operation":"REBILL","clientOrderId":"order-1","reason":"ConnectionLost","code":"ECONNRESET","retryable":false},"isBegunBefore":false}}}', 0, NULL);
INSERT INTO journal (execution, entry, value, place, asked) VALUES ('Rebill/order-1', 'deferred/DurableClock/create look 1.1 pause', '{"ok":null}', 2, 2);
INSERT INTO migration (id, name, checksum) VALUES (1, 'workflows', 'ddd9e3aa81e9c64406c12b3bdc2998f4898810191304bbc99cd02fddeb1417b9');
INSERT INTO migration (id, name, checksum) VALUES (2, 'order', 'b380dd3ff668e8cf8ec8c0410a026faea5cb104a6ddb829f3f425ced8076f488');
