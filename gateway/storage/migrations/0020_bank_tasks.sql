CREATE TABLE "banktasks" (
  "taskId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "source" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "reversalReference" TEXT,
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

CREATE INDEX "banktasks.order" ON "banktasks" ("orderId", "taskId");

CREATE INDEX "banktasks.state" ON "banktasks" ("state", "createdAtMs", "taskId");
