/** Plausible requests and answers, for documents, the command line and tests. */
import { Result, SchemaAST } from "effect"
import { codes } from "./ErrorCode.ts"
import * as Field from "./Field.ts"
import { customerBrowser } from "./fields/BrowserFields.ts"
import type { FieldTexts, Operation } from "./Operation.ts"

/**
 * The wire fields of a request that the operation accepts: the required fields, and those that its rules require.
 *
 * @example Sample.request(PayApi.operations.STATUS) // { login: "merchantlogin", client_orderid: "902B4FF5" }
 */
export const request = (operation: Operation): FieldTexts => {
  const names = Object.keys(operation.fields)
  const chosen = new Set(names.filter((name) => isRequired(operation, name)))
  for (const _ of names) {
    const decoded = operation.decodeFields(texts(operation, chosen))
    if (Result.isSuccess(decoded)) break
    for (const { code, field } of decoded.failure) if (code === codes.parameterRequired.code) chosen.add(field)
  }
  return texts(operation, chosen)
}

/** Sample values of all fields about the customer's browser in a payment, which 3-D Secure needs. */
export const browser: FieldTexts = Object.fromEntries(
  Object.entries(customerBrowser).map(([name, field]) => [name, Field.info(field).sample])
)

const isRequired = (operation: Operation, name: string): boolean => {
  const field = operation.fields[name]
  return field !== undefined && !Field.isOptional(field)
}

const texts = (operation: Operation, chosen: ReadonlySet<string>): FieldTexts =>
  Object.fromEntries(
    [...operation.infos].filter(([name]) => chosen.has(name)).map(([name, info]) => [name, info.sample])
  )

/** The keys that every answer of the operation has, with plausible values. */
export const answer = (operation: Operation): FieldTexts => {
  const { ast } = operation.response
  return SchemaAST.isObjects(ast)
    ? Object.fromEntries(
        ast.propertySignatures
          .filter(({ type }) => !SchemaAST.isOptional(type))
          .map(({ name, type }) => [String(name), examples(type)?.[0] ?? ""])
      )
    : {}
}

const examples = SchemaAST.resolveAt<ReadonlyArray<string>>("examples")
