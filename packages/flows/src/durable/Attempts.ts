/**
 * The attempts of a flow on an engine that stores its outcomes. An attempt that ended with an error that is retryable, with a
 * refusal of another payload, or by an interruption, is followed by another one. Its number is a part of its id, and of nothing
 * that the gateway sees.
 */
import { Effect, Option, type Schema } from "effect"
import type * as Definition from "../Definition.ts"
import type { Shape } from "../Engine.ts"
import * as ExecutionStatus from "../ExecutionStatus.ts"
import { PayloadDiffers, type StorageFailed } from "../FlowError.ts"
import { idOf } from "../Performance.ts"
import type { Identity } from "../Steps.ts"
import type { StoredPayload } from "./DurableFlow.ts"

type F = Definition.Fields
type W = Definition.Written
type Status<A extends W, E extends W> = ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>

/** The origin of an attempt: its merchant, and whether an earlier attempt has ended without an outcome. */
export type Origin = Pick<StoredPayload, "merchant" | "isReopened">

/** What an engine stores of attempts. */
export interface Store {
  /** Begins an attempt, unless one with this id exists. */
  readonly begin: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    id: string,
    origin: Origin
  ) => Effect.Effect<"begun" | "known", StorageFailed>
  readonly find: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    id: string
  ) => Effect.Effect<Option.Option<Status<A, E>>, StorageFailed>
  /** Waits until the attempt has ended or is stuck. */
  readonly rest: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    id: string
  ) => Effect.Effect<Status<A, E>, StorageFailed>
  /** Whether the attempt was begun with another payload. An engine that knows it only at the end says `false` before. */
  readonly isOther: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    id: string,
    origin: Origin
  ) => Effect.Effect<boolean, StorageFailed>
  readonly interrupt: (flow: { readonly name: string }, id: string) => Effect.Effect<void, StorageFailed>
  readonly resume: (flow: { readonly name: string }, id: string) => Effect.Effect<void, StorageFailed>
}

/** Makes the methods of an engine that are about one flow. */
export const make = (store: Store): Pick<Shape, "execute" | "start" | "poll" | "ended" | "interrupt" | "resume"> => {
  /** Returns the number of the latest attempt. The first one exists. */
  const latestOf = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity
  ) {
    const exists = (attempt: number) => Effect.map(store.find(flow, idOf(flow, identity, attempt)), Option.isSome)
    let latest = 1
    let absent = 2
    while (yield* exists(absent)) {
      latest = absent
      absent *= 2
    }
    while (absent - latest > 1) {
      const middle = Math.floor((latest + absent) / 2)
      if (yield* exists(middle)) latest = middle
      else absent = middle
    }
    return latest
  })

  /** Begins the first attempt, joins the latest one, or begins the one after it. */
  const begin = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    merchant: string
  ) {
    const identity = { merchant, key: flow.idempotencyKey(payload) }
    const first = { id: idOf(flow, identity), origin: { merchant, isReopened: false } }
    if ((yield* store.begin(flow, payload, first.id, first.origin)) === "begun") return { ...first, isJoined: false }
    const attempt = yield* latestOf(flow, identity)
    const latest = { id: idOf(flow, identity, attempt), origin: first.origin }
    const status = Option.getOrElse(yield* store.find(flow, latest.id), () => ExecutionStatus.running)
    const isOther = yield* store.isOther(flow, payload, latest.id, latest.origin)
    if (!ExecutionStatus.isFollowed(status, isOther)) {
      if (isOther) return yield* new PayloadDiffers({ flow: flow.name, id: latest.id })
      return { ...latest, isJoined: true }
    }
    const next = {
      id: idOf(flow, identity, attempt + 1),
      origin: { merchant, isReopened: ExecutionStatus.isOpenEnd(status) }
    }
    return { ...next, isJoined: (yield* store.begin(flow, payload, next.id, next.origin)) === "known" }
  })

  const latestIdOf = Effect.fnUntraced(function* <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity
  ) {
    const id = idOf(flow, identity)
    if (Option.isNone(yield* store.find(flow, id))) return yield* new ExecutionStatus.NotStarted({ id })
    return idOf(flow, identity, yield* latestOf(flow, identity))
  })

  /** Runs the effect on the latest attempt. Does nothing if there is none. */
  const onLatest = <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    identity: Identity,
    use: Store["interrupt"]
  ) =>
    latestIdOf(flow, identity).pipe(
      Effect.flatMap((id) => use(flow, id)),
      Effect.catchTag("NotStarted", () => Effect.void)
    )

  const rest: Shape["ended"] = (flow, identity) =>
    Effect.flatMap(latestIdOf(flow, identity), (id) => store.rest(flow, id))

  return {
    execute: Effect.fnUntraced(function* (flow, payload, merchant) {
      const { id, isJoined, origin } = yield* begin(flow, payload, merchant)
      const status = yield* store.rest(flow, id)
      if (isJoined && (yield* store.isOther(flow, payload, id, origin)))
        return yield* new PayloadDiffers({ flow: flow.name, id })
      if (status._tag === "Succeeded") return status.value
      if (status._tag === "Failed") return yield* Effect.fail(status.error)
      if (status._tag === "Interrupted") return yield* Effect.interrupt
      return yield* Effect.die(new Error(`${id} ${ExecutionStatus.explain(status)}`))
    }),
    start: (flow, payload, merchant) => Effect.map(begin(flow, payload, merchant), ({ id }) => id),
    poll: Effect.fnUntraced(function* (flow, identity) {
      const id = yield* latestIdOf(flow, identity)
      return Option.getOrElse(yield* store.find(flow, id), () => ExecutionStatus.running)
    }),
    ended: rest,
    interrupt: (flow, identity) => onLatest(flow, identity, store.interrupt),
    resume: (flow, identity) => onLatest(flow, identity, store.resume)
  }
}
