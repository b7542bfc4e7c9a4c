/** The payload of an attempt as engines store and compare it: without the fields that are never stored. */
import { Effect, Schema } from "effect"
import * as NeverStored from "./NeverStored.ts"
import * as OpenEnds from "./OpenEnds.ts"

export type Payload = NeverStored.Payload

/** The payload of an execution as an engine stores it. */
export const StoredPayload = Schema.Struct({
  /** The merchant of the flow, at its gateway. */
  merchant: Schema.String,
  fields: Schema.Json,
  /** The places of the fields that were given at the start and are never stored. */
  pendingNames: Schema.Array(Schema.String),
  /** The open ends of the attempt before. */
  openEnds: OpenEnds.Ids
})
export type StoredPayload = typeof StoredPayload.Type

/** What an attempt has from its flow and the attempt before it. */
export type Origin = Pick<StoredPayload, "merchant" | "openEnds">

/** The parts of a stored payload that are ignored when two payloads are compared. */
export const ignoredParts: ReadonlyArray<keyof StoredPayload> = ["pendingNames", "openEnds"]

type Codec = Schema.Codec<Readonly<Record<string, unknown>>, Schema.Json>

const codecs = new WeakMap<object, Codec>()

/** Returns the JSON codec of the fields that are stored. */
export const codecOf = ({ neverPersisted, payload }: Payload): Codec => {
  const existing = codecs.get(payload)
  if (existing !== undefined) return existing
  const stored = Object.entries(payload.fields).flatMap(([name, { ast }]) =>
    neverPersisted.includes(name) ? [] : [[name, Schema.make<Schema.Codec<unknown, unknown>>(ast)] as const]
  )
  const made: Codec = Schema.toCodecJson(Schema.Struct(Object.fromEntries(stored)))
  codecs.set(payload, made)
  return made
}

/** Returns the value with the members of its objects in the order of their names, so that equal values are equal texts. */
const inOrder = (json: Schema.Json): Schema.Json => {
  if (typeof json !== "object" || json === null) return json
  if (isList(json)) return json.map(inOrder)
  return Object.fromEntries(
    Object.entries(json)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, inOrder(each)])
  )
}
const isList = (json: Schema.Json): json is ReadonlyArray<Schema.Json> => Array.isArray(json)

/** Splits the payload into what is stored and the fields for the first run only. */
export const splitPayload = Effect.fnUntraced(function* (
  flow: Payload,
  payload: object,
  { merchant, openEnds }: Origin
) {
  const { kept, pendingFields } = NeverStored.split(flow, payload)
  const fields = inOrder(yield* Schema.encodeEffect(codecOf(flow))(kept))
  const stored: StoredPayload = { merchant, fields, pendingNames: Object.keys(pendingFields), openEnds }
  return { stored, pendingFields }
}, Effect.orDie)
