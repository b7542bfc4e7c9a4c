DROP INDEX "agenda.due";

CREATE INDEX "agenda.due" ON "agenda" ("kind", "dueAtMs", "itemId");
