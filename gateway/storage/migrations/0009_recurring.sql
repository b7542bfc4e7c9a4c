ALTER TABLE "orders" ADD COLUMN "subscriptionId" TEXT;

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
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "period" TEXT NOT NULL,
  "interval" INTEGER NOT NULL CHECK ("interval" BETWEEN -9007199254740991 AND 9007199254740991),
  "anchorDay" TEXT NOT NULL,
  "finishDay" TEXT,
  "occurrences" INTEGER CHECK ("occurrences" BETWEEN -9007199254740991 AND 9007199254740991),
  "timeZone" TEXT NOT NULL,
  "next" INTEGER NOT NULL CHECK ("next" BETWEEN -9007199254740991 AND 9007199254740991),
  "sealedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
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
  "country" TEXT NOT NULL,
  "callbackUrl" TEXT,
  "notifyUrl" TEXT,
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
) STRICT;
