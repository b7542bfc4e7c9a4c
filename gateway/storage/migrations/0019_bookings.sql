CREATE TABLE "bankbookings" (
  "source" TEXT NOT NULL,
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
  "foundAtMs" INTEGER NOT NULL CHECK ("foundAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" INTEGER CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" TEXT,
  "note" TEXT,
  PRIMARY KEY ("source", "reference")
) STRICT;

CREATE INDEX "bankbookings.order" ON "bankbookings" ("orderId", "reference", "source");

CREATE INDEX "bankbookings.clientOrder" ON "bankbookings" ("merchantId", "clientOrderId", "source", "reference");

CREATE INDEX "bankbookings.state" ON "bankbookings" ("state", "bookedAtMs", "reference", "source");

CREATE TABLE "enumerations" (
  "source" TEXT NOT NULL,
  "restoredAtMs" INTEGER NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "fromMs" INTEGER NOT NULL CHECK ("fromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "toMs" INTEGER NOT NULL CHECK ("toMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "bookings" INTEGER NOT NULL CHECK ("bookings" BETWEEN -9007199254740991 AND 9007199254740991),
  "forgotten" INTEGER NOT NULL CHECK ("forgotten" BETWEEN -9007199254740991 AND 9007199254740991),
  "after" TEXT,
  "doneAtMs" INTEGER CHECK ("doneAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "doneBy" TEXT,
  PRIMARY KEY ("source")
) STRICT, WITHOUT ROWID;
