CREATE INDEX "orders.created" ON "orders" ("createdAtMs", "orderId");

CREATE INDEX "orders.merchant" ON "orders" ("merchantId", "createdAtMs", "orderId");

CREATE INDEX "orders.lastFour" ON "orders" ("lastFour", "createdAtMs", "orderId");

CREATE INDEX "requests.progress" ON "requests" ("progress", "acceptedAtMs", "requestId");

CREATE INDEX "cards.created" ON "cards" ("createdAtMs", "cardId");
