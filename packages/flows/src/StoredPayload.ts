/** The payload of an attempt as engines store and compare it: without the fields that are never stored. */
import { Effect, Schema } from "effect"
import type * as Definition from "./Definition.ts"
import * as OpenEnds from "./OpenEnds.ts"

export interface Payload {
  readonly payload: { readonly fields: Definition.Fields }
  readonly neverPersisted: ReadonlyArray<string>
}

/** The payload of an execution as an engine stores it. */
export const StoredPayload = Schema.Struct({
  /** The merchant of the flow, at its gateway. */
  merchant: Schema.String,
  fields: Schema.Json,
  /** The names of the fields that were given at the start and are never stored. */
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

const codecs = new WeakMap<object, { readonly stored: Codec; readonly pending: Codec }>()

/** Returns the JSON codecs of the fields that are stored, and of those that are not. */
export const codecsOf = ({ neverPersisted, payload }: Payload) => {
  const partOf = (isNever: boolean): Codec =>
    Schema.toCodecJson(
      Schema.Struct(
        Object.fromEntries(
          Object.entries(payload.fields).flatMap(([name, { ast }]) =>
            neverPersisted.includes(name) === isNever
              ? [[name, Schema.make<Schema.Codec<unknown, unknown>>(ast)] as const]
              : []
          )
        )
      )
    )
  const made = codecs.get(payload) ?? { stored: partOf(false), pending: partOf(true) }
  codecs.set(payload, made)
  return made
}

/** Splits the payload into what is stored and the fields for the first run only. */
export const splitPayload = Effect.fnUntraced(function* (
  flow: Payload,
  payload: object,
  { merchant, openEnds }: Origin
) {
  const storedFields: Record<string, unknown> = {}
  const pendingFields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    const part = flow.neverPersisted.includes(name) ? pendingFields : storedFields
    part[name] = value
  }
  const fields = yield* Schema.encodeEffect(codecsOf(flow).stored)(storedFields)
  const stored: StoredPayload = { merchant, fields, pendingNames: Object.keys(pendingFields), openEnds }
  return { stored, pendingFields }
}, Effect.orDie)
