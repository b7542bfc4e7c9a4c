/**
 * Writes answers in both dialects. Use-cases return fields, and do not depend on the dialect. The differences of the older
 * dialect from JSON mode are in this module.
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
/** Headers of almost every answer. */
const commonHeaders = { ...jsonType, ...announcement }

/** Writes an answer in the specification's form. */
export const json = ({ fields, headers, status }: Answer): WrittenAnswer => ({
  status,
  headers: headers === announcement ? commonHeaders : { ...jsonType, ...headers },
  body: JSON.stringify(fields)
})

type Fields = Readonly<Record<string, unknown>>

const entries = (fields: object): Fields => Object.fromEntries(Object.entries(fields))

/** Returns the number of the answer's order. */
export const orderIdOf = ({ fields }: Answer): string | undefined => {
  const orderId = "paynet-order-id" in fields ? fields["paynet-order-id"] : undefined
  return typeof orderId === "string" ? orderId : undefined
}

/** Whether the answer contains an unknown outcome. */
export const isUnknown = ({ fields }: Answer): boolean => "status" in fields && fields.status === "unknown"

/** Returns the fields that clients of the older dialect need in an answer of this type, and that the answer lacks. */
const lacking = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(Dialect.fallbacks[String(fields.type)] ?? {}).filter(([name]) => !(name in fields)))

/**
 * Returns the fields in the older dialect. Its clients interpret `unknown` as a failure, so `status` is `processing`, and
 * `order-stage` contains the true stage. They do not support `redirect-to`, so a page in `html` redirects the browser.
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

/**
 * Whether the answer keeps its HTTP status. Clients of the older dialect read an answer only with status 200, so a refusal has
 * 200, and a failure of the gateway does not.
 */
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

/** Writes an answer. `form` is the form in which the older dialect answers at the path. */
export const write = (answer: Answer, dialect: Dialect.Dialect, form: Dialect.Dialect): WrittenAnswer => {
  if (dialect === "json") return json(answer)
  return form === "json" ? json({ ...answer, fields: older(answer) }) : pairs(answer)
}
