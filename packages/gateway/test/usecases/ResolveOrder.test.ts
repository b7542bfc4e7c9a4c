/** What two operators settle by hand: what is proposed, what is confirmed, and what comes in between. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Decision from "../../src/domain/Decision.ts"
import { AgendaItem } from "../../src/domain/entities/AgendaItem.ts"
import { AuditEntry } from "../../src/domain/entities/AuditEntry.ts"
import { Order } from "../../src/domain/entities/Order.ts"
import { OrderRequest } from "../../src/domain/entities/OrderRequest.ts"
import { Resolution } from "../../src/domain/entities/Resolution.ts"
import { Store } from "../../src/ports/Store.ts"
import * as ResolutionDigest from "../../src/usecases/ResolutionDigest.ts"
import * as ResolveOrder from "../../src/usecases/ResolveOrder.ts"
import { item, preauth, request, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf } from "../domain/Written.ts"
import * as World from "./World.ts"

const alice = "operator:alice"
const bob = "operator:bob"
/** Long before: the bank is only asked, and nothing is sent any more. */
const acceptedAtMs = World.nowMs - 10_000_000

const unknown = sale({ state: "unknown", authorizedMinor: 0, capturedMinor: 0 })
const creation: OrderRequest = {
  ...request({ sequence: 0, amountMinor: 10_000, progress: "unknown", acceptedAtMs }),
  operation: "SALE",
  action: "sale"
}
const proposal: Resolution = {
  requestId: "2",
  version: 1,
  orderId: "1",
  reference: "1-sale-0",
  said: "declined",
  evidence: "Ms Smith",
  approvalCode: null,
  processorTxId: null,
  amountMinor: 10_000,
  proposedBy: alice,
  proposedAtMs: 1,
  confirmedBy: null,
  confirmedAtMs: null
}
const work = item({ token: null, openAttempts: 0 })

interface Given extends World.Script {
  readonly order?: Order
  readonly requests?: ReadonlyArray<OrderRequest>
  /** Null: the bank is not asked any more. */
  readonly item?: AgendaItem | null
  readonly proposal?: Resolution
}

type Use = (
  resolve: Effect.Success<typeof ResolveOrder.make>
) => Effect.Effect<{ readonly resolution: Resolution }, unknown>

const resolve = (given: Given, use: Use) => {
  const did = World.nothing()
  return Effect.gen(function* () {
    const store = yield* Store
    const agenda = given.item === null ? [] : [Decision.append(AgendaItem, given.item ?? work)]
    const requests = (given.requests ?? [creation]).map((each) => Decision.append(OrderRequest, each))
    const known = given.proposal === undefined ? [] : [Decision.append(Resolution, given.proposal)]
    yield* World.given([Decision.append(Order, given.order ?? unknown), ...requests, ...agenda, ...known], did)
    const exit = yield* Effect.exit(use(yield* ResolveOrder.make))
    const failure = Exit.isFailure(exit) ? yield* Effect.flip(exit) : undefined
    const refused = failure instanceof ResolveOrder.ResolveRefused ? failure.message : failure
    const audit = yield* store.find(AuditEntry, "at", { limit: 10 })
    return {
      did,
      refused,
      resolution: Exit.isSuccess(exit) ? exit.value.resolution : undefined,
      state: (yield* store.load(Order, ["1"]))?.state,
      records: yield* store.find(OrderRequest, "order", { equals: ["1"], limit: 10 }),
      audit: audit.map(({ action, outcome }) => `${action} ${outcome}`)
    }
  }).pipe(Effect.provide(World.layer(given, did)))
}

const statement = { said: "declined", evidence: "Ms Smith", approvalCode: null, processorTxId: null } as const
const propose = (given: Given, changes: Partial<Resolution> = {}, requestId?: string) =>
  resolve(given, (use) => use.propose({ orderId: "1", requestId, actor: alice }, { ...statement, ...changes }))
