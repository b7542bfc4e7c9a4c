ALTER TABLE "orders" ADD COLUMN "dialect" TEXT;

ALTER TABLE "orders" ADD COLUMN "amountText" TEXT;
