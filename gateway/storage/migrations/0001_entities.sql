CREATE TABLE "orders" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "descriptor" TEXT,
  "acquirer" TEXT,
  "terminal" TEXT,
  "clientOrderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "initiator" TEXT NOT NULL,
  "credential" TEXT,
  "hasCvv" INTEGER NOT NULL CHECK ("hasCvv" BETWEEN -9007199254740991 AND 9007199254740991),
  "hasAuthentication" INTEGER NOT NULL CHECK ("hasAuthentication" BETWEEN -9007199254740991 AND 9007199254740991),
  "state" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "remainingAmounts" TEXT,
  "authorizedMinor" INTEGER NOT NULL CHECK ("authorizedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturedMinor" INTEGER NOT NULL CHECK ("capturedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "refundedMinor" INTEGER NOT NULL CHECK ("refundedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "chargedBackMinor" INTEGER NOT NULL CHECK ("chargedBackMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturingMinor" INTEGER NOT NULL CHECK ("capturingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "refundingMinor" INTEGER NOT NULL CHECK ("refundingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "inFlightCount" INTEGER NOT NULL CHECK ("inFlightCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "voiding" INTEGER NOT NULL CHECK ("voiding" BETWEEN -9007199254740991 AND 9007199254740991),
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorCode" INTEGER CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" TEXT,
  "filteredBy" TEXT,
  "bankDetails" TEXT,
  "approvalCode" TEXT,
  "processorTxId" TEXT,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "description" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "customer" TEXT NOT NULL,
  "phone" TEXT,
  "ipAddress" TEXT NOT NULL,
  "billing" TEXT,
  "merchantData" TEXT,
  "redirectUrl" TEXT,
  "redirectSuccessUrl" TEXT,
  "redirectFailUrl" TEXT,
  "callbackUrl" TEXT,
  "notifyUrl" TEXT,
  "callbackFormat" TEXT NOT NULL,
  "dialect" TEXT,
  "amountText" TEXT,
  "subscriptionId" TEXT,
  "eventCount" INTEGER NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "processedAtMs" INTEGER CHECK ("processedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "holdUntilMs" INTEGER CHECK ("holdUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;

CREATE UNIQUE INDEX "orders.clientOrder" ON "orders" ("merchantId", "clientOrderId");

CREATE INDEX "orders.created" ON "orders" ("createdAtMs", "orderId");

CREATE INDEX "orders.merchant" ON "orders" ("merchantId", "createdAtMs", "orderId");

CREATE INDEX "orders.lastFour" ON "orders" ("lastFour", "createdAtMs", "orderId");

CREATE INDEX "orders.customer" ON "orders" ("customer", "createdAtMs", "orderId");

CREATE TABLE "requests" (
  "requestId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "operation" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "hasAmount" INTEGER NOT NULL CHECK ("hasAmount" BETWEEN -9007199254740991 AND 9007199254740991),
  "progress" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "idempotencyKey" TEXT,
  "errorCode" INTEGER CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" TEXT,
  "callbackUrl" TEXT,
  "processorTxId" TEXT,
  "acceptedAtMs" INTEGER NOT NULL CHECK ("acceptedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "finishedAtMs" INTEGER CHECK ("finishedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) STRICT;

CREATE UNIQUE INDEX "requests.idempotency" ON "requests" ("merchantId", "operation", "orderId", "idempotencyKey");

CREATE INDEX "requests.order" ON "requests" ("orderId", "sequence", "requestId");

CREATE INDEX "requests.progress" ON "requests" ("progress", "acceptedAtMs", "requestId");

CREATE TABLE "bankNumbers" (
  "orderId" TEXT NOT NULL,
  "approvalCode" TEXT NOT NULL,
  "processorTxId" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "bankNumbers.approvalCode" ON "bankNumbers" ("approvalCode", "createdAtMs", "orderId");

CREATE INDEX "bankNumbers.processorTxId" ON "bankNumbers" ("processorTxId", "createdAtMs", "orderId");

CREATE TABLE "cards" (
  "cardId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "encryptedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "cards.pan" ON "cards" ("merchantId", "panHash", "cardId");

CREATE INDEX "cards.created" ON "cards" ("createdAtMs", "cardId");

CREATE TABLE "cvvs" (
  "cardId" TEXT NOT NULL,
  "encryptedCvv" BLOB NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "cvvs.created" ON "cvvs" ("createdAtMs", "cardId");

CREATE TABLE "cardRefs" (
  "cardRefId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "encryptedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT,
  "schemeReference" TEXT,
  "cardholderInitiated" INTEGER NOT NULL CHECK ("cardholderInitiated" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "removedAtMs" INTEGER CHECK ("removedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardRefId")
) STRICT;

CREATE UNIQUE INDEX "cardRefs.card" ON "cardRefs" ("merchantId", "panHash");

CREATE TABLE "stoppedCards" (
  "merchantId" TEXT NOT NULL,
  "panHash" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("merchantId", "panHash")
) STRICT, WITHOUT ROWID;

CREATE TABLE "authentications" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "mode" TEXT NOT NULL,
  "stage" TEXT NOT NULL,
  "attempt" INTEGER NOT NULL CHECK ("attempt" BETWEEN -9007199254740991 AND 9007199254740991),
  "protocol" TEXT,
  "pageToken" TEXT NOT NULL,
  "serverTransId" TEXT,
  "methodUrl" TEXT,
  "completionIndicator" TEXT,
  "browser" TEXT,
  "session" TEXT,
  "acsUrl" TEXT,
  "acsTransId" TEXT,
  "creq" TEXT,
  "pareq" TEXT,
  "md" TEXT,
  "xid" TEXT,
  "transStatus" TEXT,
  "eci" TEXT,
  "encryptedAuthenticationValue" TEXT,
  "deadlineMs" INTEGER CHECK ("deadlineMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "refusedResults" INTEGER NOT NULL CHECK ("refusedResults" BETWEEN -9007199254740991 AND 9007199254740991),
  "methodUpload" TEXT,
  "endUpload" TEXT,
  PRIMARY KEY ("orderId")
) STRICT;

CREATE UNIQUE INDEX "authentications.pageToken" ON "authentications" ("pageToken");

CREATE TABLE "hostedSessions" (
  "token" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "country" TEXT,
  "purpose" TEXT,
  "attempts" INTEGER NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "maxAttempts" INTEGER NOT NULL CHECK ("maxAttempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "attemptId" TEXT,
  "paying" INTEGER NOT NULL CHECK ("paying" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "endedAtMs" INTEGER CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("token")
) STRICT;

CREATE UNIQUE INDEX "hostedSessions.order" ON "hostedSessions" ("orderId");

CREATE TABLE "subscriptions" (
  "subscriptionId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "reasonCode" INTEGER CHECK ("reasonCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "reasonMessage" TEXT,
  "paused" INTEGER NOT NULL CHECK ("paused" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "period" TEXT NOT NULL,
  "interval" INTEGER NOT NULL CHECK ("interval" BETWEEN -9007199254740991 AND 9007199254740991),
  "anchorDay" TEXT NOT NULL,
  "finishDay" TEXT,
  "occurrences" INTEGER CHECK ("occurrences" BETWEEN -9007199254740991 AND 9007199254740991),
  "timeZone" TEXT NOT NULL,
  "next" INTEGER NOT NULL CHECK ("next" BETWEEN -9007199254740991 AND 9007199254740991),
  "chargeNumberBase" INTEGER CHECK ("chargeNumberBase" BETWEEN -9007199254740991 AND 9007199254740991),
  "chargeNumbersUntil" INTEGER CHECK ("chargeNumbersUntil" BETWEEN -9007199254740991 AND 9007199254740991),
  "encryptedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "schemeReference" TEXT,
  "description" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "phone" TEXT,
  "ipAddress" TEXT NOT NULL,
  "country" TEXT NOT NULL,
  "callbackUrl" TEXT,
  "notifyUrl" TEXT,
  "callbackFormat" TEXT NOT NULL,
  "eventCount" INTEGER NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subscriptionId")
) STRICT;

CREATE UNIQUE INDEX "subscriptions.order" ON "subscriptions" ("orderId");

CREATE INDEX "subscriptions.merchant" ON "subscriptions" ("merchantId", "subscriptionId");

CREATE INDEX "subscriptions.state" ON "subscriptions" ("state", "subscriptionId");

CREATE TABLE "occurrences" (
  "subscriptionId" TEXT NOT NULL,
  "n" INTEGER NOT NULL CHECK ("n" BETWEEN -9007199254740991 AND 9007199254740991),
  "day" TEXT NOT NULL,
  "progress" TEXT NOT NULL,
  "orderId" TEXT,
  "attempts" INTEGER NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "firstAtMs" INTEGER CHECK ("firstAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "nextTryAtMs" INTEGER CHECK ("nextTryAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "reason" TEXT,
  "endedAtMs" INTEGER CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subscriptionId", "n")
) STRICT, WITHOUT ROWID;

CREATE TABLE "ledger" (
  "entryId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "cause" TEXT NOT NULL,
  "account" TEXT NOT NULL,
  "minor" INTEGER NOT NULL CHECK ("minor" BETWEEN -9007199254740991 AND 9007199254740991),
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("entryId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "ledger.order" ON "ledger" ("orderId", "entryId");

CREATE INDEX "ledger.account" ON "ledger" ("account", "atMs", "entryId");

CREATE TRIGGER "ledger.no update" BEFORE UPDATE ON "ledger" BEGIN SELECT RAISE(ABORT, 'ledger is only ever added to'); END;

CREATE TRIGGER "ledger.no delete" BEFORE DELETE ON "ledger" BEGIN SELECT RAISE(ABORT, 'ledger is only ever added to'); END;

CREATE TABLE "balances" (
  "account" TEXT NOT NULL,
  "minor" INTEGER NOT NULL,
  PRIMARY KEY ("account")
) STRICT, WITHOUT ROWID;

CREATE TABLE "jobs" (
  "jobId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "dueAtMs" INTEGER NOT NULL CHECK ("dueAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openAttempts" INTEGER NOT NULL CHECK ("openAttempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "tries" INTEGER NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" INTEGER CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" TEXT,
  "leaseUntilMs" INTEGER NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("jobId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "jobs.due" ON "jobs" ("kind", "dueAtMs", "jobId");

CREATE INDEX "jobs.merchant" ON "jobs" ("kind", "merchantId", "dueAtMs", "jobId");

CREATE INDEX "jobs.lease" ON "jobs" ("leaseUntilMs", "jobId");

CREATE TABLE "callbacks" (
  "eventId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "url" TEXT NOT NULL,
  "format" TEXT NOT NULL,
  "query" TEXT NOT NULL,
  "delivery" TEXT NOT NULL,
  "tries" INTEGER NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "queuedAtMs" INTEGER NOT NULL CHECK ("queuedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "triesBefore" INTEGER NOT NULL CHECK ("triesBefore" BETWEEN -9007199254740991 AND 9007199254740991),
  "lastResult" TEXT,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "deliveredAtMs" INTEGER CHECK ("deliveredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("eventId")
) STRICT;

CREATE INDEX "callbacks.order" ON "callbacks" ("orderId", "sequence", "eventId");

CREATE INDEX "callbacks.delivery" ON "callbacks" ("delivery", "createdAtMs", "eventId");

CREATE TABLE "callbackAttempts" (
  "eventId" TEXT NOT NULL,
  "number" INTEGER NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "what" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" TEXT NOT NULL,
  PRIMARY KEY ("eventId", "number", "what")
) STRICT, WITHOUT ROWID;

CREATE INDEX "callbackAttempts.at" ON "callbackAttempts" ("atMs", "eventId", "number", "what");

CREATE TABLE "nonces" (
  "consumerKey" TEXT NOT NULL,
  "nonce" TEXT NOT NULL,
  "usedAtMs" INTEGER NOT NULL CHECK ("usedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("consumerKey", "nonce")
) STRICT, WITHOUT ROWID;

CREATE INDEX "nonces.used" ON "nonces" ("usedAtMs", "consumerKey", "nonce");

CREATE TABLE "velocityEntries" (
  "subject" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject", "atMs", "orderId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "velocityEntries.expires" ON "velocityEntries" ("expiresAtMs", "subject", "atMs", "orderId");

CREATE TABLE "evidence" (
  "evidenceId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "answer" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("evidenceId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "evidence.order" ON "evidence" ("orderId", "evidenceId");

CREATE TRIGGER "evidence.no update" BEFORE UPDATE ON "evidence" BEGIN SELECT RAISE(ABORT, 'evidence is only ever added to'); END;

CREATE TRIGGER "evidence.no delete" BEFORE DELETE ON "evidence" BEGIN SELECT RAISE(ABORT, 'evidence is only ever added to'); END;

CREATE TABLE "bankNotices" (
  "noticeId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "fact" TEXT NOT NULL,
  "answer" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("noticeId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "bankNotices.reference" ON "bankNotices" ("reference", "noticeId");

CREATE TRIGGER "bankNotices.no update" BEFORE UPDATE ON "bankNotices" BEGIN SELECT RAISE(ABORT, 'bankNotices is only ever added to'); END;

CREATE TRIGGER "bankNotices.no delete" BEFORE DELETE ON "bankNotices" BEGIN SELECT RAISE(ABORT, 'bankNotices is only ever added to'); END;

CREATE TABLE "disputes" (
  "disputeId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "acquirer" TEXT NOT NULL,
  "bankDisputeId" TEXT NOT NULL,
  "stage" TEXT NOT NULL,
  "bookedMinor" INTEGER NOT NULL CHECK ("bookedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "changedAtMs" INTEGER NOT NULL CHECK ("changedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("disputeId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "disputes.order" ON "disputes" ("orderId", "disputeId");

CREATE TABLE "audit" (
  "auditId" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "subjectKind" TEXT NOT NULL,
  "subjectId" TEXT NOT NULL,
  "detail" TEXT NOT NULL,
  PRIMARY KEY ("auditId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "audit.subject" ON "audit" ("subjectKind", "subjectId", "atMs", "auditId");

CREATE INDEX "audit.at" ON "audit" ("atMs", "auditId");

CREATE TRIGGER "audit.no update" BEFORE UPDATE ON "audit" BEGIN SELECT RAISE(ABORT, 'audit is only ever added to'); END;

CREATE TRIGGER "audit.no delete" BEFORE DELETE ON "audit" BEGIN SELECT RAISE(ABORT, 'audit is only ever added to'); END;

CREATE TABLE "merchantKeys" (
  "keyId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "number" INTEGER NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "fingerprint" TEXT NOT NULL,
  "material" TEXT,
  "source" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "validFromMs" INTEGER NOT NULL CHECK ("validFromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "validUntilMs" INTEGER CHECK ("validUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "revokedAtMs" INTEGER CHECK ("revokedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("keyId")
) STRICT;

CREATE TABLE "revisions" (
  "subject" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject")
) STRICT, WITHOUT ROWID;

CREATE TABLE "payouts" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "destinationKind" TEXT NOT NULL,
  "encryptedDestination" BLOB NOT NULL,
  "recipient" TEXT NOT NULL,
  "masked" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "purpose" TEXT,
  "paidAtMs" INTEGER CHECK ("paidAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "erasedAtMs" INTEGER CHECK ("erasedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;

CREATE INDEX "payouts.erased" ON "payouts" ("erasedAtMs", "createdAtMs", "orderId");

CREATE TABLE "approvals" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "requestedAtMs" INTEGER NOT NULL CHECK ("requestedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "approver" TEXT,
  "signature" TEXT,
  "decidedAtMs" INTEGER CHECK ("decidedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "approvals.waiting" ON "approvals" ("merchantId", "state", "requestedAtMs", "orderId");

CREATE INDEX "approvals.state" ON "approvals" ("state", "requestedAtMs", "orderId");

CREATE TABLE "fundings" (
  "reference" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("reference")
) STRICT, WITHOUT ROWID;

CREATE TRIGGER "fundings.no update" BEFORE UPDATE ON "fundings" BEGIN SELECT RAISE(ABORT, 'fundings is only ever added to'); END;

CREATE TRIGGER "fundings.no delete" BEFORE DELETE ON "fundings" BEGIN SELECT RAISE(ABORT, 'fundings is only ever added to'); END;

CREATE TABLE "restorations" (
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "restoredAtMs" INTEGER NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" INTEGER CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "lastCommitAtMs" INTEGER CHECK ("lastCommitAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "enumeratedAtMs" INTEGER CHECK ("enumeratedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;

CREATE TABLE "bankBookings" (
  "source" TEXT NOT NULL,
  "acquirer" TEXT,
  "reference" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "merchantId" TEXT,
  "clientOrderId" TEXT,
  "kind" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" TEXT NOT NULL,
  "bookedAtMs" INTEGER NOT NULL CHECK ("bookedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" INTEGER CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" TEXT,
  "note" TEXT,
  PRIMARY KEY ("source", "reference")
) STRICT;

CREATE INDEX "bankBookings.order" ON "bankBookings" ("orderId", "reference", "source");

CREATE INDEX "bankBookings.clientOrder" ON "bankBookings" ("merchantId", "clientOrderId", "source", "reference");

CREATE INDEX "bankBookings.state" ON "bankBookings" ("state", "bookedAtMs", "reference", "source");

CREATE TABLE "enumerations" (
  "source" TEXT NOT NULL,
  "acquirer" TEXT NOT NULL,
  "restoredAtMs" INTEGER NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "fromMs" INTEGER NOT NULL CHECK ("fromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "toMs" INTEGER NOT NULL CHECK ("toMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "bookings" INTEGER NOT NULL CHECK ("bookings" BETWEEN -9007199254740991 AND 9007199254740991),
  "missing" INTEGER NOT NULL CHECK ("missing" BETWEEN -9007199254740991 AND 9007199254740991),
  "after" TEXT,
  "completedAtMs" INTEGER CHECK ("completedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "completedBy" TEXT,
  PRIMARY KEY ("source", "acquirer")
) STRICT, WITHOUT ROWID;

CREATE TABLE "heldJobs" (
  "jobId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "dueAtMs" INTEGER NOT NULL CHECK ("dueAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "taskId" TEXT,
  PRIMARY KEY ("jobId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "heldJobs.subject" ON "heldJobs" ("subject", "jobId");

CREATE INDEX "heldJobs.task" ON "heldJobs" ("taskId", "jobId");

CREATE TABLE "bankTasks" (
  "taskId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "source" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "reversalReference" TEXT,
  "processorTxId" TEXT,
  "answer" TEXT NOT NULL,
  "orderState" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "reversingAtMs" INTEGER CHECK ("reversingAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" INTEGER CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" TEXT,
  "note" TEXT,
  PRIMARY KEY ("taskId")
) STRICT;

CREATE INDEX "bankTasks.order" ON "bankTasks" ("orderId", "taskId");

CREATE INDEX "bankTasks.state" ON "bankTasks" ("state", "createdAtMs", "taskId");

CREATE TABLE "resolutions" (
  "requestId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "evidence" TEXT NOT NULL,
  "approvalCode" TEXT,
  "processorTxId" TEXT,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "proposedBy" TEXT NOT NULL,
  "proposedAtMs" INTEGER NOT NULL CHECK ("proposedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "confirmedBy" TEXT,
  "confirmedAtMs" INTEGER CHECK ("confirmedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "withdrawnBy" TEXT,
  "withdrawnAtMs" INTEGER CHECK ("withdrawnAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) STRICT;

CREATE INDEX "resolutions.order" ON "resolutions" ("orderId", "requestId");

CREATE TABLE "dayBalances" (
  "account" TEXT NOT NULL,
  "dayStartMs" INTEGER NOT NULL CHECK ("dayStartMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openingMinor" INTEGER NOT NULL,
  PRIMARY KEY ("account", "dayStartMs")
) STRICT, WITHOUT ROWID;

CREATE TABLE "processes" (
  "number" INTEGER NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" TEXT,
  "fromMs" INTEGER NOT NULL CHECK ("fromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "leaseUntilMs" INTEGER NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "name" TEXT NOT NULL,
  "startedAtMs" INTEGER NOT NULL CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchants" TEXT NOT NULL,
  PRIMARY KEY ("number")
) STRICT, WITHOUT ROWID;

CREATE TABLE "velocityCounters" (
  "subject" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject")
) STRICT, WITHOUT ROWID;

CREATE INDEX "velocityCounters.expires" ON "velocityCounters" ("expiresAtMs", "subject");

CREATE TABLE "runs" (
  "action" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" TEXT NOT NULL,
  "leaseUntilMs" INTEGER NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "progress" TEXT NOT NULL,
  "startedAtMs" INTEGER NOT NULL CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "process" TEXT NOT NULL,
  PRIMARY KEY ("action")
) STRICT, WITHOUT ROWID;

CREATE TABLE "numberSequences" (
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "next" INTEGER NOT NULL CHECK ("next" BETWEEN -9007199254740991 AND 9007199254740991),
  "copiedAtMs" INTEGER CHECK ("copiedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;

CREATE TABLE "certainTimes" (
  "name" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;

CREATE TABLE "operators" (
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "tokenHash" TEXT NOT NULL,
  "roles" TEXT NOT NULL,
  "tokenMadeBy" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "changedAtMs" INTEGER NOT NULL CHECK ("changedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX "operators.token" ON "operators" ("tokenHash");

CREATE TABLE "proposals" (
  "proposalId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "operation" TEXT NOT NULL,
  "input" TEXT NOT NULL,
  "proposedBy" TEXT NOT NULL,
  "proposedAtMs" INTEGER NOT NULL CHECK ("proposedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "state" TEXT NOT NULL,
  "endedBy" TEXT,
  "endedAtMs" INTEGER CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("proposalId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "proposals.state" ON "proposals" ("state", "proposedAtMs", "proposalId");

CREATE TABLE "consoleSessions" (
  "sessionHash" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "tokenHash" TEXT NOT NULL,
  "startedAtMs" INTEGER NOT NULL CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "usedAtMs" INTEGER NOT NULL CHECK ("usedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "codeAtMs" INTEGER CHECK ("codeAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("sessionHash")
) STRICT, WITHOUT ROWID;

CREATE INDEX "consoleSessions.started" ON "consoleSessions" ("startedAtMs", "sessionHash");

CREATE TABLE "secondFactors" (
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "encryptedSecret" BLOB NOT NULL,
  "lastStep" INTEGER NOT NULL CHECK ("lastStep" BETWEEN -9007199254740991 AND 9007199254740991),
  "failures" INTEGER NOT NULL CHECK ("failures" BETWEEN -9007199254740991 AND 9007199254740991),
  "failedAtMs" INTEGER NOT NULL CHECK ("failedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "enrolledAtMs" INTEGER NOT NULL CHECK ("enrolledAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "confirmedAtMs" INTEGER CHECK ("confirmedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;
