/** The forms of the back office: what they take, and what a form that was not carried out shows. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as InProcessShop from "./InProcessShop.ts"
import { buyAndStoreCard, idOf } from "./KilledShop.ts"
import * as ShopProcess from "./ShopProcess.ts"

const people = Effect.map(InProcessShop.url, (url) => ({
  customer: ShopProcess.customer({ url }),
  clerk: ShopProcess.clerk({ url })
}))

/** What the page says beside the field. */
const beside = (body: string, field: string) => new RegExp(`id="${field}-error">([^<]*)`).exec(body)?.[1]

/** The value that the page has typed into the field already. */
const typedIn = (body: string, field: string) =>
  new RegExp(`name="${field}" value="([^"]*)"`).exec(body)?.[1]?.replaceAll("&#39;", "'")

const action = "AAAAAAAAAAAAAAAAAAAAAD"

const notAnAmount = "The amount must be a decimal number like 10.50."

layer(InProcessShop.layer, { excludeTestServices: true })("the back office", (it) => {
  it.effect("returns a form with a wrong amount, with the typed value and what to correct beside it", () =>
    Effect.gen(function* () {
      const { clerk, customer } = yield* people
      const order = yield* buyAndStoreCard(customer)
      const { hidden } = yield* clerk.visit(`/office${order}`)
      for (const [amount, says] of [
        ["48.01", "At most $48.00 is left."],
        ["480", "At most $48.00 is left."],
        ["10.005", "The amount has more than 2 decimals."],
        ["-1.00", notAnAmount],
        ["0", notAnAmount],
        ["0.00", notAnAmount],
        ["1e1", notAnAmount],
        ["10,00", notAnAmount],
        ["1,0.00", notAnAmount],
        ["6,95", notAnAmount],
        ["6,95 €", notAnAmount],
        ["2.614", "The amount has more than 2 decimals."],
        ["2.614,50", notAnAmount],
        ["2,614.50", "At most $48.00 is left."],
        ["2 614.50", notAnAmount],
        ["1'000.00", notAnAmount],
        ["€10.00", notAnAmount],
        ["ten", notAnAmount],
        ["", notAnAmount]
      ] as const) {
        const { body, status, title } = yield* clerk.visit(`/office${order}`, {
          ...hidden,
          ...{ kind: "refund", action, amount }
        })
        assert.deepStrictEqual(
          [status, title, typedIn(body, "amount"), beside(body, "amount")],
          [422, "Please check the amount · Foxglove", amount, says]
        )
        assert.include(body, `name="action" value="${action}"`)
        assert.include(body, "Nothing was sent.")
      }
    })
  )

  it.effect("accepts an amount as it is typed, and as the shop shows it", () =>
    Effect.gen(function* () {
      const { clerk, customer } = yield* people
      const order = yield* buyAndStoreCard(customer)
      const { hidden } = yield* clerk.visit("/office")
      for (const [index, amount] of [" 1 ", "1.5000", "2.00", "$3.00", "04.00"].entries()) {
        const form = { ...hidden, kind: "refund", action: `AAAAAAAAAAAAAAAAAAAAB${index}`, amount }
        const answer = yield* clerk.visit(`/office${order}`, form)
        assert.deepStrictEqual([amount, answer.status], [amount, 303])
      }
      yield* customer.until(order, ({ title }) => title.startsWith("$11.50"))
    })
  )

  it.effect("returns the form of a payout with the typed values and what to correct beside each", () =>
    Effect.gen(function* () {
      const { clerk } = yield* people
      const { hidden } = yield* clerk.visit("/office/payouts")
      const typed = { supplier: "Willow & Sons", account: "DE89 3704 0044 0532 0130 00", amount: "25,00" }
      const { body, status } = yield* clerk.visit("/office/payouts", { ...hidden, ...typed })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(
        ["supplier", "account", "amount"].map((name) => [typedIn(body, name), beside(body, name)]),
        [
          ["Willow &amp; Sons", undefined],
          [typed.account, undefined],
          ["25,00", "Enter an amount like 25.00."]
        ]
      )
      const empty = yield* clerk.visit("/office/payouts", { ...hidden, supplier: " ", account: "", amount: "" })
      assert.deepStrictEqual(
        ["supplier", "account", "amount"].map((name) => beside(empty.body, name)),
        ["Enter the name of the supplier.", "Enter the IBAN as it is on the invoice.", "Enter an amount like 25.00."]
      )
      const answer = yield* clerk.visit("/office/payouts", { ...hidden, ...typed, amount: "$25.00" })
      assert.strictEqual(answer.status, 303)
    })
  )

  it.effect("links its orders to pages of its own, which a browser without the customer's cookie opens", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const order = yield* buyAndStoreCard(customer)
      const { clerk } = yield* people
      for (const start of ["/office", "/office/payouts", `/office${order}`]) {
        const { body } = yield* clerk.visit(start)
        const links = [...body.matchAll(/<main>.*<\/main>/gs)].flatMap(([main]) =>
          [...main.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href)
        )
        assert.isNotEmpty(links)
        for (const href of links) assert.strictEqual((yield* clerk.visit(href)).status, 200, `${start} → ${href}`)
      }
      assert.include((yield* clerk.visit(`/office${order}`)).body, `order ${idOf(order)}`)
      assert.strictEqual((yield* clerk.visit("/office/order/AAAAAAAAAAAAAAAAAAAAAA")).status, 404)
      assert.strictEqual((yield* customer.visit(`/office${order}`)).status, 401)
    })
  )
})
