/**
 * Runs a use case on a store in memory with scripted services: the jobs that it starts are recorded and do not run, an encrypted
 * value is its plain text, and risk rules stop the amounts that a test names.
 */
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Capabilities from "../../src/Capabilities.ts"
import type { Answer, RequestRefused } from "../../src/kernel/Answer.ts"
import { AuthClock } from "../../src/kernel/AuthClock.ts"
import * as Change from "../../src/kernel/Change.ts"
import type { Decision, Write } from "../../src/kernel/Decision.ts"
import { Ids } from "../../src/kernel/Ids.ts"
import type { Job } from "../../src/kernel/Job.ts"
import * as Jobs from "../../src/kernel/Jobs.ts"
import { KeyedLock } from "../../src/kernel/KeyedLock.ts"
import { PublicAddress } from "../../src/kernel/PublicAddress.ts"
import { Scheduler } from "../../src/kernel/Scheduler.ts"
import * as SecureRandom from "../../src/kernel/SecureRandom.ts"
import { Store, type StoreUnavailable } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import * as CheckedMerchants from "../../src/merchants/CheckedMerchants.ts"
import { type Approver, Config, Directory, type Endpoint, type Merchant } from "../../src/merchants/Directory.ts"
import { OrderNumbers } from "../../src/orders/requests/OrderNumbers.ts"
import { RiskCheck } from "../../src/orders/requests/RiskCheck.ts"
import * as AdoptBooking from "../../src/restore/AdoptBooking.ts"
import { CannotOpen, KeyVault } from "../../src/vault/KeyVault.ts"
import * as OpenGate from "../OpenGate.ts"

export const nowMs = 2_000
/** The wall clock, which differs from the store's time. */
export const wallMs = Date.UTC(2027, 0, 1)

/** The identifier of a group of the merchant's endpoints. */
export const groupId = "70"

const [usual] = Result.getOrThrow(
  CheckedMerchants.check(
    Schema.decodeSync(Config)([
      { login: "shop", controlKeys: ["a key"], endpoints: [{ id: "7", currencies: ["USD"], threeds: "off" }] }
    ])
  )
).flatMap(({ endpoints }) => endpoints)
assert(usual !== undefined)

export const endpoint = (changes: Partial<Endpoint> = {}): Endpoint => ({ ...usual, ...changes })

export const merchant: Merchant = {
  login: "shop",
  name: "Shop",
  controlKeys: [],
  publicKeys: [],
  controlKeyNames: [],
  publicKeyNames: [],
  approvers: [],
  hasShortNumbers: false
}

export interface Script {
  /** True if another process may have the lease of the job. */
  readonly isLeaseLost?: boolean
  /** Undefined if no endpoint has the identifier. */
  readonly endpoint?: Endpoint | undefined
  readonly approvers?: ReadonlyArray<Approver>
  readonly claim?: Jobs.Claim
  /** The rule that stops a payment, by its amount. */
  readonly filtered?: Readonly<Record<number, string>>
  /** The change that velocity rules make. */
  readonly velocityEntries?: Change.Change
  readonly nowMs?: number
  /** True if another gateway may go on with each order, because the store is a restored copy. */
  readonly isCopy?: boolean
  /** True if each card is tried too often. */
  readonly tooOften?: boolean
  /** Rows that other processes write before each commit of the use case; the last ones before all further commits. */
  readonly meanwhile?: ReadonlyArray<ReadonlyArray<Write>>
}

/** Calls that the use case made to its services, and its commits. */
export interface Recording {
  readonly started: Array<Job>
  readonly screened: Array<number>
  /** Kinds of jobs that it claimed. */
  readonly claimed: Array<string>
  /** Its decisions, committed or not. */
  readonly decisions: Array<Decision>
  wakes: number
  isRecording: boolean
}