const confirm = (given: Given, actor: "operator:alice" | "operator:bob" = bob, of: Resolution = proposal) =>
  resolve({ proposal, ...given }, (use) =>
    use.confirm({ orderId: "1", requestId: undefined, actor }, { as: of.said, digest: ResolutionDigest.of(of) })
  )

const later = { ...creation, requestId: "5", sequence: 1 }
const nothing = "nothing of this order is unknown: there is nothing to settle by hand"
const changed = "it has changed meanwhile: look at the order, then ask again"

describe("a proposal", () => {
  it.effect.each([
    ["is kept for a second person", {}, undefined, undefined],
    ["names the request where more than one is unknown", { requests: [creation, later] }, "2", undefined],
    ["must name it", { requests: [creation, later] }, undefined, "more than one request is unknown: name one of 2, 5"],
    ["names no other order's", { requests: [creation, { ...later, orderId: "404" }] }, "5", nothing],
    ["names one that is there", {}, "404", nothing],
    ["is about what is unknown", { requests: [{ ...creation, progress: "approved" }] }, undefined, nothing],
    ["is about a request", { requests: [] }, undefined, nothing],
    [
      "is about what is unknown, also where it is named",
      { requests: [{ ...creation, progress: "approved" }] },
      "2",
      "the bank's answer is not unknown: there is nothing to settle by hand"
    ],
    [
      "is not taken where the bank is not asked any more",
      { item: null },
      undefined,
      "the bank is not asked for it any more"
    ]
  ] as const)("%s", ([, given, requestId, expected]) =>
    Effect.gen(function* () {
      const { did, refused } = yield* propose(given, {}, requestId)
      assert.strictEqual(refused, expected)
      assert.lengthOf(did.decisions, expected === undefined ? 1 : 0)
    })
  )

  it.effect.each([
    ["is the first", {}, 1, ["no resolutions key 2", "orders 1 v3"]],
    [
      "replaces another one",
      { proposal: { ...proposal, version: 4, evidence: "Mr Jones" } },
      5,
      ["resolutions 2 v4", "orders 1 v3"]
    ],
    [
      "replaces one that was confirmed",
      { proposal: { ...proposal, confirmedBy: bob } },
      2,
      ["resolutions 2 v1", "orders 1 v3"]
    ],
    ["is the same again", { proposal }, 1, undefined]
  ] as const)("%s", ([, given, version, guards]) =>
    Effect.gen(function* () {
      const { did, resolution } = yield* propose(given)
      assert.strictEqual(resolution?.version, version)
      assert.deepStrictEqual(did.decisions.map(guardsOf), guards === undefined ? [] : [[...guards]])
    })
  )

  it.effect("is refused where the order changed meanwhile", () =>
    Effect.gen(function* () {
      const { refused } = yield* propose({ meanwhile: [[Decision.put(Order, { ...unknown, version: 9 })]] })
      assert.strictEqual(refused, changed)
    })
  )
})

