import { expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { Answer, Order, ShopReport } from "../src/plan/Payment.ts"
import * as Sending from "../src/shop/Sending.ts"
import { Shop } from "../src/shop/Shop.ts"
import * as Matching from "../src/template/Matching.ts"
import type * as TemplateSchema from "../src/template/TemplateSchema.ts"
import * as TestShop from "./TestShop.ts"

const timeline = () => {
  const lines: Array<string> = []
  const tell = (text: string) => Effect.sync(() => void lines.push(text))
  return { lines, tell }
}

const buy = Effect.fnUntraced(function* (order: Order) {
  const shop = yield* Shop
  const { lines, tell } = timeline()
  return { answer: yield* shop.buy(order, tell), lines, report: yield* shop.ask(order) }
})

/** Orders, what the customer sees, how often he presses, and what the shop says afterwards. */
const rows: ReadonlyArray<readonly [name: string, answer: Answer, presses: number, report: ShopReport]> = [
  ["ordinary", "paid", 1, { paid: "yes", shipped: false }],
  ["shipped", "paid", 1, { paid: "yes", shipped: true }],
  ["declined", "failed", 1, { paid: "no", shipped: false }],
  ["pending", "open", 2, { paid: "no", shipped: false }],
  ["second", "paid", 2, { paid: "yes", shipped: false }],
  ["broken", "open", 3, { paid: "open", shipped: false }],
  ["reset", "open", 3, { paid: "no", shipped: false }]
]

it.layer(TestShop.layer(), { excludeTestServices: true })("a shop", (it) => {
  it.effect.each(rows)("answers to %s", ([name, answer, presses, report]) =>
    Effect.gen(function* () {
      const bought = yield* buy(TestShop.order(name))
      expect(bought.answer).toBe(answer)
      expect(bought.report).toStrictEqual(report)
      expect(bought.lines.filter((line) => line.startsWith("presses the button"))).toHaveLength(presses)
    })
  )
})

/** What a customer understands where the template does not say what a failure is. */
const errors: ReadonlyArray<readonly [name: string, answer: Answer, presses: number]> = [
  ["busy", "paid", 2],
  ["already", "paid", 1],
  ["refused", "failed", 1]
]

it.layer(TestShop.layer({ buy: TestShop.buyWithoutFailure }), { excludeTestServices: true })("an error", (it) => {
  it.effect.each(errors)("of the kind %s is seen as %s after %s presses", ([name, answer, presses]) =>
    Effect.gen(function* () {
      const bought = yield* buy(TestShop.order(name))
      expect(bought.answer).toBe(answer)
      expect(bought.lines.filter((line) => line.startsWith("presses the button"))).toHaveLength(presses)
    })
  )
})

const form = "application/x-www-form-urlencoded"

/** What a template writes, and what arrives at the shop for the order `a b&"c` of 12.34. */
const requests: ReadonlyArray<readonly [why: string, sending: Sending.Sending, arrives: object]> = [
  [
    "a path",
    { request: "POST /{order}?for={amount}" },
    { url: "http://127.0.0.1/a%20b%26%22c?for=12.34", method: "POST" }
  ],
  [
    "JSON",
    { body: { a: "{amount}", b: ["{order}", 1], "{x}": "{y}" } },
    { body: '{"a":"12.34","b":["a b&\\"c",1],"{x}":"{y}"}', headers: { "content-type": "application/json" } }
  ],
  [
    "a form as text",
    { body: "a={order}&b={amountMinor}" },
    { body: "a=a%20b%26%22c&b=1234", headers: { "content-type": form } }
  ],
  [
    "a form as an object",
    { body: { a: "{order}" }, headers: { "Content-Type": form } },
    { body: "a=a+b%26%22c", headers: { "content-type": form } }
  ],
  [
    "JSON as text",
    { body: '{"a":"{order}"}', headers: { "content-type": "application/json" } },
    { body: '{"a":"a b&\\"c"}' }
  ],
  ["other text", { body: "<a>{currency}</a>", headers: { "content-type": "text/xml" } }, { body: "<a>USD</a>" }],
  ["a header", { headers: { "X-Code": "{cvv2}" } }, { headers: { "x-code": "123" }, body: undefined }]
]

const values = { order: 'a b&"c', amount: "12.34", amountMinor: "1234", currency: "USD", cvv2: "123" }

it.each(requests)("a request has its values in %s", (_, sending, arrives) =>
  expect(Sending.requestOf(sending, new URL("http://127.0.0.1"), values)).toMatchObject(arrives)
)

const reply = (text: string, status = 200) => ({ status, text })

/** Matchers, replies that match, and replies that do not. */
const matchers: ReadonlyArray<
  readonly [matcher: TemplateSchema.Matcher, right: ReadonlyArray<Matching.Reply>, wrong: ReadonlyArray<Matching.Reply>]
> = [
  [{ status: 200 }, [reply("")], [reply("", 201), { exit: 200, text: "" }]],
  [{ status: [200, 409] }, [reply("", 409)], [reply("", 404)]],
  [
    { json: "a.0.b", is: "x" },
    [reply('{"a":[{"b":"x"}]}')],
    [reply('{"a":[]}'), reply("x"), reply('{"a":[{"b":"y"}]}')]
  ],
  [{ json: "a", is: [true, null] }, [reply('{"a":true}'), reply('{"a":null}')], [reply('{"a":false}'), reply("{}")]],
  [
    { json: "a" },
    [reply('{"a":0}'), reply('\uFEFF{"a":"x"}')],
    [reply('{"a":false}'), reply('{"a":null}'), reply("{}")]
  ],
  [{ json: "toString" }, [], [reply("{}")]],
  [{ text: "^ok|done$" }, [reply("all done")], [reply("not ok")]],
  [{ exit: 0 }, [{ exit: 0, text: "" }], [{ exit: 1, text: "" }, reply("")]],
  [{ status: 200, text: "paid" }, [reply("paid")], [reply("paid", 500), reply("no")]]
]

it.each(matchers)("a matcher %j", (matcher, right, wrong) => {
  expect(right.map((each) => Matching.matches(matcher, each))).toEqual(right.map(() => true))
  expect(wrong.map((each) => Matching.matches(matcher, each))).toEqual(wrong.map(() => false))
})

const program = { run: [...TestShop.node("buy.mjs"), "{order}", "{amount}"] }

it.layer(
  TestShop.layer({
    answer: "400 milliseconds",
    buy: { ...program, paid: { json: "state", is: "paid" }, failed: { text: "declined" } }
  }),
  { excludeTestServices: true }
)("a program", (it) => {
  it.effect.each<readonly [name: string, answer: Answer]>([
    ["ordinary", "paid"],
    ["declined", "failed"],
    ["broken", "open"],
    ["hangs", "open"]
  ])("buys %s", ([name, answer]) =>
    Effect.map(buy(TestShop.order(name)), (bought) => expect(bought.answer).toBe(answer))
  )
})

it.layer(
  TestShop.layer(
    { url: "https://127.0.0.1:{port}", buy: { request: "POST /{order}?{amount}" } },
    TestShop.node("odd.mjs", "tls", "{port}")
  ),
  {
    excludeTestServices: true
  }
)("a shop with TLS and a certificate of its own", (it) => {
  it.effect("sells", () => Effect.map(buy(TestShop.order("a")), ({ answer }) => expect(answer).toBe("paid")))
})

it.layer(TestShop.layer({ answer: "200 milliseconds" }), { excludeTestServices: true })(
  "a shop that hangs on one order",
  (it) => {
    it.effect("sells others", () =>
      Effect.gen(function* () {
        const names = ["hangs", "a", "b"]
        const bought = yield* Effect.forEach(names, (name) => buy(TestShop.order(name)), { concurrency: 3 })
        expect(bought.map(({ answer }) => answer)).toEqual(["open", "paid", "paid"])
      })
    )
  }
)

/** Shops that lead a customer nowhere, and what the timeline says. */
const nowhere: ReadonlyArray<readonly [why: string, request: string, line: string]> = [
  [
    "to another machine",
    "POST /away/else?{order}{amount}",
    "the shop leads to 192.0.2.1. A crash test calls only this machine"
  ],
  ["in a circle", "POST /away/{order}?{amount}", "the shop leads through more than 60 pages"],
  ["into an answer without an end", "POST /endless?{order}{amount}", "the shop answered with more than 1048576 bytes"]
]

it.live.each(nowhere)("a shop leads a customer %s", ([, request, line]) =>
  Effect.gen(function* () {
    const { answer, lines } = yield* buy(TestShop.order("a"))
    expect(answer).toBe("open")
    expect(lines).toContain(line)
  }).pipe(Effect.provide(TestShop.layer({ buy: { request, customer: "pages" } })))
)

const printing = { request: "POST /print?{order}{amount}", body: "card {card} of {order}" }

it.layer(
  TestShop.layer({
    env: { MY_URL: "{url}", MY_SHOP: "{shop} {port}" },
    buy: printing,
    ask: {
      request: "GET /env?{order}",
      paid: { text: '"MY_URL":"http://127.0.0.1:1","MY_SHOP":"(http://127.0.0.1:(\\d+)) \\2"' },
      shipped: {
        text: '"PAY_BASE_URL":"http://127.0.0.1:1","PAY_LOGIN":"merchant","PAY_CONTROL_KEY":"key","PAY_ENDPOINT_ID":"1001","PAY_PRIVATE_KEY_FILE":"/key.pem","SHOP_URL":"http://127.0.0.1:(\\d+)","PORT":"\\1"'
      }
    }
  }),
  { excludeTestServices: true }
)("a shop", (it) => {
  it.effect("has the gateway in its environment, and names of its own for it", () =>
    Effect.map(buy(TestShop.order("a")), ({ report }) => expect(report).toEqual({ paid: "yes", shipped: true }))
  )
  it.effect("that prints a card number is found out", () =>
    Effect.gen(function* () {
      const shop = yield* Shop
      yield* buy(TestShop.order("printed"))
      const leaks = yield* Effect.repeat(shop.leaks, {
        until: (leaks) => leaks.some(({ line }) => line.includes("printed")),
        schedule: Schedule.spaced("5 millis")
      })
      expect(leaks.map(({ line }) => line)).toContain("card 444455******1111 of printed")
    })
  )
})
