/**
 * The names of a configuration, derived from its schema. The documentation lists them, the environment may override them, and
 * unknown names are compared with them for a suggestion.
 */
import { Predicate, type Schema, SchemaAST } from "effect"
import * as Suggestion from "./Suggestion.ts"

/** The type of a value, which decides how the text of an environment variable is parsed. */
export type Kind = "text" | "number" | "boolean" | "list" | "numbers" | "other"

/** One name of the configuration. */
export interface Entry {
  readonly path: ReadonlyArray<string>
  readonly kind: Kind
  readonly about: string
  /** The environment variable of the name. If it is `undefined`, only the file can set the value. */
  readonly environment: string | undefined
  readonly unit: string
  readonly fallback: string
}

const isWord = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && typeof ast.literal === "string"

const kindOf = (ast: SchemaAST.AST): Kind => {
  if (SchemaAST.isUnion(ast) && ast.types.every(isWord)) return "text"
  if (SchemaAST.isString(ast) || SchemaAST.isDeclaration(ast)) return "text"
  if (SchemaAST.isNumber(ast)) return "number"
  if (SchemaAST.isBoolean(ast)) return "boolean"
  if (!SchemaAST.isArrays(ast) || ast.elements.length > 0) return "other"
  const [item] = ast.rest
  return item === undefined
    ? "other"
    : SchemaAST.isNumber(item)
      ? "numbers"
      : SchemaAST.isString(item) || (SchemaAST.isUnion(item) && item.types.every(isWord))
        ? "list"
        : "other"
}

const describe = (ast: SchemaAST.AST, name: string): string => {
  const value = SchemaAST.resolve(ast)?.[name]
  return typeof value === "string" ? value : ""
}

/** Returns the environment variable of a name: `PAY_LIMITS_MAX_BODY_BYTES` for `limits.maxBodyBytes`. */
const variable = (path: ReadonlyArray<string>): string =>
  `PAY_${path.map((part) => part.replace(/[A-Z]/g, "_$&")).join("_")}`.toUpperCase()

/**
 * Returns all names of a configuration. Names inside a list contain `[]`, such as `merchants[]`, and have no environment
 * variable.
 */
export const entries = (schema: Schema.Top, path: ReadonlyArray<string> = []): ReadonlyArray<Entry> => {
  const walk = (ast: SchemaAST.AST, path: ReadonlyArray<string>): ReadonlyArray<Entry> => {
    if (SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0)
      return ast.propertySignatures.flatMap(({ name, type }) => walk(type, [...path, String(name)]))
    const member = SchemaAST.isArrays(ast) ? (ast.elements[0] ?? ast.rest[0]) : undefined
    if (member !== undefined && SchemaAST.isObjects(member))
      return walk(member, [...path.slice(0, -1), `${path.at(-1) ?? ""}[]`])
    const kind = kindOf(ast)
    const inList = path.some((part) => part.endsWith("[]"))
    return [
      {
        path,
        kind,
        about: describe(ast, "description"),
        environment: inList || kind === "other" ? undefined : describe(ast, "environment") || variable(path),
        unit: describe(ast, "unit"),
        fallback: describe(ast, "fallback")
      }
    ]
  }
  return walk(schema.ast, path)
}

/** Returns a message for each name in the value that is not in the schema, with a suggestion if a similar name exists. */
export const unknown = (schema: Schema.Top, value: unknown): ReadonlyArray<string> => {
  const walk = (ast: SchemaAST.AST, value: unknown, path: string): ReadonlyArray<string> => {
    if (SchemaAST.isArrays(ast)) {
      const member = ast.elements[0] ?? ast.rest[0]
      return Array.isArray(value) && member !== undefined
        ? value.flatMap((item, at) => walk(member, item, `${path}[${at}]`))
        : []
    }
    if (
      !SchemaAST.isObjects(ast) ||
      ast.indexSignatures.length > 0 ||
      !Predicate.isObject(value) ||
      Array.isArray(value)
    )
      return []
    const types = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
    return Object.entries(value).flatMap(([name, inner]) => {
      const type = types.get(name)
      const at = path === "" ? name : `${path}.${name}`
      if (type !== undefined) return walk(type, inner, at)
      const near = Suggestion.closest(name, types.keys())
      return [`${at} is not known${near === undefined ? "" : `: did you mean ${near}?`}`]
    })
  }
  return walk(schema.ast, value, "")
}
