CREATE TABLE "audit" (
  "auditId" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "subjectKind" TEXT NOT NULL,
  "subjectId" TEXT NOT NULL,
  "detail" TEXT NOT NULL,
  PRIMARY KEY ("auditId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "audit.subject" ON "audit" ("subjectKind", "subjectId", "atMs", "auditId");

CREATE INDEX "audit.at" ON "audit" ("atMs", "auditId");

CREATE TRIGGER "audit.no update" BEFORE UPDATE ON "audit" BEGIN SELECT RAISE(ABORT, 'audit is only ever added to'); END;

CREATE TRIGGER "audit.no delete" BEFORE DELETE ON "audit" BEGIN SELECT RAISE(ABORT, 'audit is only ever added to'); END;
