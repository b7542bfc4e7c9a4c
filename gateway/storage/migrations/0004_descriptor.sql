ALTER TABLE "orders" ADD COLUMN "descriptor" TEXT;
