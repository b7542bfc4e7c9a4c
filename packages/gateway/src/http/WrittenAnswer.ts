/**
 * An answer as it is sent: one writer for both dialects. Use-cases return fields and know no form. What an answer says in the
 * older dialect, and JSON mode does not, is here.
 */
import * as Dialect from "@pay/schema/Dialect"
import * as Pairs from "@pay/schema/Pairs"
import { type Answer, announcement } from "../kernel/Answer.ts"
import * as IssuerForm from "../threeds/IssuerForm.ts"

export interface WrittenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const jsonType = { "content-type": `${Dialect.mediaType}; charset=utf-8` }
const pairsType = { "content-type": Pairs.contentType }
/** Almost every answer has these. */
const announced = { ...jsonType, ...announcement }

/** The specification's form. */
export const json = ({ fields, headers, status }: Answer): WrittenAnswer => ({
  status,
  headers: headers === announcement ? announced : { ...jsonType, ...headers },
  body: JSON.stringify(fields)
})

type Fields = Readonly<Record<string, unknown>>

const entries = (fields: object): Fields => Object.fromEntries(Object.entries(fields))

/** The number of the order that the answer is about. */
export const orderIdOf = ({ fields }: Answer): string | undefined => {
  const orderId = "paynet-order-id" in fields ? fields["paynet-order-id"] : undefined
  return typeof orderId === "string" ? orderId : undefined
}

/** Whether the answer tells of an outcome that nobody knows yet. */
export const isUnknown = ({ fields }: Answer): boolean => "status" in fields && fields.status === "unknown"

/** What its clients need of an answer of this type, and it does not say. */
const lacking = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(Dialect.fallbacks[String(fields.type)] ?? {}).filter(([name]) => !(name in fields)))

/**
 * The fields in the older dialect. Its clients take `unknown` for a failure, so it reads `processing`; `order-stage` says what
 * is true. They know no `redirect-to`, so a page takes the browser there.
 */
const older = (answer: Answer): Fields => {
  const fields = entries(answer.fields)
  const redirectTo = fields["redirect-to"]
  return {
    ...fields,
    ...lacking(fields),
    ...(isUnknown(answer) ? { status: "processing" } : {}),
    ...(typeof redirectTo === "string"
      ? { html: IssuerForm.render({ action: redirectTo, fields: {}, hidden: false, method: "get" }) }
      : {})
  }
}

/** Clients of the older dialect read an answer with HTTP status 200 only. A gateway that cannot serve now is not one. */
const isFailure = ({ status }: Answer): boolean => status === 500 || status === 503

const pairs = (answer: Answer): WrittenAnswer => {
  const { headers, status } = answer
  const fields = older(answer)
  const isRefusal = !isFailure(answer) && fields.type === "error"
  return {
    status: isFailure(answer) ? status : 200,
    headers: { ...pairsType, ...headers },
    body: Pairs.write(
      Object.entries(isRefusal ? { ...fields, type: "validation-error" } : fields).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value]] : []
      )
    )
  }
}

/** `form`: the one in which the older dialect answers at the path. */
export const write = (answer: Answer, dialect: Dialect.Dialect, form: Dialect.Dialect): WrittenAnswer => {
  if (dialect === "json") return json(answer)
  return form === "json" ? json({ ...answer, fields: older(answer) }) : pairs(answer)
}
