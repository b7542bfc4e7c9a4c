/** The operation that reads the audit trail. */
import { Schema, SchemaTransformation } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

export const AuditRow = Schema.Struct({
  id: Schema.String,
  at: Parameter.Time,
  actor: Schema.String,
  action: Schema.String,
  outcome: Schema.Literals(["done", "refused"]),
  /** Kind and identifier of the subject: `order:123`. */
  subject: Schema.String,
  detail: Schema.Unknown
})

const subjectForm = /^([\w-]{1,32}):([\w.:-]{1,128})$/

const Subject = Schema.String.check(
  Schema.isPattern(subjectForm, { message: "is a kind and an identifier: order:123" })
).pipe(
  Schema.decodeTo(
    Schema.Struct({ kind: Schema.String, id: Schema.String }),
    SchemaTransformation.transform({
      decode: (text) => {
        const [, kind = "", id = ""] = subjectForm.exec(text) ?? []
        return { kind, id }
      },
      encode: ({ id, kind }) => `${kind}:${id}`
    })
  )
)

export const listAudit = Operation.make("listAudit", {
  method: "GET",
  path: "/operator/audit",
  command: "audit",
  about: "Lists who did what with an operator's or an approver's rights.",
  input: Schema.Struct({
    subject: Schema.optionalKey(
      Subject.annotate(Parameter.info({ value: "KIND:ID", about: "Only entries about one thing: order:123." }))
    ),
    ...Parameter.period,
    ...Parameter.page
  }),
  answer: Schema.Struct({ entries: Schema.Array(AuditRow), next: Parameter.Next }),
  rows: { field: "entries", columns: ["at", "actor", "action", "outcome", "subject", "detail"] }
})
