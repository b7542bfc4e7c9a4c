/** How the outcome of a payment ends whose answer is lost, at a bank that answers no inquiries. */
import { assert, describe, it } from "@effect/vitest"
import { type Acquirer, AcquirerError, type Adapter, AnswerLost, type Way } from "@pay/gateway/Acquirer"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import { BankTask } from "../../gateway/gateway/src/orders/record/BankTask.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"

/** A bank whose first answers to payments are lost, and that ends their outcome in these ways. */
const losing = (times: number, ways: ReadonlyArray<Way>) => {
  const calls: Array<string> = []
  const spoilBank = (bank: Acquirer["Service"]): Adapter => ({
    ...bank,
    capabilities: { ...bank.capabilities, unknownOutcomes: { sale: ways } },
    authorize: (payment) => {
      calls.push("authorize")
      const lost = new AcquirerError({ reason: new AnswerLost({ message: "cut" }) })
      return Effect.flatMap(bank.authorize(payment), (answer) =>
        calls.length > times ? Effect.succeed(answer) : Effect.fail(lost)
      )
    },
    inquire: () => Effect.die("the bank answers no inquiries"),
    reverse: ({ reference }) =>
      Effect.sync(() => {
        calls.push(`reverse ${reference.replace(/^\d+/, "N")}`)
        return { _tag: "Reversed" as const }
      })
  })
  return { calls, layer: World.layer({ spoilBank }) }
}

const resend: Way = { by: "resend", windowMs: 600_000 }
const [reversal, person]: ReadonlyArray<Way> = [{ by: "reversal" }, { by: "person" }]
const [authorize, reverse] = ["authorize", "reverse N-sale-0"]

const rows: ReadonlyArray<
  readonly [
    what: string,
    times: number,
    ways: ReadonlyArray<Way | undefined>,
    calls: ReadonlyArray<string>,
    end: string
  ]
> = [
  ["is sent again, and gets the first answer", 1, [resend], [authorize, authorize], "approved"],
  ["is sent again more than once", 2, [resend], [authorize, authorize, authorize], "approved"],
  ["is reversed", 1, [reversal], [authorize, reverse], "declined 911"],
  [
    "is reversed after the window of the identical request",
    99,
    [resend, reversal],
    [authorize, authorize, authorize, authorize, reverse],
    "declined 911"
  ],
  ["waits for a person", 1, [person], [authorize], "unknown"]
]

describe("a payment whose answer is lost", () => {
  it.live.each(rows)("%s", ([, times, ways, expected, end]) => {
    const { calls, layer } = losing(
      times,
      ways.filter((way) => way !== undefined)
    )
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE")
      yield* World.pass("3 days")
      assert.deepStrictEqual(calls, [...expected])
      const { status, "error-code": code } = yield* ClientMerchant.status(order)
      assert.strictEqual(code === undefined ? status : `${status} ${code}`, end)
    }).pipe(Effect.provide(layer, { local: true }))
  })
})

describe("an approval that the store refuses, at a bank that reverses", () => {
  it.live("has no effect, and its reversal explains it: the task closes, and the books have no discrepancy", () => {
    const spoilStore = (store: Store["Service"]): Store["Service"] => ({
      ...store,
      commit: (decision) =>
        decision.writes.some(({ _tag }) => _tag === "Post") ? Effect.die(new Error("no")) : store.commit(decision)
    })
    const spoilBank = (bank: Acquirer["Service"]): Adapter => ({
      ...bank,
      capabilities: { ...bank.capabilities, unknownOutcomes: { sale: [{ by: "reversal" }] } }
    })
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE")
      yield* World.pass("3 days")
      const { status, "error-code": code } = yield* ClientMerchant.status(order)
      assert.strictEqual(`${status} ${code}`, "declined 911")
      const store = yield* Store
      const tasks = yield* store.find(BankTask, "order", { equals: [order.orderid], limit: 9 })
      assert.deepStrictEqual(
        tasks.map(({ answer, closedBy, state }) => `${answer} ${state} ${closedBy}`),
        ["approved closed gateway"]
      )
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ spoilBank, spoilStore }), { local: true }))
  })
})
