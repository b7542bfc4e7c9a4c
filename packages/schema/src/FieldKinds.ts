/** The kinds of sensitive data in a schema, by which flows decide what they may store. */
import type { SchemaAST } from "effect"
import * as Field from "./Field.ts"

/** Returns the kind of a schema, or `undefined` if it is not a field. */
export const kindOf = (schema: { readonly ast: SchemaAST.AST }): Field.Kind | undefined => Field.infoIn(schema)?.kind

/** Returns the kinds of a schema and of everything inside it, such as the parts of a struct, a list or a union. */
export const kindsWithin = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlySet<Field.Kind> => {
  const kinds = new Set<Field.Kind>()
  const visited = new Set<SchemaAST.AST>()
  const look = (at: SchemaAST.AST): void => {
    if (visited.has(at)) return
    visited.add(at)
    const kind = kindOf({ ast: at })
    if (kind !== undefined) kinds.add(kind)
    else partsOf(at).forEach(look)
  }
  look(ast)
  return kinds
}

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Union":
      return ast.types
    case "Declaration":
      return ast.typeParameters
    case "Suspend":
      return [ast.thunk()]
    default:
      return []
  }
}
