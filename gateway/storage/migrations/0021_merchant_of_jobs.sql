ALTER TABLE "agenda" ADD COLUMN "merchantId" TEXT;

UPDATE "agenda" SET "merchantId" = coalesce(
  CASE "kind"
    WHEN 'bank' THEN (SELECT "merchantId" FROM "requests" WHERE "requestId" = "subject")
    WHEN 'rail' THEN (SELECT "merchantId" FROM "requests" WHERE "requestId" = "subject")
    WHEN 'lapse' THEN (SELECT "merchantId" FROM "orders" WHERE "orderId" = "subject")
    WHEN 'threeds' THEN (SELECT "merchantId" FROM "orders" WHERE "orderId" = "subject")
    WHEN 'session' THEN (SELECT "merchantId" FROM "orders" WHERE "orderId" = "subject")
    WHEN 'callback' THEN (SELECT "merchantId" FROM "callbacks" WHERE "eventId" = "subject")
    WHEN 'recurring' THEN (SELECT "merchantId" FROM "subscriptions" WHERE "subscriptionId" = "subject")
    WHEN 'reversal' THEN (SELECT "merchantId" FROM "banktasks" WHERE "taskId" = "subject")
  END,
  ''
);

CREATE INDEX "agenda.turn" ON "agenda" ("kind", "merchantId", "dueAtMs", "itemId");
