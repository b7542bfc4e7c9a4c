ALTER TABLE "formsessions" ADD COLUMN "purpose" TEXT;
