ALTER TABLE "payouts" ADD COLUMN "erasedAtMs" INTEGER CHECK ("erasedAtMs" BETWEEN -9007199254740991 AND 9007199254740991);

CREATE INDEX "payouts.erased" ON "payouts" ("erasedAtMs", "createdAtMs", "orderId");
