import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Layer } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const usd = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })
/** The bank cannot be reached once: the request is under way until a second has passed. */
const busy = { delivery: { _tag: "NotSent", times: 1 } } as const
const undecided = { delivery: { _tag: "Undecided", forMs: 4_000 } } as const
const decline = { verdict: { _tag: "Decline", code: 100, message: "Do not honour" } } as const

const payments = { sale: "SALE", preauth: "PREAUTH" } as const
const followUps = { capture: "CAPTURE", void: "VOID", return: "RETURN" } as const
const kinds = { capture: "capture", void: "void", refund: "refund" } as const

/** The amount of an earlier capture, the follow-up and its amount (if not all), what the bank is asked for, and the order afterwards. */
const table = `
case                                                 | payment | captured before | follow-up    | at the bank | type     | amount | order afterwards
a capture                                            | preauth |                 | capture 4.00 | capture     | capture  | 4.00   | approved capture 10.42 4.00 0.00 6.42
a void of the rest                                   | preauth | 4.00            | void         | void        | cancel   | 6.42   | approved capture 10.42 4.00 0.00 0.00
a return of a partly captured preauth, at its refund | preauth | 4.00            | return       | refund      | reversal | 4.00   | approved reversal 10.42 4.00 4.00 0.00
`
const [, ...rows] = TextTable.rows(table)

layer(TestGateway.layer().pipe(Layer.provideMerge(Inbox.layer)), { excludeTestServices: true })(
  "a follow-up under way",
  (it) => {
    for (const [name, payment = "", before = "", followUp = "", kind = "", type = "", amount, stands] of rows) {
      const bank = TextTable.named(kinds, kind)
      const [action = "", part] = followUp.split(" ")
      const act = TextTable.named(followUps, action)
      const fields = part === undefined ? {} : usd(part)
      const start = Effect.gen(function* () {
        const inbox = yield* Inbox.Inbox
        const order = yield* TestMerchant.order(TextTable.named(payments, payment), { server_callback_url: inbox.url })
        if (before !== "") yield* TestMerchant.done("CAPTURE", order, usd(before))
        return {
          order,
          stood: yield* TestMerchant.orderStatus(order),
          callbacks: () => inbox.about(order.orderid).slice(before === "" ? 1 : 2)
        }
      })

      it.effect(
        `${name} is shown as processing or unknown with its type, ends as ${stands} and causes one callback`,
        () =>
          Effect.gen(function* () {
            const control = yield* SandboxControl
            for (const [plan, wire] of [
              [busy, "processing"],
              [undecided, "unknown"]
            ] as const) {
              const { order, callbacks: report } = yield* start
              yield* control.next(bank, plan)
              const reply = yield* TestMerchant.done(act, order, fields)
              const moving = { status: wire, "transaction-type": type, "order-stage": `${type}_${wire}` }
              assert.deepInclude(yield* TestMerchant.status(order), { ...moving, amount: "10.42" })
              assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { ...moving, amount })
              assert.deepStrictEqual(report(), [])
              yield* TestMerchant.pass("10 seconds")
              assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
              assert.deepInclude(yield* TestMerchant.outcomeOf(reply), {
                status: "approved",
                "transaction-type": type,
                amount
              })
              const serialNumber = TestMerchant.text(reply, "serial-number")
              assert.deepStrictEqual(
                report().map((callback) => [
                  callback.status,
                  callback.type,
                  callback.amount,
                  callback["serial-number"]
                ]),
                [["approved", type, amount, serialNumber]]
              )
            }
            yield* TestMerchant.assertClean
          })
      )

      it.effect(`${name} that fails leaves the order as before, and by-request-sn and callback show the failure`, () =>
        Effect.gen(function* () {
          const control = yield* SandboxControl
          const { order, stood, callbacks: report } = yield* start
          yield* control.next(bank, { ...undecided, ...decline })
          const reply = yield* TestMerchant.done(act, order, fields)
          assert.deepInclude(yield* TestMerchant.status(order), { status: "unknown", "transaction-type": type })
          yield* TestMerchant.pass("10 seconds")
          assert.strictEqual(yield* TestMerchant.orderStatus(order), stood)
          assert.notProperty(yield* TestMerchant.status(order), "error-code")
          const failure = { status: "declined", "transaction-type": type, "error-code": "100", amount }
          assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { ...failure, "error-message": "Do not honour" })
          assert.deepStrictEqual(
            report().map((callback) => [
              callback.status,
              callback.type,
              callback.error_code,
              callback["serial-number"]
            ]),
            [["declined", type, "100", TestMerchant.text(reply, "serial-number")]]
          )
          yield* TestMerchant.done(act, order, fields)
          assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
          yield* TestMerchant.assertClean
        })
      )
    }

    it.effect("its own server_callback_url replaces the order's, and notify_url gets every event", () =>
      Effect.gen(function* () {
        const inbox = yield* Inbox.Inbox
        const order = yield* TestMerchant.order("PREAUTH", { notify_url: `${inbox.url}/notify` })
        const own = yield* TestMerchant.done("CAPTURE", order, {
          ...usd("1.00"),
          server_callback_url: `${inbox.url}/own`
        })
        yield* TestMerchant.done("CAPTURE", order, usd("2.00"))
        assert.deepStrictEqual(
          inbox.about(order.orderid).map(({ amount, type }) => `${type} ${amount}`),
          ["preauth 10.42", "capture 1.00", "capture 1.00", "capture 2.00"]
        )
        const aboutOwn = inbox
          .about(order.orderid)
          .filter((callback) => callback["serial-number"] === TestMerchant.text(own, "serial-number"))
        assert.strictEqual(aboutOwn.length, 2)
      })
    )
  }
)
