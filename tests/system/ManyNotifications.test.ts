/** Notifications in any number, order and repetition: no money moves twice, no task is opened twice, and forged ones are counted. */
import { assert, describe, it } from "@effect/vitest"
import { BankTask } from "@pay/gateway/Entities"
import { NotificationListener } from "@pay/gateway/Gateway"
import { NotificationRefused, Notifications } from "@pay/gateway/Notifications"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Layer, Logger, Metric } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"

const isAll = process.env.PAY_TEST === "all"
const orderCount = isAll ? 200 : 10
/** `npm run test:all` sends 100,000 notifications. */
const repetitions = isAll ? 125 : 5
/** Those of one order: an approval, the same one under another name, one of another amount, and a forged one. */
const kinds = 4
const count = orderCount * repetitions * kinds

const adapter = Notifications.checked({
  receive: ({ body, headers }) =>
    headers.signature === "right"
      ? Effect.succeed(JSON.parse(Buffer.from(body).toString()))
      : Effect.fail(new NotificationRefused({ message: "the signature is wrong" }))
})

const approval = (reference: string, eventId: string, amountMinor: number) => ({
  ...{ _tag: "Outcome", reference, eventId, currency: "USD" },
  answer: { _tag: "Approved", approvalCode: "", processorTxId: "T", amountMinor }
})

/** The notification with this number. All are spread over the orders, so that those of one order arrive between the others. */
const notificationOf = (orders: ReadonlyArray<ClientMerchant.Order>, n: number) => {
  const { orderid } = orders[(n * 7) % orderCount] ?? { orderid: "" }
  const kind = Math.floor(n / orderCount) % kinds
  const reference = `${orderid}-sale-0`
  const fact = approval(reference, `${orderid} ${kind === 1 ? "again" : "first"}`, kind === 2 ? 1 : 1042)
  return { signature: kind === 3 ? "forged" : "right", body: JSON.stringify({ facts: [fact] }) }
}

describe("many notifications at once", () => {
  it.effect(`${count} about ${orderCount} sales: each sale is charged once, and has one task`, () => {
    const lines: Array<unknown> = []
    const log = Logger.make(({ message }) => void lines.push(message))
    return Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* control.choose(() => ({ delivery: { _tag: "AnswerLost" } }))
      const orders = yield* Effect.forEach(Array.from({ length: orderCount }), () => ClientMerchant.create("SALE"))
      yield* World.settled
      yield* control.choose(() => undefined)
      const answer = yield* NotificationListener.answers(new Map([["acquirer", adapter]]))
      const statuses = yield* Effect.forEach(
        Array.from({ length: count }, (_, n) => notificationOf(orders, n)),
        ({ body, signature }) =>
          answer({
            ...{ method: "POST", path: "/notifications/acquirer", query: "", remoteAddress: "127.0.0.1" },
            ...{ headers: { signature }, body }
          }),
        { concurrency: 200 }
      )
      yield* World.settled
      assert.deepStrictEqual(
        [200, 401].map((status) => statuses.filter((each) => each.status === status).length),
        [(count * 3) / 4, count / 4]
      )
      for (const order of orders) {
        assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
        assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["sale 1042"])
      }
      const store = yield* Store
      assert.lengthOf(yield* store.find(BankTask, "key", { limit: count }), orderCount)
      assert.strictEqual(lines.filter((line) => String(line).includes("was refused")).length, 1)
      const counted = (yield* Metric.snapshot).filter(({ id }) => id === "pay_notifications_total")
      assert.deepStrictEqual(Object.fromEntries(counted.map(({ attributes, state }) => [attributes?.outcome, state])), {
        accepted: { count: (count * 3) / 4, incremental: true },
        refused: { count: count / 4, incremental: true }
      })
      yield* ClientMerchant.allIsWell
    }).pipe(
      Effect.provide(Layer.provideMerge(World.layer(), Logger.layer([log]))),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  })
})
