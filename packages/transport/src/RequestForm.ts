/** The form of one request, made from the typed input of a caller and checked as the gateway will check it. */

import * as Canonical from "@pay/schema/Canonical"
import type { Dialect } from "@pay/schema/Dialect"
import * as Field from "@pay/schema/Field"
import type { FieldProblem, Operation, Request } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import type { Parameter } from "@pay/signing/Form"
import { Result } from "effect"

/**
 * The input of a caller: the request without `login`, which the client adds from its credentials if the operation requires it.
 */
export type Input<O extends Operation> = Omit<Request<O>, "login"> &
  ("login" extends keyof Request<O> ? { readonly login?: string } : unknown)

/** The checked fields of one request, ready to be signed. */
export interface RequestForm {
  /** Wire text by name, trimmed, without empty values. */
  readonly texts: Readonly<Record<string, string>>
  /** The entries of `texts` in the order of the operation's fields. */
  readonly parameters: ReadonlyArray<Parameter>
}

/** Makes the form of a request. Fails with all problems at once, as the gateway does. */
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
  const others = Object.entries(values).filter(([name, value]) => value !== undefined && !operation.infos.has(name))
  const ignored = others.map(([name, value]) => [name, String(value)] as const)
  problems.push(...Canonical.fields(operation, parameters, ignored).problems)
  if (problems.length > 0) return Result.fail(problems)
  return Result.map(operation.decodeFields(texts, dialect), () => ({ texts, parameters }))
}

/** Whether the input is an object. A caller in plain JavaScript may pass something else. */
const isRecord = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null

const defaultLogin = (operation: Operation, login: string): string | undefined => {
  const field = operation.fields.login
  return field === undefined || Field.isOptional(field) ? undefined : login
}

/** Returns the merchant's identifier of the order, which operations spell in different ways. */
export const clientOrderId = ({ texts }: RequestForm): string | undefined =>
  texts.client_orderid ?? texts["client-order-id"] ?? texts["client-orderid"]
