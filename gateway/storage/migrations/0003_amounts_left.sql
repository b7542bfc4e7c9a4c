ALTER TABLE "orders" ADD COLUMN "amountsLeft" TEXT;
