/** The definition of a flow, without what can be done with it on an engine. */
import type { Operation } from "@pay/schema/Operation"
import type { Effect, Schema } from "effect"
import type * as MemoryExecutions from "./MemoryExecutions.ts"

/** The fields of a payload, each with its schema. */
export type Fields = Schema.Struct.Fields
/** The schema of a result or an error of a flow. Its values can be written as JSON and contain no card data. */
export type Written = Schema.Codec<unknown, unknown>

/** The payload of a flow as a caller gives it: `undefined` stands for an optional field that is absent. */
export type Input<P extends Fields> = OrUndefined<Schema.Struct.Type<P>>
type OrUndefined<T> = { readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** The definition of a flow. */
export interface Options<Name extends string, P extends Fields, A extends Written, E extends Written, R> {
  readonly name: Name
  /** One sentence for the documentation. */
  readonly summary?: string | undefined
  /** The operation that the flow carries out. It is absent if the flow consists of other flows. */
  readonly operation?: Operation
  readonly payload: Schema.Struct<P>
  /** The schema of the result. Default: there is none. */
  readonly success?: A | undefined
  /** The schema of the errors. Default: all errors of flows and of `execute`, so that a flow of flows needs no list. */
  readonly error?: E | undefined
  /** Returns the identity of the flow with this payload: the merchant's own name of the action. */
  readonly idempotencyKey: (payload: Schema.Struct.Type<P>) => string
  /** The program. All input and output, and all that depends on time or chance, must be a step of `Steps`. */
  readonly run: (payload: Schema.Struct.Type<P>) => Effect.Effect<A["Type"], E["Type"], R>
}

/** A flow as engines know it: its definition, and the fields of its payload that need protection. */
export interface Definition<Name extends string, P extends Fields, A extends Written, E extends Written, R>
  extends Options<Name, P, A, E, R> {
  readonly success: A
  readonly error: E
  /**
   * Fields of the payload that must never be stored, not even encrypted: the security code of the card. A durable engine stores
   * the payload without them, and a flow that runs again after a restart lacks them.
   */
  readonly neverPersisted: ReadonlyArray<string>
  /** Fields of the payload that may be stored only encrypted: card number, expiry and data of the recipient. */
  readonly encryptedFields: ReadonlyArray<string>
  /** The executions of this flow in the memory of this process. */
  readonly memory: MemoryExecutions.OnEngine<A["Type"], E["Type"]>
}
