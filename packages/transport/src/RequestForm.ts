/** The form of one request, from the typed input of a caller: checked here as the gateway will check it. */

import type { Dialect } from "@pay/schema/Dialect"
import * as Field from "@pay/schema/Field"
import type { FieldProblem, Operation, Request } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import type { Parameter } from "@pay/signing/Form"
import { Result } from "effect"

/** What a caller gives: the request without `login`, which is filled in from the credentials where it is required. */
export type Input<O extends Operation> = Omit<Request<O>, "login"> &
  ("login" extends keyof Request<O> ? { readonly login?: string } : unknown)

export interface RequestForm {
  /** Wire text by name, trimmed, without empty values. */
  readonly texts: Readonly<Record<string, string>>
  /** The entries of `texts` in the order of the operation's fields. */
  readonly parameters: ReadonlyArray<Parameter>
}

/** All problems at once, like the gateway's own refusal. */
export const encode = (
  operation: Operation,
  input: object,
  login: string,
  dialect: Dialect
): Result.Result<RequestForm, ReadonlyArray<FieldProblem>> => {
  const values = isRecord(input) ? input : {}
  const texts: Record<string, string> = {}
  const parameters: Array<Parameter> = []
  const problems: Array<FieldProblem> = []
  for (const [name, info] of operation.infos) {
    const value = values[name] ?? (name === "login" ? defaultLogin(operation, login) : undefined)
    if (value === undefined) continue
    const text = Field.textOf(info, value)
    if (Result.isFailure(text)) problems.push(Rule.invalid(name, text.failure.says))
    else if (text.success !== "") {
      texts[name] = text.success
      parameters.push([name, text.success])
    }
  }
  if (problems.length > 0) return Result.fail(problems)
  return Result.map(operation.decodeFields(texts, dialect), () => ({ texts, parameters }))
}

/** Any object can be asked for any name; plain JavaScript may give something else. */
const isRecord = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null

const defaultLogin = (operation: Operation, login: string): string | undefined => {
  const field = operation.fields.login
  return field === undefined || Field.isOptional(field) ? undefined : login
}

/** The merchant's identifier of the order, however this operation spells it. */
export const clientOrderId = ({ texts }: RequestForm): string | undefined =>
  texts.client_orderid ?? texts["client-order-id"] ?? texts["client-orderid"]
