/** Fields inside the structs and lists of a payload. */
import { Redacted, SchemaAST } from "effect"
import * as Field from "./Field.ts"

/** Returns the schema of a value that may also be `undefined` or `null`. */
export const presentOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (ast._tag !== "Union") return ast
  const [first, ...others] = ast.types.filter(({ _tag }) => _tag !== "Undefined" && _tag !== "Null")
  return first === undefined || others.length > 0 ? ast : first
}

/** Returns the schema of a part of a struct or a list, by its name or index. Returns `undefined` for any other schema. */
export const partOf = (whole: SchemaAST.AST, name: string | number): SchemaAST.AST | undefined => {
  const ast = presentOf(whole)
  if (SchemaAST.isArrays(ast)) return ast.elements[Number(name)] ?? ast.rest[0]
  return SchemaAST.isObjects(ast) ? ast.propertySignatures.find((part) => part.name === name)?.type : undefined
}

/**
 * Returns the value as the field decodes it, also inside structs and lists. A `Redacted` that was made elsewhere gets the label that the
 * schema requires. An optional part that is `undefined` is left out.
 */
export const asDecoded = ({ ast }: { readonly ast: SchemaAST.AST }, value: unknown): unknown => {
  const translation = Field.infoIn({ ast: presentOf(ast) })?.translation
  if (translation !== undefined)
    return Redacted.isRedacted(value) ? translation.decode(translation.encode(value)) : value
  const part = (name: string | number, inner: unknown) => {
    const type = partOf(ast, name)
    return type === undefined ? inner : asDecoded({ ast: type }, inner)
  }
  if (Array.isArray(value)) return value.map((each: unknown, index) => part(index, each))
  if (!SchemaAST.isObjects(presentOf(ast)) || typeof value !== "object" || value === null) return value
  const isAbsent = (name: string, inner: unknown) => inner === undefined && isOptional(partOf(ast, name))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (isAbsent(name, each) ? [] : [[name, part(name, each)]]))
  )
}

const isOptional = (ast: SchemaAST.AST | undefined): boolean => ast !== undefined && SchemaAST.isOptional(ast)
