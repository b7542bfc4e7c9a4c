CREATE TABLE "orders" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "initiator" TEXT NOT NULL,
  "cvvGiven" INTEGER NOT NULL CHECK ("cvvGiven" BETWEEN -9007199254740991 AND 9007199254740991),
  "state" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "authorizedMinor" INTEGER NOT NULL CHECK ("authorizedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturedMinor" INTEGER NOT NULL CHECK ("capturedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "returnedMinor" INTEGER NOT NULL CHECK ("returnedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturingMinor" INTEGER NOT NULL CHECK ("capturingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "returningMinor" INTEGER NOT NULL CHECK ("returningMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "movingCount" INTEGER NOT NULL CHECK ("movingCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "releasing" INTEGER NOT NULL CHECK ("releasing" BETWEEN -9007199254740991 AND 9007199254740991),
  "released" INTEGER NOT NULL CHECK ("released" BETWEEN -9007199254740991 AND 9007199254740991),
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorCode" INTEGER CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" TEXT,
  "filteredBy" TEXT,
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
  "phone" TEXT,
  "ipAddress" TEXT NOT NULL,
  "merchantData" TEXT,
  "redirectUrl" TEXT,
  "redirectSuccessUrl" TEXT,
  "redirectFailUrl" TEXT,
  "callbackUrl" TEXT,
  "notifyUrl" TEXT,
  "eventCount" INTEGER NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "processedAtMs" INTEGER CHECK ("processedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "holdUntilMs" INTEGER CHECK ("holdUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;

CREATE UNIQUE INDEX "orders.clientOrder" ON "orders" ("merchantId", "clientOrderId");

CREATE TABLE "requests" (
  "requestId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "operation" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "amountGiven" INTEGER NOT NULL CHECK ("amountGiven" BETWEEN -9007199254740991 AND 9007199254740991),
  "progress" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "idempotencyKey" TEXT,
  "errorCode" INTEGER CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" TEXT,
  "callbackUrl" TEXT,
  "acceptedAtMs" INTEGER NOT NULL CHECK ("acceptedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "finishedAtMs" INTEGER CHECK ("finishedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) STRICT;

CREATE UNIQUE INDEX "requests.idempotency" ON "requests" ("merchantId", "operation", "orderId", "idempotencyKey");

CREATE INDEX "requests.order" ON "requests" ("orderId", "sequence", "requestId");

CREATE TABLE "cards" (
  "cardId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "sealedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "cards.pan" ON "cards" ("merchantId", "panHash", "cardId");

CREATE TABLE "cvvs" (
  "cardId" TEXT NOT NULL,
  "sealed" BLOB NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "cvvs.created" ON "cvvs" ("createdAtMs", "cardId");

CREATE TABLE "cardrefs" (
  "cardRefId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "sealedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT,
  "cardholderInitiated" INTEGER NOT NULL CHECK ("cardholderInitiated" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "removedAtMs" INTEGER CHECK ("removedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardRefId")
) STRICT;

CREATE UNIQUE INDEX "cardrefs.card" ON "cardrefs" ("merchantId", "panHash");

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
  "acsUrl" TEXT,
  "acsTransId" TEXT,
  "creq" TEXT,
  "pareq" TEXT,
  "md" TEXT,
  "xid" TEXT,
  "transStatus" TEXT,
  "eci" TEXT,
  "sealedAuthenticationValue" TEXT,
  "deadlineMs" INTEGER CHECK ("deadlineMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "methodUpload" TEXT,
  "endUpload" TEXT,
  PRIMARY KEY ("orderId")
) STRICT;

CREATE UNIQUE INDEX "authentications.pageToken" ON "authentications" ("pageToken");

CREATE TABLE "formsessions" (
  "token" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "country" TEXT,
  "attempts" INTEGER NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "attemptsAllowed" INTEGER NOT NULL CHECK ("attemptsAllowed" BETWEEN -9007199254740991 AND 9007199254740991),
  "attemptId" TEXT,
  "paying" INTEGER NOT NULL CHECK ("paying" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "endedAtMs" INTEGER CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("token")
) STRICT;

CREATE UNIQUE INDEX "formsessions.order" ON "formsessions" ("orderId");

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
  "minor" INTEGER NOT NULL CHECK ("minor" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("account")
) STRICT, WITHOUT ROWID;

CREATE TABLE "agenda" (
  "itemId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "dueAtMs" INTEGER NOT NULL CHECK ("dueAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openAttempts" INTEGER NOT NULL CHECK ("openAttempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "tries" INTEGER NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" INTEGER CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" TEXT,
  "leaseUntilMs" INTEGER NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("itemId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "agenda.due" ON "agenda" ("kind", "dueAtMs", "itemId");

CREATE INDEX "agenda.lease" ON "agenda" ("leaseUntilMs", "itemId");

CREATE TABLE "callbacks" (
  "eventId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "url" TEXT NOT NULL,
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

CREATE TABLE "callbackTries" (
  "eventId" TEXT NOT NULL,
  "number" INTEGER NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "what" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" TEXT NOT NULL,
  PRIMARY KEY ("eventId", "number", "what")
) STRICT, WITHOUT ROWID;

CREATE INDEX "callbackTries.at" ON "callbackTries" ("atMs", "eventId", "number", "what");

CREATE TABLE "nonces" (
  "consumerKey" TEXT NOT NULL,
  "nonce" TEXT NOT NULL,
  "seenAtMs" INTEGER NOT NULL CHECK ("seenAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("consumerKey", "nonce")
) STRICT, WITHOUT ROWID;

CREATE INDEX "nonces.seen" ON "nonces" ("seenAtMs", "consumerKey", "nonce");

CREATE TABLE "riskmarks" (
  "subject" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject", "atMs", "orderId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "riskmarks.expires" ON "riskmarks" ("expiresAtMs", "subject", "atMs", "orderId");

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