describe("a confirmation", () => {
  it.effect("settles the order, as long as all that was read stands", () =>
    Effect.gen(function* () {
      const { audit, did, resolution, state } = yield* confirm({})
      assert.deepStrictEqual([state, resolution?.confirmedBy], ["declined", bob])
      assert.deepStrictEqual(did.decisions.map(guardsOf), [["orders 1 v3", "resolutions 2 v1"]])
      assert.deepStrictEqual(audit, ["order.resolve.confirm done"])
    })
  )

  const moved = (version: number) => [Decision.put(Order, { ...unknown, version })]
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      actor: "operator:alice" | "operator:bob",
      refused: string | undefined,
      commits: number
    ]
  > = [
    ["is a second person's", {}, alice, "whoever proposed it cannot confirm it: a second person must", 1],
    [
      "is of what is proposed now",
      { proposal: { ...proposal, evidence: "Mr Jones" } },
      bob,
      "this is not what is proposed now: read the proposal, then confirm that",
      1
    ],
    [
      "is of what nobody has confirmed",
      { proposal: { ...proposal, confirmedBy: alice } },
      bob,
      "nobody has proposed how to settle it: resolve it first",
      0
    ],
    ["is of the order as it was proposed", { order: { ...unknown, amountMinor: 9_000 } }, bob, changed, 0],
    ["is not taken where the bank is not asked any more", { item: null }, bob, changed, 0],
    [
      "is not taken where it may be sent again",
      { requests: [{ ...creation, acceptedAtMs: World.nowMs }] },
      bob,
      "it may still be sent to the bank again: wait until the gateway only asks",
      0
    ],
    ["is not taken of an order that has ended", { order: sale() }, bob, changed, 0],
    ["is tried again where somebody wrote meanwhile", { meanwhile: [moved(4), moved(4)] }, bob, undefined, 2],
    ["gives up after five times", { meanwhile: [4, 5, 6, 7, 8, 9].map(moved) }, bob, changed, 5]
  ]
  it.effect.each(cases)("%s", ([, given, actor, refused, commits]) =>
    Effect.gen(function* () {
      const of = given.proposal?.confirmedBy === alice ? given.proposal : proposal
      const done = yield* confirm(given, actor, of)
      assert.strictEqual(done.refused, refused)
      assert.lengthOf(done.did.decisions, commits)
    })
  )

  const confirmed = { ...proposal, confirmedBy: bob }
  const ended = { order: sale({ state: "declined" }), requests: [{ ...creation, progress: "declined" as const }] }
  it.effect.each([
    ["again is answered again", confirmed, bob, confirmed, undefined],
    ["again by another person is none", confirmed, alice, confirmed, nothing],
    ["again of another outcome is none", confirmed, bob, { ...confirmed, said: "approved" }, nothing],
    ["again of another proposal is none", confirmed, bob, { ...confirmed, evidence: "Mr Jones" }, nothing]
  ] as const)("%s", ([, known, actor, of, refused]) =>
    Effect.gen(function* () {
      const done = yield* confirm({ ...ended, proposal: known }, actor, of)
      assert.strictEqual(done.refused, refused)
      assert.deepStrictEqual(done.did.decisions, [])
    })
  )

  it.effect.each([
    ["a list of amounts, which ends with it", { ...unknown, amountsLeft: "400" }, creation, 1],
    ["one amount, of which there is no list", unknown, creation, 0],
    [
      "a capture of such an order, which is no amount of the list",
      preauth({ amountsLeft: "400", capturingMinor: 4_000, movingCount: 1 }),
      request({ progress: "unknown", acceptedAtMs }),
      0
    ]
  ] as const)("is of %s", ([, order, its, attempts]) =>
    Effect.gen(function* () {
      const reference = its.action === "sale" ? "1-sale-0" : "1-capture-1"
      const of = { ...proposal, reference, amountMinor: its.amountMinor }
      const done = yield* confirm({ order, requests: [its], proposal: of }, bob, of)
      assert.isUndefined(done.refused)
      assert.lengthOf(done.records, 1 + attempts)
      assert.deepStrictEqual(
        keysOf(done.did.decisions[0] ?? { writes: [] }).filter((row) => row === "requests 2"),
        ["requests 2"]
      )
    })
  )
})

describe("the digest of a proposal", () => {
  it.each([
    ["requestId", "3"],
    ["reference", "1-sale-1"],
    ["said", "approved"],
    ["amountMinor", 1],
    ["evidence", "Mr Jones"],
    ["approvalCode", "A1"],
    ["processorTxId", "T1"],
    ["proposedBy", bob]
  ] as const)("covers %s", (name, value) =>
    assert.notStrictEqual(ResolutionDigest.of({ ...proposal, [name]: value }), ResolutionDigest.of(proposal))
  )
})
