CREATE FUNCTION pay.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'PY001'; END $$;

CREATE TABLE pay."orders" (
  "orderId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" text COLLATE "C" NOT NULL,
  "endpointId" text COLLATE "C" NOT NULL,
  "descriptor" text COLLATE "C",
  "acquirer" text COLLATE "C",
  "terminal" text COLLATE "C",
  "clientOrderId" text COLLATE "C" NOT NULL,
  "requestId" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "initiator" text COLLATE "C" NOT NULL,
  "credential" text COLLATE "C",
  "hasCvv" bigint NOT NULL CHECK ("hasCvv" BETWEEN -9007199254740991 AND 9007199254740991),
  "hasAuthentication" bigint NOT NULL CHECK ("hasAuthentication" BETWEEN -9007199254740991 AND 9007199254740991),
  "state" text COLLATE "C" NOT NULL,
  "currency" text COLLATE "C" NOT NULL,
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "remainingAmounts" text COLLATE "C",
  "authorizedMinor" bigint NOT NULL CHECK ("authorizedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturedMinor" bigint NOT NULL CHECK ("capturedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "refundedMinor" bigint NOT NULL CHECK ("refundedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "chargedBackMinor" bigint NOT NULL CHECK ("chargedBackMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturingMinor" bigint NOT NULL CHECK ("capturingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "refundingMinor" bigint NOT NULL CHECK ("refundingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "inFlightCount" bigint NOT NULL CHECK ("inFlightCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "voiding" bigint NOT NULL CHECK ("voiding" BETWEEN -9007199254740991 AND 9007199254740991),
  "sequence" bigint NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorCode" bigint CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" text COLLATE "C",
  "filteredBy" text COLLATE "C",
  "bankDetails" text COLLATE "C",
  "approvalCode" text COLLATE "C",
  "processorTxId" text COLLATE "C",
  "bin" text COLLATE "C" NOT NULL,
  "lastFour" text COLLATE "C" NOT NULL,
  "cardType" text COLLATE "C" NOT NULL,
  "cardholder" text COLLATE "C" NOT NULL,
  "expireMonth" bigint NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" bigint NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "description" text COLLATE "C" NOT NULL,
  "email" text COLLATE "C" NOT NULL,
  "customer" text COLLATE "C" NOT NULL,
  "phone" text COLLATE "C",
  "ipAddress" text COLLATE "C" NOT NULL,
  "billing" text COLLATE "C",
  "merchantData" text COLLATE "C",
  "redirectUrl" text COLLATE "C",
  "redirectSuccessUrl" text COLLATE "C",
  "redirectFailUrl" text COLLATE "C",
  "callbackUrl" text COLLATE "C",
  "notifyUrl" text COLLATE "C",
  "callbackFormat" text COLLATE "C" NOT NULL,
  "dialect" text COLLATE "C",
  "amountText" text COLLATE "C",
  "subscriptionId" text COLLATE "C",
  "eventCount" bigint NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "processedAtMs" bigint CHECK ("processedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "holdUntilMs" bigint CHECK ("holdUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "orders.clientOrder" ON pay."orders" ("merchantId", "clientOrderId");

CREATE INDEX "orders.created" ON pay."orders" ("createdAtMs", "orderId");

CREATE INDEX "orders.merchant" ON pay."orders" ("merchantId", "createdAtMs", "orderId");

CREATE INDEX "orders.lastFour" ON pay."orders" ("lastFour", "createdAtMs", "orderId");

CREATE INDEX "orders.customer" ON pay."orders" ("customer", "createdAtMs", "orderId");

CREATE TABLE pay."requests" (
  "requestId" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "operation" text COLLATE "C" NOT NULL,
  "action" text COLLATE "C" NOT NULL,
  "sequence" bigint NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "hasAmount" bigint NOT NULL CHECK ("hasAmount" BETWEEN -9007199254740991 AND 9007199254740991),
  "progress" text COLLATE "C" NOT NULL,
  "fingerprint" text COLLATE "C" NOT NULL,
  "idempotencyKey" text COLLATE "C",
  "errorCode" bigint CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" text COLLATE "C",
  "callbackUrl" text COLLATE "C",
  "processorTxId" text COLLATE "C",
  "acceptedAtMs" bigint NOT NULL CHECK ("acceptedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "finishedAtMs" bigint CHECK ("finishedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "requests.idempotency" ON pay."requests" ("merchantId", "operation", "orderId", "idempotencyKey");

CREATE INDEX "requests.order" ON pay."requests" ("orderId", "sequence", "requestId");

CREATE INDEX "requests.progress" ON pay."requests" ("progress", "acceptedAtMs", "requestId");

CREATE TABLE pay."bankNumbers" (
  "orderId" text COLLATE "C" NOT NULL,
  "approvalCode" text COLLATE "C" NOT NULL,
  "processorTxId" text COLLATE "C" NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "bankNumbers.approvalCode" ON pay."bankNumbers" ("approvalCode", "createdAtMs", "orderId");

CREATE INDEX "bankNumbers.processorTxId" ON pay."bankNumbers" ("processorTxId", "createdAtMs", "orderId");

CREATE TABLE pay."cards" (
  "cardId" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C" NOT NULL,
  "encryptedPan" bytea NOT NULL,
  "panHash" text COLLATE "C" NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "cards.pan" ON pay."cards" ("merchantId", "panHash", "cardId");

CREATE INDEX "cards.created" ON pay."cards" ("createdAtMs", "cardId");

CREATE TABLE pay."cvvs" (
  "cardId" text COLLATE "C" NOT NULL,
  "encryptedCvv" bytea NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "cvvs.created" ON pay."cvvs" ("createdAtMs", "cardId");

CREATE TABLE pay."cardRefs" (
  "cardRefId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" text COLLATE "C" NOT NULL,
  "encryptedPan" bytea NOT NULL,
  "panHash" text COLLATE "C" NOT NULL,
  "bin" text COLLATE "C" NOT NULL,
  "lastFour" text COLLATE "C" NOT NULL,
  "cardType" text COLLATE "C" NOT NULL,
  "cardholder" text COLLATE "C" NOT NULL,
  "expireMonth" bigint NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" bigint NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" text COLLATE "C",
  "schemeReference" text COLLATE "C",
  "cardholderInitiated" bigint NOT NULL CHECK ("cardholderInitiated" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "removedAtMs" bigint CHECK ("removedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardRefId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "cardRefs.card" ON pay."cardRefs" ("merchantId", "panHash");

CREATE TABLE pay."stoppedCards" (
  "merchantId" text COLLATE "C" NOT NULL,
  "panHash" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("merchantId", "panHash")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."authentications" (
  "orderId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "mode" text COLLATE "C" NOT NULL,
  "stage" text COLLATE "C" NOT NULL,
  "attempt" bigint NOT NULL CHECK ("attempt" BETWEEN -9007199254740991 AND 9007199254740991),
  "protocol" text COLLATE "C",
  "pageToken" text COLLATE "C" NOT NULL,
  "serverTransId" text COLLATE "C",
  "methodUrl" text COLLATE "C",
  "completionIndicator" text COLLATE "C",
  "browser" text COLLATE "C",
  "session" text COLLATE "C",
  "acsUrl" text COLLATE "C",
  "acsTransId" text COLLATE "C",
  "creq" text COLLATE "C",
  "pareq" text COLLATE "C",
  "md" text COLLATE "C",
  "xid" text COLLATE "C",
  "transStatus" text COLLATE "C",
  "eci" text COLLATE "C",
  "encryptedAuthenticationValue" text COLLATE "C",
  "deadlineMs" bigint CHECK ("deadlineMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "refusedResults" bigint NOT NULL CHECK ("refusedResults" BETWEEN -9007199254740991 AND 9007199254740991),
  "methodUpload" text COLLATE "C",
  "endUpload" text COLLATE "C",
  PRIMARY KEY ("orderId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "authentications.pageToken" ON pay."authentications" ("pageToken");

CREATE TABLE pay."hostedSessions" (
  "token" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "country" text COLLATE "C",
  "purpose" text COLLATE "C",
  "attempts" bigint NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "maxAttempts" bigint NOT NULL CHECK ("maxAttempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "attemptId" text COLLATE "C",
  "paying" bigint NOT NULL CHECK ("paying" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" bigint NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "endedAtMs" bigint CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("token")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "hostedSessions.order" ON pay."hostedSessions" ("orderId");

CREATE TABLE pay."subscriptions" (
  "subscriptionId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" text COLLATE "C" NOT NULL,
  "endpointId" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "clientOrderId" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "reasonCode" bigint CHECK ("reasonCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "reasonMessage" text COLLATE "C",
  "paused" bigint NOT NULL CHECK ("paused" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" text COLLATE "C" NOT NULL,
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "period" text COLLATE "C" NOT NULL,
  "interval" bigint NOT NULL CHECK ("interval" BETWEEN -9007199254740991 AND 9007199254740991),
  "anchorDay" text COLLATE "C" NOT NULL,
  "finishDay" text COLLATE "C",
  "occurrences" bigint CHECK ("occurrences" BETWEEN -9007199254740991 AND 9007199254740991),
  "timeZone" text COLLATE "C" NOT NULL,
  "next" bigint NOT NULL CHECK ("next" BETWEEN -9007199254740991 AND 9007199254740991),
  "chargeNumberBase" bigint CHECK ("chargeNumberBase" BETWEEN -9007199254740991 AND 9007199254740991),
  "chargeNumbersUntil" bigint CHECK ("chargeNumbersUntil" BETWEEN -9007199254740991 AND 9007199254740991),
  "encryptedPan" bytea NOT NULL,
  "panHash" text COLLATE "C" NOT NULL,
  "bin" text COLLATE "C" NOT NULL,
  "lastFour" text COLLATE "C" NOT NULL,
  "cardType" text COLLATE "C" NOT NULL,
  "cardholder" text COLLATE "C" NOT NULL,
  "expireMonth" bigint NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" bigint NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "schemeReference" text COLLATE "C",
  "description" text COLLATE "C" NOT NULL,
  "email" text COLLATE "C" NOT NULL,
  "phone" text COLLATE "C",
  "ipAddress" text COLLATE "C" NOT NULL,
  "country" text COLLATE "C" NOT NULL,
  "callbackUrl" text COLLATE "C",
  "notifyUrl" text COLLATE "C",
  "callbackFormat" text COLLATE "C" NOT NULL,
  "eventCount" bigint NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subscriptionId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "subscriptions.order" ON pay."subscriptions" ("orderId");

CREATE INDEX "subscriptions.merchant" ON pay."subscriptions" ("merchantId", "subscriptionId");

CREATE INDEX "subscriptions.state" ON pay."subscriptions" ("state", "subscriptionId");

CREATE TABLE pay."occurrences" (
  "subscriptionId" text COLLATE "C" NOT NULL,
  "n" bigint NOT NULL CHECK ("n" BETWEEN -9007199254740991 AND 9007199254740991),
  "day" text COLLATE "C" NOT NULL,
  "progress" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C",
  "attempts" bigint NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "firstAtMs" bigint CHECK ("firstAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "nextTryAtMs" bigint CHECK ("nextTryAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "reason" text COLLATE "C",
  "endedAtMs" bigint CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subscriptionId", "n")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."ledger" (
  "entryId" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "requestId" text COLLATE "C" NOT NULL,
  "cause" text COLLATE "C" NOT NULL,
  "account" text COLLATE "C" NOT NULL,
  "minor" bigint NOT NULL CHECK ("minor" BETWEEN -9007199254740991 AND 9007199254740991),
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("entryId")
);

CREATE INDEX "ledger.order" ON pay."ledger" ("orderId", "entryId");

CREATE INDEX "ledger.account" ON pay."ledger" ("account", "atMs", "entryId");

CREATE TRIGGER "ledger.no change" BEFORE UPDATE OR DELETE ON pay."ledger" FOR EACH ROW EXECUTE FUNCTION pay.refuse_change();

CREATE TRIGGER "ledger.no truncation" BEFORE TRUNCATE ON pay."ledger" FOR EACH STATEMENT EXECUTE FUNCTION pay.refuse_change();

CREATE TABLE pay."balances" (
  "account" text COLLATE "C" NOT NULL,
  "minor" bigint NOT NULL,
  PRIMARY KEY ("account")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."jobs" (
  "jobId" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "subject" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C" NOT NULL,
  "dueAtMs" bigint NOT NULL CHECK ("dueAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openAttempts" bigint NOT NULL CHECK ("openAttempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "tries" bigint NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" bigint CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" text COLLATE "C",
  "leaseUntilMs" bigint NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("jobId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "jobs.due" ON pay."jobs" ("kind", "dueAtMs", "jobId");

CREATE INDEX "jobs.merchant" ON pay."jobs" ("kind", "merchantId", "dueAtMs", "jobId");

CREATE INDEX "jobs.lease" ON pay."jobs" ("leaseUntilMs", "jobId");

CREATE TABLE pay."callbacks" (
  "eventId" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "requestId" text COLLATE "C" NOT NULL,
  "sequence" bigint NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "url" text COLLATE "C" NOT NULL,
  "format" text COLLATE "C" NOT NULL,
  "query" text COLLATE "C" NOT NULL,
  "delivery" text COLLATE "C" NOT NULL,
  "tries" bigint NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "queuedAtMs" bigint NOT NULL CHECK ("queuedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "triesBefore" bigint NOT NULL CHECK ("triesBefore" BETWEEN -9007199254740991 AND 9007199254740991),
  "lastResult" text COLLATE "C",
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "deliveredAtMs" bigint CHECK ("deliveredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("eventId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "callbacks.order" ON pay."callbacks" ("orderId", "sequence", "eventId");

CREATE INDEX "callbacks.delivery" ON pay."callbacks" ("delivery", "createdAtMs", "eventId");

CREATE TABLE pay."callbackAttempts" (
  "eventId" text COLLATE "C" NOT NULL,
  "number" bigint NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "what" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("eventId", "number", "what")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "callbackAttempts.at" ON pay."callbackAttempts" ("atMs", "eventId", "number", "what");

CREATE TABLE pay."nonces" (
  "consumerKey" text COLLATE "C" NOT NULL,
  "nonce" text COLLATE "C" NOT NULL,
  "usedAtMs" bigint NOT NULL CHECK ("usedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("consumerKey", "nonce")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "nonces.used" ON pay."nonces" ("usedAtMs", "consumerKey", "nonce");

CREATE TABLE pay."velocityEntries" (
  "subject" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" text COLLATE "C" NOT NULL,
  "currency" text COLLATE "C" NOT NULL,
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" bigint NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject", "atMs", "orderId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "velocityEntries.expires" ON pay."velocityEntries" ("expiresAtMs", "subject", "atMs", "orderId");

CREATE TABLE pay."evidence" (
  "evidenceId" text COLLATE "C" NOT NULL,
  "reference" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "answer" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("evidenceId")
);

CREATE INDEX "evidence.order" ON pay."evidence" ("orderId", "evidenceId");

CREATE TRIGGER "evidence.no change" BEFORE UPDATE OR DELETE ON pay."evidence" FOR EACH ROW EXECUTE FUNCTION pay.refuse_change();

CREATE TRIGGER "evidence.no truncation" BEFORE TRUNCATE ON pay."evidence" FOR EACH STATEMENT EXECUTE FUNCTION pay.refuse_change();

CREATE TABLE pay."bankNotices" (
  "noticeId" text COLLATE "C" NOT NULL,
  "reference" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "fact" text COLLATE "C" NOT NULL,
  "answer" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("noticeId")
);

CREATE INDEX "bankNotices.reference" ON pay."bankNotices" ("reference", "noticeId");

CREATE TRIGGER "bankNotices.no change" BEFORE UPDATE OR DELETE ON pay."bankNotices" FOR EACH ROW EXECUTE FUNCTION pay.refuse_change();

CREATE TRIGGER "bankNotices.no truncation" BEFORE TRUNCATE ON pay."bankNotices" FOR EACH STATEMENT EXECUTE FUNCTION pay.refuse_change();

CREATE TABLE pay."disputes" (
  "disputeId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" text COLLATE "C" NOT NULL,
  "acquirer" text COLLATE "C" NOT NULL,
  "bankDisputeId" text COLLATE "C" NOT NULL,
  "stage" text COLLATE "C" NOT NULL,
  "bookedMinor" bigint NOT NULL CHECK ("bookedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "changedAtMs" bigint NOT NULL CHECK ("changedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("disputeId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "disputes.order" ON pay."disputes" ("orderId", "disputeId");

CREATE TABLE pay."audit" (
  "auditId" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "actor" text COLLATE "C" NOT NULL,
  "action" text COLLATE "C" NOT NULL,
  "outcome" text COLLATE "C" NOT NULL,
  "subjectKind" text COLLATE "C" NOT NULL,
  "subjectId" text COLLATE "C" NOT NULL,
  "detail" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("auditId")
);

CREATE INDEX "audit.subject" ON pay."audit" ("subjectKind", "subjectId", "atMs", "auditId");

CREATE INDEX "audit.at" ON pay."audit" ("atMs", "auditId");

CREATE TRIGGER "audit.no change" BEFORE UPDATE OR DELETE ON pay."audit" FOR EACH ROW EXECUTE FUNCTION pay.refuse_change();

CREATE TRIGGER "audit.no truncation" BEFORE TRUNCATE ON pay."audit" FOR EACH STATEMENT EXECUTE FUNCTION pay.refuse_change();

CREATE TABLE pay."merchantKeys" (
  "keyId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "number" bigint NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "fingerprint" text COLLATE "C" NOT NULL,
  "material" text COLLATE "C",
  "source" text COLLATE "C" NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "validFromMs" bigint NOT NULL CHECK ("validFromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "validUntilMs" bigint CHECK ("validUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "revokedAtMs" bigint CHECK ("revokedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("keyId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."revisions" (
  "subject" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."payouts" (
  "orderId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" text COLLATE "C" NOT NULL,
  "destinationKind" text COLLATE "C" NOT NULL,
  "encryptedDestination" bytea NOT NULL,
  "recipient" text COLLATE "C" NOT NULL,
  "masked" text COLLATE "C" NOT NULL,
  "bin" text COLLATE "C" NOT NULL,
  "lastFour" text COLLATE "C" NOT NULL,
  "cardType" text COLLATE "C" NOT NULL,
  "purpose" text COLLATE "C",
  "paidAtMs" bigint CHECK ("paidAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "erasedAtMs" bigint CHECK ("erasedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "payouts.erased" ON pay."payouts" ("erasedAtMs" NULLS FIRST, "createdAtMs", "orderId");

CREATE TABLE pay."approvals" (
  "orderId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" text COLLATE "C" NOT NULL,
  "requestId" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "requestedAtMs" bigint NOT NULL CHECK ("requestedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" bigint NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "approver" text COLLATE "C",
  "signature" text COLLATE "C",
  "decidedAtMs" bigint CHECK ("decidedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "approvals.waiting" ON pay."approvals" ("merchantId", "state", "requestedAtMs", "orderId");

CREATE INDEX "approvals.state" ON pay."approvals" ("state", "requestedAtMs", "orderId");

CREATE TABLE pay."fundings" (
  "reference" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C" NOT NULL,
  "endpointId" text COLLATE "C" NOT NULL,
  "currency" text COLLATE "C" NOT NULL,
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("reference")
);

CREATE TRIGGER "fundings.no change" BEFORE UPDATE OR DELETE ON pay."fundings" FOR EACH ROW EXECUTE FUNCTION pay.refuse_change();

CREATE TRIGGER "fundings.no truncation" BEFORE TRUNCATE ON pay."fundings" FOR EACH STATEMENT EXECUTE FUNCTION pay.refuse_change();

CREATE TABLE pay."restorations" (
  "name" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "restoredAtMs" bigint NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" bigint CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "lastCommitAtMs" bigint CHECK ("lastCommitAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "enumeratedAtMs" bigint CHECK ("enumeratedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."bankBookings" (
  "source" text COLLATE "C" NOT NULL,
  "acquirer" text COLLATE "C",
  "reference" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C",
  "clientOrderId" text COLLATE "C",
  "kind" text COLLATE "C" NOT NULL,
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" text COLLATE "C" NOT NULL,
  "bookedAtMs" bigint NOT NULL CHECK ("bookedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" bigint CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" text COLLATE "C",
  "note" text COLLATE "C",
  PRIMARY KEY ("source", "reference")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "bankBookings.order" ON pay."bankBookings" ("orderId", "reference", "source");

CREATE INDEX "bankBookings.clientOrder" ON pay."bankBookings" ("merchantId" NULLS FIRST, "clientOrderId" NULLS FIRST, "source", "reference");

CREATE INDEX "bankBookings.state" ON pay."bankBookings" ("state", "bookedAtMs", "reference", "source");

CREATE TABLE pay."enumerations" (
  "source" text COLLATE "C" NOT NULL,
  "acquirer" text COLLATE "C" NOT NULL,
  "restoredAtMs" bigint NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "fromMs" bigint NOT NULL CHECK ("fromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "toMs" bigint NOT NULL CHECK ("toMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "bookings" bigint NOT NULL CHECK ("bookings" BETWEEN -9007199254740991 AND 9007199254740991),
  "missing" bigint NOT NULL CHECK ("missing" BETWEEN -9007199254740991 AND 9007199254740991),
  "after" text COLLATE "C",
  "completedAtMs" bigint CHECK ("completedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "completedBy" text COLLATE "C",
  PRIMARY KEY ("source", "acquirer")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."heldJobs" (
  "jobId" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "subject" text COLLATE "C" NOT NULL,
  "dueAtMs" bigint NOT NULL CHECK ("dueAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "taskId" text COLLATE "C",
  PRIMARY KEY ("jobId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "heldJobs.subject" ON pay."heldJobs" ("subject", "jobId");

CREATE INDEX "heldJobs.task" ON pay."heldJobs" ("taskId" NULLS FIRST, "jobId");

CREATE TABLE pay."bankTasks" (
  "taskId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "source" text COLLATE "C" NOT NULL,
  "orderId" text COLLATE "C" NOT NULL,
  "merchantId" text COLLATE "C" NOT NULL,
  "clientOrderId" text COLLATE "C" NOT NULL,
  "reference" text COLLATE "C" NOT NULL,
  "reversalReference" text COLLATE "C",
  "processorTxId" text COLLATE "C",
  "answer" text COLLATE "C" NOT NULL,
  "orderState" text COLLATE "C" NOT NULL,
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "reversingAtMs" bigint CHECK ("reversingAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" bigint CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" text COLLATE "C",
  "note" text COLLATE "C",
  PRIMARY KEY ("taskId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "bankTasks.order" ON pay."bankTasks" ("orderId", "taskId");

CREATE INDEX "bankTasks.state" ON pay."bankTasks" ("state", "createdAtMs", "taskId");

CREATE TABLE pay."resolutions" (
  "requestId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" text COLLATE "C" NOT NULL,
  "reference" text COLLATE "C" NOT NULL,
  "outcome" text COLLATE "C" NOT NULL,
  "evidence" text COLLATE "C" NOT NULL,
  "approvalCode" text COLLATE "C",
  "processorTxId" text COLLATE "C",
  "amountMinor" bigint NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "proposedBy" text COLLATE "C" NOT NULL,
  "proposedAtMs" bigint NOT NULL CHECK ("proposedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "confirmedBy" text COLLATE "C",
  "confirmedAtMs" bigint CHECK ("confirmedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "withdrawnBy" text COLLATE "C",
  "withdrawnAtMs" bigint CHECK ("withdrawnAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "resolutions.order" ON pay."resolutions" ("orderId", "requestId");

CREATE TABLE pay."dayBalances" (
  "account" text COLLATE "C" NOT NULL,
  "dayStartMs" bigint NOT NULL CHECK ("dayStartMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openingMinor" bigint NOT NULL,
  PRIMARY KEY ("account", "dayStartMs")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."processes" (
  "number" bigint NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" text COLLATE "C",
  "fromMs" bigint NOT NULL CHECK ("fromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "leaseUntilMs" bigint NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "name" text COLLATE "C" NOT NULL,
  "startedAtMs" bigint NOT NULL CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchants" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("number")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."velocityCounters" (
  "subject" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" bigint NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "velocityCounters.expires" ON pay."velocityCounters" ("expiresAtMs", "subject");

CREATE TABLE pay."runs" (
  "action" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" text COLLATE "C" NOT NULL,
  "leaseUntilMs" bigint NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "progress" text COLLATE "C" NOT NULL,
  "startedAtMs" bigint NOT NULL CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "process" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("action")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."numberSequences" (
  "name" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "next" bigint NOT NULL CHECK ("next" BETWEEN -9007199254740991 AND 9007199254740991),
  "copiedAtMs" bigint CHECK ("copiedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."certainTimes" (
  "name" text COLLATE "C" NOT NULL,
  "atMs" bigint NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE pay."operators" (
  "name" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "tokenHash" text COLLATE "C" NOT NULL,
  "roles" text COLLATE "C" NOT NULL,
  "tokenMadeBy" text COLLATE "C" NOT NULL,
  "createdAtMs" bigint NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "changedAtMs" bigint NOT NULL CHECK ("changedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE UNIQUE INDEX "operators.token" ON pay."operators" ("tokenHash");

CREATE TABLE pay."proposals" (
  "proposalId" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "operation" text COLLATE "C" NOT NULL,
  "input" text COLLATE "C" NOT NULL,
  "proposedBy" text COLLATE "C" NOT NULL,
  "proposedAtMs" bigint NOT NULL CHECK ("proposedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "state" text COLLATE "C" NOT NULL,
  "endedBy" text COLLATE "C",
  "endedAtMs" bigint CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("proposalId")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "proposals.state" ON pay."proposals" ("state", "proposedAtMs", "proposalId");

CREATE TABLE pay."consoleSessions" (
  "sessionHash" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "tokenHash" text COLLATE "C" NOT NULL,
  "startedAtMs" bigint NOT NULL CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "usedAtMs" bigint NOT NULL CHECK ("usedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "codeAtMs" bigint CHECK ("codeAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("sessionHash")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX "consoleSessions.started" ON pay."consoleSessions" ("startedAtMs", "sessionHash");

CREATE TABLE pay."secondFactors" (
  "name" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "encryptedSecret" bytea NOT NULL,
  "lastStep" bigint NOT NULL CHECK ("lastStep" BETWEEN -9007199254740991 AND 9007199254740991),
  "failures" bigint NOT NULL CHECK ("failures" BETWEEN -9007199254740991 AND 9007199254740991),
  "failedAtMs" bigint NOT NULL CHECK ("failedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "enrolledAtMs" bigint NOT NULL CHECK ("enrolledAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "confirmedAtMs" bigint CHECK ("confirmedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
