/**
 * A use-case beside a store in memory, with everything around it by script: the agenda starts nothing and writes down what it is
 * told, a key is nothing but its text, and rules stop the amounts that a test names.
 */
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Capabilities from "../../src/Capabilities.ts"
import type { Answer, Refused } from "../../src/kernel/Answer.ts"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import * as Change from "../../src/kernel/Change.ts"
import type { Decision, Write } from "../../src/kernel/Decision.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import type { Job } from "../../src/kernel/Job.ts"
import type { Claim } from "../../src/kernel/Jobs.ts"
import { KeyedLock } from "../../src/kernel/KeyedLock.ts"
import { PublicAddress } from "../../src/kernel/PublicAddress.ts"
import { Scheduler } from "../../src/kernel/Scheduler.ts"
import * as SecureRandom from "../../src/kernel/SecureRandom.ts"
import { Store, type StoreUnavailable } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import * as Brand from "../../src/merchants/Brand.ts"
import { type Approver, Directory, type Endpoint, type Merchant } from "../../src/merchants/Directory.ts"
import { OrderNumbers } from "../../src/orders/OrderNumbers.ts"
import { RiskCheck } from "../../src/orders/RiskCheck.ts"
import * as Risk from "../../src/risk/Risk.ts"
import { CannotOpen, KeyVault } from "../../src/vault/KeyVault.ts"

export const nowMs = 2_000
/** Wall time, which is another one. */
export const wallMs = Date.UTC(2027, 0, 1)

/** Number of a group of the merchant's endpoints. */
export const groupId = "70"

const noRules: Risk.Rules = {
  maxMinor: {},
  velocity: [],
  block: Risk.emptyList,
  allow: Risk.emptyList,
  cardKeys: []
}

export const endpoint = (changes: Partial<Endpoint> = {}): Endpoint => ({
  id: "7",
  enabled: true,
  currencies: new Set(["USD"]),
  operations: undefined,
  dialects: new Set(["json"]),
  controlAmount: "minor",
  actingControl: "any",
  maxAmount: {},
  risk: noRules,
  descriptor: undefined,
  brand: Brand.none,
  threeds: "off",
  threedsUnavailable: "decline",
  payoutApproval: false,
  unexpectedApproval: "review",
  payoutMaxMinor: {},
  timeZone: "UTC",
  catchUpOccurrences: 1,
  ...changes
})

export const merchant: Merchant = {
  login: "shop",
  name: "Shop",
  controlKeys: [],
  publicKeys: [],
  approvers: [],
  hasShortNumbers: false
}

export interface Script {
  /** Another process may hold what is carried out. */
  readonly isLeaseLost?: boolean
  /** Undefined: nobody has its number. */
  readonly endpoint?: Endpoint | undefined
  readonly approvers?: ReadonlyArray<Approver>
  readonly claim?: Claim
  /** What the rules stop, by the amount. */
  readonly filtered?: Readonly<Record<number, string>>
  /** What velocity rules count. */
  readonly marks?: Change.Change
  readonly nowMs?: number
  /** Each card is tried too often. */
  readonly tooOften?: boolean
  /** What others write before the commits of the use-case, one after another; the last one again and again. */
  readonly meanwhile?: ReadonlyArray<ReadonlyArray<Write>>
}

/** What the use-case did beside writing. */
export interface Did {
  readonly started: Array<Job>
  readonly screened: Array<number>
  /** Kinds of items that it asked to hold. */
  readonly claimed: Array<string>
  /** What it wanted to commit, whether it could or not. */
  readonly decisions: Array<Decision>
  wakes: number
  isAtWork: boolean
}

/** The use-case was begun so long before it is asked. */
export const longAgo = Effect.fnUntraced(function* <A, E, R>(make: Effect.Effect<A, E, R>, ms: number) {
  const atMs = yield* Clock.currentTimeMillis
  yield* TestClock.setTime(atMs - ms)
  const made = yield* make
  yield* TestClock.setTime(atMs)
  return made
})

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const open = (sealed: Uint8Array) => {
  const text = new TextDecoder().decode(sealed)
  return text === "gone"
    ? Effect.fail(new CannotOpen({ message: "the key is gone" }))
    : Effect.succeed(Redacted.make(text))
}

