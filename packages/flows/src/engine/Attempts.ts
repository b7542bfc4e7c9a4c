/**
 * The attempts of a flow on an engine that stores its outcomes. An attempt that ended with an error that is retryable, with a
 * refusal of another payload, or by an interruption, is followed by another one. Its number is a part of its id, and of nothing
 * that the gateway sees.
 */
import { Effect, Option, type Schema } from "effect"
import { PayloadDiffers, type StorageFailed } from "../order/FlowError.ts"
import type * as Definition from "./Definition.ts"
import type { Shape } from "./Engine.ts"
import * as ExecutionStatus from "./ExecutionStatus.ts"
import type * as OpenEnds from "./OpenEnds.ts"
import { idOf } from "./Performance.ts"
import type { Identity } from "./Steps.ts"
import type { Origin } from "./StoredPayload.ts"

type F = Definition.Fields
type W = Definition.Written
type Status<A extends W, E extends W> = ExecutionStatus.ExecutionStatus<A["Type"], E["Type"]>

/** What an engine stores of attempts. */
export interface Store {
  /** Begins an attempt, unless one with this id exists. */
  readonly begin: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    id: string,
    origin: Origin
  ) => Effect.Effect<"begun" | "known", StorageFailed, R>
  readonly find: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    id: string
  ) => Effect.Effect<Option.Option<Status<A, E>>, StorageFailed>
  /** Returns the open ends of an attempt that has failed. */
  readonly openEnds: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    id: string
  ) => Effect.Effect<OpenEnds.Ids, StorageFailed>
  /** Waits until the attempt has ended or is stuck. */
  readonly rest: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    id: string
  ) => Effect.Effect<Status<A, E>, StorageFailed>
  /** Whether the attempt was begun with another payload. */
  readonly isOther: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    payload: Schema.Struct.Type<P>,
    id: string,
    merchant: string
  ) => Effect.Effect<boolean, StorageFailed>
  readonly interrupt: OnAttempt
  readonly resume: OnAttempt
}

type OnAttempt = <N extends string, P extends F, A extends W, E extends W, R>(
  flow: Definition.Definition<N, P, A, E, R>,
  id: string
) => Effect.Effect<void, StorageFailed>

/** The methods of an engine that are about one flow, and the parts of `execute`. */
export interface Attempts extends Pick<Shape, "execute" | "start" | "poll" | "ended" | "interrupt" | "resume"> {
  /** Begins the next attempt or joins the latest one. Returns its id. */
  readonly begin: Shape["start"]
  /** Waits for the end of an attempt and returns its result. */
  readonly resultOf: <N extends string, P extends F, A extends W, E extends W, R>(
    flow: Definition.Definition<N, P, A, E, R>,
    id: string
  ) => Effect.Effect<A["Type"], E["Type"] | StorageFailed>
}

/** Makes the methods of an engine that are about one flow. */
export const make = (store: Store): Attempts => {
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
  const begin: Shape["start"] = Effect.fnUntraced(function* (flow, payload, merchant) {
    const identity = { merchant, key: flow.idempotencyKey(payload) }
    const first = idOf(flow, identity)
    if ((yield* store.begin(flow, payload, first, { merchant, openEnds: [] })) === "begun") return first
    const attempt = yield* latestOf(flow, identity)
    const latest = idOf(flow, identity, attempt)
    const status = Option.getOrElse(yield* store.find(flow, latest), () => ExecutionStatus.running)
    const openEnds = status._tag === "Failed" ? yield* store.openEnds(flow, latest) : null
    const isOther = yield* store.isOther(flow, payload, latest, merchant)
    if (!ExecutionStatus.isFollowed(status, { isOther, openEnds })) {
      if (isOther) return yield* new PayloadDiffers({ flow: flow.name, id: latest })
      return latest
    }
    const next = idOf(flow, identity, attempt + 1)
    const begun = yield* store.begin(flow, payload, next, { merchant, openEnds })
    if (begun === "known" && (yield* store.isOther(flow, payload, next, merchant)))
      return yield* new PayloadDiffers({ flow: flow.name, id: next })
    return next
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
    use: OnAttempt
  ) =>
    latestIdOf(flow, identity).pipe(
      Effect.flatMap((id) => use(flow, id)),
      Effect.catchTag("NotStarted", () => Effect.void)
    )

  const rest: Shape["ended"] = (flow, identity) =>
    Effect.flatMap(latestIdOf(flow, identity), (id) => store.rest(flow, id))

  const resultOf: Attempts["resultOf"] = Effect.fnUntraced(function* (flow, id) {
    const status = yield* store.rest(flow, id)
    if (status._tag === "Succeeded") return status.value
    if (status._tag === "Failed") return yield* Effect.fail(status.error)
    if (status._tag === "Interrupted") return yield* Effect.interrupt
    return yield* Effect.die(new Error(`${id} ${ExecutionStatus.explain(status)}`))
  })

  return {
    begin,
    resultOf,
    execute: (flow, payload, merchant) => Effect.flatMap(begin(flow, payload, merchant), (id) => resultOf(flow, id)),
    start: begin,
    poll: Effect.fnUntraced(function* (flow, identity) {
      const id = yield* latestIdOf(flow, identity)
      return Option.getOrElse(yield* store.find(flow, id), () => ExecutionStatus.running)
    }),
    ended: rest,
    interrupt: (flow, identity) => onLatest(flow, identity, store.interrupt),
    resume: (flow, identity) =>
      onLatest(flow, identity, (_, id) =>
        Effect.flatMap(store.find(flow, id), (status) =>
          Option.isSome(status) && status.value._tag === "Stuck" ? store.resume(flow, id) : Effect.void
        )
      )
  }
}
