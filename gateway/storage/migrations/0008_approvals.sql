CREATE TABLE "approvals" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "askedAtMs" INTEGER NOT NULL CHECK ("askedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "approver" TEXT,
  "signature" TEXT,
  "decidedAtMs" INTEGER CHECK ("decidedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;

CREATE INDEX "approvals.waiting" ON "approvals" ("merchantId", "state", "askedAtMs", "orderId");
