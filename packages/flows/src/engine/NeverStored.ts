/**
 * The fields of a payload that are never stored: those that a flow names, and the security codes of cards inside its structs and
 * lists. They are taken out of the payload before it is stored, and put back for the first run.
 */
import * as FieldKinds from "@pay/schema/FieldKinds"
import { partOf, presentOf } from "@pay/schema/FieldParts"
import { Predicate, Schema, SchemaAST } from "effect"
import type * as Definition from "./Definition.ts"

export interface Payload {
  readonly payload: { readonly fields: Definition.Fields }
  readonly neverPersisted: ReadonlyArray<string>
}

/** Fields that are never stored, each under its place in the payload: `["payments","0","cvv2"]`. */
export type PendingFields = Readonly<Record<string, unknown>>

const placeOf = (path: ReadonlyArray<string>): string => JSON.stringify(path)
const readPath = Schema.decodeSync(Schema.fromJsonString(Schema.NonEmptyArray(Schema.String)))

/** Returns the name of the field at a place. */
export const nameAt = (place: string): string => readPath(place).at(-1) ?? ""

const isCode = (ast: SchemaAST.AST): boolean => FieldKinds.kindOf({ ast }) === "cvv"
const holdsCode = (ast: SchemaAST.AST): boolean => FieldKinds.kindsWithin({ ast }).has("cvv")

/** Splits a payload into what may be stored and the fields that may not. */
export const split = (
  { neverPersisted, payload: { fields } }: Payload,
  payload: object
): { readonly kept: Readonly<Record<string, unknown>>; readonly pendingFields: PendingFields } => {
  const pendingFields: Record<string, unknown> = {}
  const keep = (ast: SchemaAST.AST, value: unknown, path: ReadonlyArray<string>): unknown => {
    if (!holdsCode(ast)) return value
    if (Array.isArray(value)) return value.map((each: unknown, index) => keepPart(ast, each, [...path, String(index)]))
    return Predicate.isObject(value) ? keepAll(Object.entries(value), (name) => partOf(ast, name), path) : value
  }
  const keepPart = (whole: SchemaAST.AST, value: unknown, path: ReadonlyArray<string>): unknown => {
    const ast = partOf(whole, path.at(-1) ?? "")
    return ast === undefined ? value : keep(ast, value, path)
  }
  const keepAll = (
    entries: ReadonlyArray<readonly [string, unknown]>,
    schemaOf: (name: string) => SchemaAST.AST | undefined,
    path: ReadonlyArray<string>
  ): Record<string, unknown> =>
    Object.fromEntries(
      entries.flatMap(([name, value]) => {
        const ast = schemaOf(name)
        const place = [...path, name]
        const isNever = path.length === 0 ? neverPersisted.includes(name) : ast !== undefined && isCode(ast)
        if (isNever) pendingFields[placeOf(place)] = value
        return isNever ? [] : [[name, ast === undefined ? value : keep(ast, value, place)]]
      })
    )
  const kept = keepAll(Object.entries(payload), (name) => fields[name]?.ast, [])
  return { kept, pendingFields }
}

const putAt = (value: unknown, [name = "", ...rest]: ReadonlyArray<string>, part: unknown): unknown => {
  const put = (old: unknown) => (rest.length === 0 ? part : putAt(old, rest, part))
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === name ? put(each) : each))
  return Predicate.isObject(value)
    ? { ...value, [name]: put(Object.entries(value).find(([key]) => key === name)?.[1]) }
    : value
}

/** Puts the fields back into the payload. */
export const restore = (kept: unknown, pendingFields: PendingFields = {}): unknown =>
  Object.entries(pendingFields).reduce((value, [place, field]) => putAt(value, readPath(place), field), kept)

/** Returns the JSON codec of the fields at these places. */
export const codecOf = (
  { payload: { fields } }: Payload,
  places: ReadonlyArray<string>
): Schema.Codec<PendingFields, Schema.Json> =>
  Schema.toCodecJson(
    Schema.Struct(
      Object.fromEntries(
        places.flatMap((place) => {
          const [first, ...rest] = readPath(place)
          const ast = rest.reduce<SchemaAST.AST | undefined>(
            (whole, name) => whole && partOf(whole, name),
            fields[first]?.ast
          )
          return ast === undefined ? [] : [[place, Schema.make<Schema.Codec<unknown, unknown>>(ast)] as const]
        })
      )
    )
  )

/** Returns what is wrong with the security codes inside a field: they must be optional, and inside structs and lists only. */
export const flawOf = (name: string, field: { readonly ast: SchemaAST.AST }): string | undefined => {
  const look = (whole: SchemaAST.AST): "required" | "hidden" | undefined => {
    if (!holdsCode(whole)) return undefined
    const ast = presentOf(whole)
    if (SchemaAST.isArrays(ast))
      return first([...ast.elements, ...ast.rest].map((part) => (isCode(part) ? "hidden" : look(part))))
    if (!SchemaAST.isObjects(ast) || ast.indexSignatures.some(({ type }) => holdsCode(type))) return "hidden"
    return first(
      ast.propertySignatures.map(({ type }) =>
        isCode(type) ? (SchemaAST.isOptional(type) ? undefined : "required") : look(type)
      )
    )
  }
  const flaw = look(field.ast)
  if (flaw === undefined) return undefined
  return flaw === "required"
    ? `the security code inside ${name} must not be stored, so the flow has to run without it after a restart: make it optional`
    : `the security code inside ${name} must not be stored: put it into a struct or a list of structs, as an optional field`
}

const first = <A>(flaws: ReadonlyArray<A | undefined>): A | undefined => flaws.find((flaw) => flaw !== undefined)