export const vault = KeyVault.of({
  seal: (plain) => bytesOf(Redacted.value(plain)),
  open,
  rewrap: Effect.succeed,
  sealBriefly: (plain) => bytesOf(Redacted.value(plain)),
  openBrief: open,
  cardHash: (_, card) => Redacted.value(card),
  fingerprint: (_, content) => content
})

export const layer = (script: Script, did: Did) => {
  const existing = "endpoint" in script ? script.endpoint : endpoint()
  const shop: Merchant = { ...merchant, approvers: script.approvers ?? [] }
  const authClock = Layer.succeed(AuthClock, { nowMs: () => wallMs })
  const services = Layer.mergeAll(
    Layer.provide(Layer.effect(Store, contended(script, did)), StoreMemory.layer),
    KeyedLock.layer,
    authClock,
    Layer.provide(Ids.layer, authClock),
    Layer.succeed(KeyVault, vault),
    Layer.succeed(Scheduler, {
      claim: (_, kind) => {
        did.claimed.push(kind)
        return script.claim
      },
      start: (items) => {
        did.started.push(...items)
      },
      holds: () => Effect.succeed(script.isLeaseLost !== true),
      wake: Effect.sync(() => {
        did.wakes += 1
      }),
      nextDueMs: Effect.undefined,
      load: () => 0,
      settled: Effect.void,
      stop: Effect.void
    }),
    Layer.succeed(Directory, {
      route: (pathId) =>
        existing === undefined || (pathId !== existing.id && pathId !== groupId)
          ? undefined
          : { pathId, merchant: shop, endpoints: [existing] },
      merchant: (login) => (login === shop.login ? shop : undefined),
      endpoint: (id) => (id === existing?.id ? existing : undefined),
      merchants: () => [shop]
    }),
    Layer.succeed(RiskCheck, {
      tooOften: () => (script.tooOften === true ? 1 : undefined),
      screen: ({ amountMinor }, carryOut) => {
        did.screened.push(amountMinor)
        return carryOut({ filteredBy: script.filtered?.[amountMinor], marks: script.marks ?? Change.none })
      }
    }),
    Layer.effectDiscard(TestClock.setTime(script.nowMs ?? nowMs)),
    SecureRandom.SecureRandom.layer,
    PublicAddress.layer
  )
  return Capabilities.layer.pipe(Layer.provideMerge(OrderNumbers.layer), Layer.provideMerge(services))
}

export const nothing = (): Did => ({ started: [], screened: [], claimed: [], decisions: [], wakes: 0, isAtWork: false })

/** What stands before the use-case begins, or what others write meanwhile; from now on its own commits count. */
export const given = Effect.fnUntraced(function* (writes: ReadonlyArray<Write>, did: Did) {
  const store = yield* Store
  did.isAtWork = false
  yield* Effect.orDie(store.commit({ guards: [], writes }))
  did.isAtWork = true
})

/** What a request is answered: `new`, the message of its refusal, or `accepted` with this field. */
export const answerOf = (request: Effect.Effect<Answer | undefined, Refused | StoreUnavailable>, field: string) =>
  Effect.map(Effect.catchTag(request, "Refused", Effect.succeed), (answer) => {
    if (answer === undefined) return "new"
    return "message" in answer
      ? answer.message
      : `accepted ${Object.entries(answer.fields).find(([name]) => name === field)?.[1]}`
  })

/** The store, with what others write before each commit of the use-case. */
const contended = ({ meanwhile = [] }: Script, did: Did) =>
  Effect.map(Store, (memory) => {
    let commits = 0
    return Store.of({
      ...memory,
      commit: (decision) =>
        Effect.suspend(() => {
          if (!did.isAtWork) return memory.commit(decision)
          did.decisions.push(decision)
          const writes = meanwhile[Math.min(commits, meanwhile.length - 1)] ?? []
          commits += 1
          return Effect.andThen(memory.commit({ guards: [], writes }), memory.commit(decision))
        })
    })
  })
