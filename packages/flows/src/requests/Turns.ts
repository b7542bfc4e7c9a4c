/**
 * The turns of one order, numbered from 1. Each has two entries: who took it, and how it ended. An entry is written once, so of
 * several actions at the same time one gets a number, and each turn ends once.
 */
import { Clock, Effect, Option, Schema } from "effect"
import type { TurnStore } from "../engine/TurnStore.ts"

/** The owner of a turn. `action`: its `Idempotency-Key`. `token` distinguishes the runs of an engine in memory. */
const Claim = Schema.Struct({
  flow: Schema.String,
  id: Schema.String,
  part: Schema.String,
  action: Schema.String,
  token: Schema.String
})
export type Claim = typeof Claim.Type

/** The end of a turn. `left`: nothing was done. `done`: the action had an effect. `open`: its outcome is unknown. */
const End = Schema.Struct({
  by: Claim,
  state: Schema.Literals(["left", "done", "open"]),
  atMs: Schema.Finite,
  /** What the order showed after the action. */
  shows: Schema.optionalKey(Schema.String)
})
type End = typeof End.Type
export type State = End["state"]

/** What an action finds when it looks whether its turn has come. */
export const View = Schema.Struct({
  /** The owner of the turn that it waits for. */
  behind: Schema.optionalKey(Schema.String),
  /** Another execution that carried out the same action, or may have. */
  twin: Schema.optionalKey(Schema.String),
  /** The owner of an earlier turn that is open. */
  open: Schema.optionalKey(Schema.String),
  /** What the order showed at the end of the latest action. */
  shows: Schema.optionalKey(Schema.String)
})
export type View = typeof View.Type

const claimText = Schema.fromJsonString(Claim)
const endText = Schema.fromJsonString(End)
const readClaim = Schema.decodeSync(claimText)
const readEnd = Schema.decodeSync(endText)
const writeClaim = Schema.encodeSync(claimText)
const writeEnd = Schema.encodeSync(endText)
const isSame = Schema.toEquivalence(Claim)

/** Returns the owner of a turn as text that operators can read. */
const describe = ({ id, part }: Claim): string => (part === "" ? id : `${part.replace(/\/$/, "")} in ${id}`)

/** Makes the functions of one action on the turns of its order. */
export const make = (store: TurnStore, order: string, me: Claim) => {
  const ownerOf = (turn: number) => Effect.map(store.read(order, `turn ${turn}`), Option.map(readClaim))
  const endOf = (turn: number) => Effect.map(store.read(order, `end ${turn}`), Option.map(readEnd))

  /** Takes the next turn, or returns the one that an interrupted run of this action has taken. */
  const take = Effect.gen(function* () {
    let turn = 1
    for (; ; turn += 1) {
      const owner = yield* ownerOf(turn)
      if (Option.isNone(owner)) break
      if (isSame(owner.value, me) && Option.isNone(yield* endOf(turn))) return turn
    }
    for (; ; turn += 1) {
      if (isSame(readClaim(yield* store.write(order, `turn ${turn}`, writeClaim(me))), me)) return turn
    }
  })

  /** Ends a turn, unless it has ended. Returns how it ended. */
  const close = Effect.fnUntraced(function* (turn: number, state: State, shows?: string) {
    const end: End = {
      ...{ by: me, state, atMs: yield* Clock.currentTimeMillis },
      ...(shows === undefined ? {} : { shows })
    }
    return readEnd(yield* store.write(order, `end ${turn}`, writeEnd(end)))
  })

  /** Returns how a turn ended. It ends here if its owner will never end it. */
  const endedOf = Effect.fnUntraced(function* (turn: number, owner: Claim) {
    const ended = yield* endOf(turn)
    if (Option.isSome(ended)) return ended
    const state = store.abandoned(order, turn) ?? ((yield* store.hasEnded(owner)) ? "open" : undefined)
    return state === undefined ? Option.none() : Option.some(yield* close(turn, state))
  })

  return {
    take,
    /**
     * Looks at the earlier turns. Returns the one that has not ended, or what the ended ones mean for this action. A turn that was
     * left open counts until `openForMs` have passed.
     */
    look: Effect.fnUntraced(function* (turn: number, openForMs: number) {
      const nowMs = yield* Clock.currentTimeMillis
      let view: View = {}
      for (let earlier = turn - 1; earlier > 0; earlier -= 1) {
        const owner = Option.getOrThrow(yield* ownerOf(earlier))
        const ended = Option.getOrUndefined(yield* endedOf(earlier, owner))
        if (ended === undefined) return { behind: describe(owner) }
        if (ended.state === "left") continue
        if (owner.action === me.action && owner.id !== me.id) view = { ...view, twin: describe(owner) }
        if (ended.shows !== undefined) view = { shows: ended.shows, ...view }
        if (ended.state === "open" && nowMs - ended.atMs < openForMs) view = { open: describe(owner), ...view }
      }
      return view
    }),
    /** Ends a turn of this action. Returns the next turn that is waited for, and whether no other action had ended this one. */
    end: Effect.fnUntraced(function* (turn: number, state: State, shows?: string) {
      const ended = yield* close(turn, state, shows)
      let next = turn + 1
      while (Option.isSome(yield* ownerOf(next)) && Option.isSome(yield* endOf(next))) next += 1
      const isWaitedFor = Option.isSome(yield* ownerOf(next))
      return { isOwn: isSame(ended.by, me), next: isWaitedFor ? next : undefined }
    }),
    abandon: (turn: number, state: "left" | "open") => store.abandon(order, turn, state)
  }
}

export type OrderTurns = ReturnType<typeof make>
