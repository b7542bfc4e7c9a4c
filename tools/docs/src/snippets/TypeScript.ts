/** Writes a request as a TypeScript program with `@pay/client`, which signs it as the operation requires. */
import { of } from "@pay/flows/FieldNames"
import type { Operation } from "@pay/schema/Operation"
import * as PayClient from "@pay/transport/PayClient"
import * as FieldPaths from "../../../../packages/client/src/FieldPaths.ts"
import * as ExampleRequest from "./ExampleRequest.ts"

const { defaults } = ExampleRequest

const quoted = (text: string): string => JSON.stringify(text)

/** Returns a value as a TypeScript literal. Numbers and booleans have no quotes. */
const literal = (operation: Operation, name: string, text: string): string => {
  const info = operation.infos.get(name)
  const decoded: unknown = info?.translation.decode(text)
  return typeof decoded === "number" || typeof decoded === "boolean" ? String(decoded) : quoted(text)
}

const expression = (operation: Operation, { name, value }: ExampleRequest.Field): string => {
  switch (value._tag) {
    case "Text":
      return literal(operation, name, value.text)
    case "NewName":
      return `\`order-\${crypto.randomUUID()}\``
    case "Earlier":
      return `needed(${quoted(value.variable)})`
  }
}

interface Line {
  readonly path: ReadonlyArray<string>
  readonly text: string
}

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name)

/** Returns the properties of the input, with groups of fields as nested objects. */
const properties = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const groups = [...new Set(lines.map(({ path: [first = ""] }) => first))]
  return groups.map((group) => {
    const own = lines.filter(({ path }) => path[0] === group)
    const name = isName(group) ? group : quoted(group)
    const inner = own.filter(({ path }) => path.length > 1)
    if (inner.length === 0) return `  ${name}: ${own[0]?.text}`
    return `  ${name}: {\n${inner.map(({ path, text }) => `    ${path[1]}: ${text}`).join(",\n")}\n  }`
  })
}

export const write = (request: ExampleRequest.ExampleRequest): string => {
  const { endpointId, fields, operation } = request
  const isOAuth = operation.signing._tag === "OAuth"
  const isRsa = operation.signing._tag === "OAuth" && operation.signing.methods[0] === "RSA-SHA256"
  const lines = fields
    .filter(({ name }) => name !== "login")
    .map((field) => ({
      path: FieldPaths.pathOf(operation, of(field.name)).split("."),
      text: expression(operation, field)
    }))
  const needed = ExampleRequest.needs(request)
  return [
    ...(isRsa ? ['import { readFileSync } from "node:fs"'] : []),
    'import { Pay } from "@pay/client"',
    "",
    ...(needed.length === 0
      ? []
      : [
          ...needed.map(({ from, variable }) => `// ${variable}: ${from}`),
          "const needed = (name: string): string => {",
          "  const value = process.env[name]",
          `  if (value === undefined) throw new Error(\`\${name} is not set\`)`,
          "  return value",
          "}",
          ""
        ]),
    "const pay = Pay.client({",
    `  baseUrl: process.env.PAY_BASE_URL ?? ${quoted(defaults.baseUrl)},`,
    `  login: ${quoted(defaults.login)},`,
    `  controlKey: ${quoted(defaults.controlKey)},`,
    ...(isRsa
      ? [`  privateKey: readFileSync(process.env.PAY_PRIVATE_KEY_FILE ?? ${quoted(defaults.privateKeyFile)}, "utf8"),`]
      : []),
    `  endpointId: ${quoted(endpointId)}`,
    "})",
    "",
    `// The client signs it${isOAuth ? " with OAuth 1.0a" : " with control"}.`,
    `const result = await pay.api.${PayClient.methodName(operation.name)}({`,
    properties(lines).join(",\n"),
    "})",
    "console.log(result.ok ? JSON.stringify(result.answer) : result.error)",
    ""
  ].join("\n")
}
