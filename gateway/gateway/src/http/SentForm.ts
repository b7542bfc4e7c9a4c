/**
 * Reads the fields of a request from the form in its body. A public client of the older dialect sends them in the query of the
 * address, with neither a body nor a `Content-Type`. Proxies log addresses, so a query is accepted only for operations that
 * create an order, and without card data. A logged `control` of such an operation creates nothing else, but that of a status
 * request could be used to return the money of an order.
 */
import type { Dialect } from "@pay/schema/Dialect"
import type { Operation } from "@pay/schema/Operation"
import * as Form from "@pay/signing/Form"
import { Result } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import { type Headed, header, isForm } from "./RequestHead.ts"
import type { Target } from "./RequestTarget.ts"

interface Sent extends Headed {
  readonly body: string | undefined
}

interface ExpectedForm {
  readonly operation: Operation
  readonly dialect: Dialect
  /** Largest number of parameters of body and query together. */
  readonly most: number
}

type Parameters = ReadonlyArray<Form.Parameter>

/**
 * Whether the fields are in the query. An OAuth signature covers the query and the body separately, so its fields stay in their
 * place.
 */
const isInQuery = (request: Sent, { query }: Target, { dialect, operation }: ExpectedForm): boolean =>
  dialect === "pairs" &&
  operation.signing._tag === "Control" &&
  operation.acts === "creates" &&
  query !== "" &&
  request.body === "" &&
  header(request, "content-type") === ""

const brokenEscape = /%(?![\da-f]{2})/i
const otherEncoding = "; it looks like windows-1252 or ISO-8859-1: encode the form as UTF-8"

const limited = (text: string, most: number, what: string): Result.Result<Parameters, RequestRefused> => {
  if (most < 0 || Form.head(text, most).length < text.length)
    return Result.fail(refuse(Form.isWellFormed(text) ? "tooManyParameters" : "malformedForm"))
  const form = Form.parse(text)
  if (form.ok) return Result.succeed(form.parameters)
  const hint = brokenEscape.test(text) ? "" : otherEncoding
  const message = `The ${what} is not a valid form: ${form.reason} (at ${form.at})${hint}`
  return Result.fail(refuse("malformedForm", { message }))
}

/** Refuses parameters of an address that contain card data. */
const withoutCard = (
  parameters: Parameters,
  { operation }: ExpectedForm
): Result.Result<Parameters, RequestRefused> => {
  const exposed = parameters.find(([spelling, value]) => {
    const info = operation.infos.get(operation.spellings.get(spelling) ?? "")
    return info !== undefined && info.kind !== "plain" && value.trim() !== ""
  })
  if (exposed === undefined) return Result.succeed(parameters)
  const [field] = exposed
  const message = `Parameter ${field} must be in the body: addresses are written into logs`
  return Result.fail(refuse("parameterInvalid", { field, message }))
}

export const read = (
  request: Sent,
  target: Target,
  expected: ExpectedForm
): Result.Result<Parameters, RequestRefused> => {
  const { most } = expected
  if (isInQuery(request, target, expected))
    return Result.flatMap(limited(target.query, most, "query"), (parameters) => withoutCard(parameters, expected))
  if (!isForm(header(request, "content-type"))) return Result.fail(refuse("contentTypeRequired"))
  if (request.body === undefined)
    return Result.fail(refuse("malformedForm", { message: `The body is not UTF-8${otherEncoding}` }))
  return limited(request.body, most - Form.pieces(target.query), "body")
}

/** Returns the parameters of the query, none if it is malformed. No operation in JSON takes a field from it. */
export const queryOf = ({ query }: Target): Parameters => {
  const form = Form.parse(query)
  return form.ok ? form.parameters : []
}
