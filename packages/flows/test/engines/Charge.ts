/** A flow whose requests end as a test says, and a flow of two of them. */
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Context, Deferred, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import * as Flow from "../../src/engine/Flow.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { Declined, NeverHappened, NotAccepted, StillUnknown, Unreachable } from "../../src/order/FlowError.ts"

/** How a request ends. */
export type End =
  | "done"
  | "declined"
  | "refused"
  | "limited"
  | "unreachable"
  | "never happened"
  | "unknown"
  | "a bug"
  | "never"

/** The ends of the next requests, and all requests that were made. */
export class World extends Context.Service<
  World,
  {
    readonly ends: Array<End>
    /** `send` or, if an earlier run may have sent it, `look`; the merchant, the order, the name of the step and the key. */
    readonly requests: Array<string>
    /** What finalizers were told, and what they did. */
    readonly finalized: Array<string>
    /** Completes when a request with the end `never` has been made. */
    readonly isStuck: Deferred.Deferred<void>
  }
>()("test/World") {
  static readonly layer = Layer.sync(World, () =>
    World.of({ ends: [], requests: [], finalized: [], isStuck: Deferred.makeUnsafe() })
  )
}

export const plan = (...ends: ReadonlyArray<End>) => Effect.map(World, (world) => void world.ends.push(...ends))
export const requests = Effect.map(World, (world) => [...world.requests])
/** The kinds of the requests: `send` or `look`. */
export const kinds = Effect.map(requests, (all) => all.map((request) => request.split(" ")[0]).join(" "))

const { fields } = PayApi.operations.SALE
const errors = { error: Schema.Union([Declined, NeverHappened, NotAccepted, StillUnknown, Unreachable]) }

const endOf = (end: End, id: string): Effect.Effect<string, typeof errors.error.Type> => {
  const about = { clientOrderId: id, evidence: [], operation: "SALE" }
  const order = { orderId: "7", clientOrderId: id, status: "declined" as const }
  const refusal = { ...about, reason: "no", problems: [] }
  switch (end) {
    case "done":
      return Effect.succeed("done")
    case "declined":
      return Effect.fail(new Declined({ ...about, order, reason: "no money", hard: false }))
    case "refused":
      return Effect.fail(new NotAccepted(refusal))
    case "limited":
      return Effect.fail(new NotAccepted({ ...refusal, status: 429 }))
    case "unreachable":
      return Effect.fail(new Unreachable({ ...about, code: "ECONNREFUSED" }))
    case "never happened":
      return Effect.fail(new NeverHappened(about))
    case "unknown":
      return Effect.fail(new StillUnknown(about))
    case "a bug":
      return Effect.die(new Error("a bug"))
    case "never":
      return Effect.never
  }
}

/** Makes one request. With `waits` it waits for a signal before, and has a finalizer. */
export const Charge = Flow.make({
  name: "Charge",
  payload: Schema.Struct({
    id: Schema.String,
    amount: Schema.optionalKey(Schema.String),
    waits: Schema.optionalKey(Schema.Literals(["signal", "clock"])),
    cvv2: Schema.optionalKey(fields.cvv2)
  }),
  success: Schema.String,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ id, waits }) {
    const { addFinalizer, merchant, workflowId } = yield* Steps.Steps
    const kind = (yield* Flow.Reopened) ? "look" : "send"
    const world = yield* World
    if (waits !== undefined) {
      const released = Effect.sync(() => void world.finalized.push(`release ${id}`))
      yield* addFinalizer((exit) =>
        Effect.andThen(
          Effect.sync(() => void world.finalized.push(`${id} ${exit._tag}`)),
          Exit.isSuccess(exit)
            ? Effect.void
            : Steps.step("release", { success: Schema.Void, error: Schema.Never }, released)
        )
      )
    }
    const news =
      waits === "signal"
        ? yield* Steps.awaitSignal("news", { key: `news:${id}`, timeout: "1 day" })
        : Option.none<string>()
    if (waits === "clock") yield* Steps.sleep("pause", "1 day")
    const request = Effect.suspend(() => {
      world.requests.push(`${kind} ${merchant}/${id} request ${Flow.keyOf(workflowId, "request")}`)
      const end = world.ends.shift() ?? "done"
      if (end === "never") Deferred.doneUnsafe(world.isStuck, Effect.void)
      return endOf(end, id)
    })
    const done = yield* Steps.step("request", { success: Schema.String, ...errors }, request)
    return Option.getOrElse(news, () => done)
  })
})

/** Two charges, one after the other. */
export const Pair = Flow.make({
  name: "Pair",
  payload: Schema.Struct({ id: Schema.String, amount: Schema.optionalKey(Schema.String) }),
  success: Schema.String,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ amount = "1.00", id }) {
    const one = yield* Charge.execute({ id: `${id}-1`, amount })
    const two = yield* Charge.execute({ id: `${id}-2`, amount })
    return `${one}, ${two}`
  })
})

/** A flow of a merchant's own client, with a part. */
export const OfMerchant = Flow.make({
  ...Pair,
  name: "OfMerchant",
  error: undefined,
  idempotencyKey: ({ id }: { readonly id: string }) => id,
  run: Effect.fnUntraced(function* ({ id }: typeof Pair.payload.Type) {
    yield* PayClient.PayClient
    return yield* Charge.execute({ id })
  })
})

/** The client of a merchant at a gateway that is never called. */
export const clientOf = (login: string) =>
  Layer.orDie(
    PayClient.layerNoDeps({
      ...{ baseUrl: "http://localhost", endpointId: "1", login, controlKey: Redacted.make("key") }
    }).pipe(Layer.provide(Wire.layerInProcess(() => Effect.never)))
  )

/** A flow whose payload has a record, and a struct with an optional member. */
const text = Schema.String
export const Parcel = Flow.make({
  name: "Parcel",
  payload: Schema.Struct({
    id: text,
    labels: Schema.optionalKey(Schema.Record(text, text)),
    to: Schema.optionalKey(Schema.Struct({ city: text, street: Schema.optional(text) }))
  }),
  success: text,
  idempotencyKey: ({ id }) => id,
  run: ({ id }) => Steps.step("label", { success: text, error: Schema.Never }, Effect.succeed(`for ${id}`))
})
