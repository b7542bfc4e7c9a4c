CREATE TABLE "payouts" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "destinationKind" TEXT NOT NULL,
  "sealedDestination" BLOB NOT NULL,
  "recipient" TEXT NOT NULL,
  "masked" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "purpose" TEXT,
  "paidAtMs" INTEGER CHECK ("paidAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;

CREATE INDEX "payouts.recipient" ON "payouts" ("merchantId", "recipient", "orderId");

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