/** Creates a use case at an earlier time, then returns to the present. */
export const startedBefore = Effect.fnUntraced(function* <A, E, R>(make: Effect.Effect<A, E, R>, ms: number) {
  const atMs = yield* Clock.currentTimeMillis
  yield* TestClock.setTime(atMs - ms)
  const made = yield* make
  yield* TestClock.setTime(atMs)
  return made
})

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const open = (encrypted: Uint8Array) => {
  const text = new TextDecoder().decode(encrypted)
  return text === "gone"
    ? Effect.fail(new CannotOpen({ message: "the key is gone" }))
    : Effect.succeed(Redacted.make(text))
}

export const vault = KeyVault.of({
  encrypt: (plain) => bytesOf(Redacted.value(plain)),
  decrypt: open,
  reencrypt: Effect.succeed,
  encryptShortLived: (plain) => bytesOf(Redacted.value(plain)),
  decryptShortLived: open,
  cardHash: (_, card) => Redacted.value(card),
  fingerprint: (_, content) => content
})

export const layer = (script: Script, recording: Recording) => {
  const existing = "endpoint" in script ? script.endpoint : endpoint()
  const shop: Merchant = { ...merchant, approvers: script.approvers ?? [] }
  const authClock = Layer.succeed(AuthClock, { nowMs: () => wallMs })
  const services = Layer.mergeAll(
    Layer.provide(Layer.effect(Store, contended(script, recording)), StoreMemory.layer),
    KeyedLock.layer,
    script.isCopy === true ? OpenGate.layerOfCopy : OpenGate.layer,
    authClock,
    Layer.provide(Ids.layer, authClock),
    Layer.succeed(KeyVault, vault),
    Layer.succeed(Scheduler, {
      claim: (_, kind) => {
        recording.claimed.push(kind)
        return script.claim
      },
      holds: () => Effect.succeed(script.isLeaseLost !== true),
      wake: Effect.sync(() => {
        recording.wakes += 1
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
      screen: ({ amountMinor }, proceed) => {
        recording.screened.push(amountMinor)
        return proceed({
          filteredBy: script.filtered?.[amountMinor],
          velocityEntries: script.velocityEntries ?? Change.none
        })
      }
    }),
    Layer.effectDiscard(TestClock.setTime(script.nowMs ?? nowMs)),
    SecureRandom.SecureRandom.layer,
    PublicAddress.layer
  )
  return Capabilities.layer.pipe(
    Layer.provideMerge(OrderNumbers.layer),
    Layer.provideMerge(AdoptBooking.layer),
    Layer.provideMerge(services)
  )
}

export const newRecording = (): Recording => ({
  started: [],
  screened: [],
  claimed: [],
  decisions: [],
  wakes: 0,
  isRecording: false
})

/** Writes rows without recording them, before the use case or as another process; later commits are recorded. */
export const seed = Effect.fnUntraced(function* (writes: ReadonlyArray<Write>, recording: Recording) {
  const store = yield* Store
  recording.isRecording = false
  yield* Effect.orDie(store.commit({ guards: [], writes }))
  recording.isRecording = true
})

/** Returns the response to a request: `new`, the message of its refusal, or `accepted` with this field. */
export const answerOf = (
  request: Effect.Effect<Answer | undefined, RequestRefused | StoreUnavailable>,
  field: string
) =>
  Effect.map(Effect.catchTag(request, "RequestRefused", Effect.succeed), (answer) => {
    if (answer === undefined) return "new"
    return "message" in answer
      ? answer.message
      : `accepted ${Object.entries(answer.fields).find(([name]) => name === field)?.[1]}`
  })

/** The store, with the rows that other processes write before each commit of the use case. */
const contended = ({ meanwhile = [] }: Script, recording: Recording) =>
  Effect.map(Store, (memory) => {
    let commits = 0
    return Store.of({
      ...memory,
      commit: (decision) =>
        Effect.suspend(() => {
          if (!recording.isRecording) return memory.commit(decision)
          recording.decisions.push(decision)
          const writes = meanwhile[Math.min(commits, meanwhile.length - 1)] ?? []
          commits += 1
          return Effect.andThen(memory.commit({ guards: [], writes }), memory.commit(decision)).pipe(
            Effect.tap(() => Effect.sync(() => recording.started.push(...Jobs.started(decision))))
          )
        })
    })
  })
