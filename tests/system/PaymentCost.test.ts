/**
 * The statements on SQLite of a whole payment, from its request to its delivered callback: which tables it reads, in this order, how many
 * rows it writes, and how often it commits. A read that is not needed costs each payment its time.
 */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Predicate } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as StoreStatements from "../harness/StoreStatements.ts"
import * as World from "../harness/World.ts"

const url = { server_callback_url: "https://shop.example/callback" }
const paid = (name: "SALE" | "PREAUTH") => Effect.suspend(() => ClientMerchant.create(name, url))
const followUp = (name: "CAPTURE" | "VOID" | "RETURN", order: ClientMerchant.Order) =>
  ClientMerchant.act(name, order, url)

const entered = Effect.suspend(() => {
  count += 1
  const fields = { ...Sample.request(PayApi.operations.SALEFORM), ...url, client_orderid: `page-${count}` }
  return Effect.flatMap(ClientMerchant.call("SALEFORM", fields), (answer) =>
    HostedPage.inProcess(new URL(redirectOf(answer)).pathname, { form: HostedPage.goodCard })
  )
})
let count = 0
const redirectOf = (answer: unknown): string =>
  Predicate.hasProperty(answer, "redirect-url") ? String(answer["redirect-url"]) : ""

/** What is there before, and what costs. */
type Payment = Effect.Effect<Effect.Effect<unknown, unknown, World.Services>, unknown, World.Services>

const after = (name: "SALE" | "PREAUTH", followUpName: "CAPTURE" | "VOID" | "RETURN"): Payment =>
  Effect.map(Effect.tap(paid(name), World.settled), (order) => followUp(followUpName, order))

const followUpReads = [
  "orders",
  "requests",
  "orders",
  "requests",
  "bankTasks",
  "requests",
  "jobs",
  "orders",
  "callbacks",
  "jobs"
]

const rows: ReadonlyArray<readonly [what: string, payment: Payment, cost: StoreStatements.Cost]> = [
  [
    "a sale",
    Effect.succeed(paid("SALE")),
    { reads: ["orders", "orders", "jobs", "orders", "jobs"], writes: 19, commits: 3 }
  ],
  [
    "a sale whose card is entered on a page",
    Effect.succeed(entered),
    {
      reads: [
        "orders",
        "orders",
        "hostedSessions",
        "orders",
        "requests",
        "orders",
        "hostedSessions",
        "orders",
        "requests",
        "cards",
        "cvvs",
        "jobs",
        "orders",
        "jobs"
      ],
      writes: 30,
      commits: 4
    }
  ],
  ["a capture", after("PREAUTH", "CAPTURE"), { reads: followUpReads, writes: 20, commits: 3 }],
  ["a void", after("PREAUTH", "VOID"), { reads: followUpReads, writes: 16, commits: 3 }],
  ["a return", after("SALE", "RETURN"), { reads: followUpReads, writes: 15, commits: 3 }]
]

describe("the statements of a payment on SQLite, to its delivered callback", () => {
  for (const [what, payment, expected] of rows)
    it.live(`${what}: ${expected.reads.length} reads, ${expected.commits} commits`, () => {
      const { costOf, store } = StoreStatements.recorded()
      return Effect.gen(function* () {
        yield* Effect.andThen(paid("SALE"), World.settled)
        assert.deepStrictEqual(yield* costOf(Effect.andThen(yield* payment, World.settled)), expected)
      }).pipe(Effect.provide(World.layer({ store }), { local: true }))
    })
})
