import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Template from "../src/template/Template.ts"

const right = {
  url: "http://127.0.0.1:9000",
  buy: { request: "POST /orders/{order}", body: { amount: "{amount}" } },
  ask: { request: "GET /orders/{order}", paid: { json: "state", is: "paid" } }
}
const { ask, buy } = right

const problems = (raw: unknown) => Effect.map(Effect.flip(Template.fromValue(raw)), ({ problems }) => problems)

/** Templates with one mistake each, and the line that says what to write. */
const wrong: ReadonlyArray<readonly [why: string, template: unknown, line: string | RegExp]> = [
  ["an unknown name", { ...right, patince: "1 second" }, "patince is not known: did you mean patience?"],
  ["an unknown name inside", { ...right, buy: { ...buy, boddy: {} } }, "buy.boddy is not known: did you mean body?"],
  ["an unknown name of no likeness", { ...right, colour: "red" }, "colour is not known"],
  [
    "a step with an unknown name",
    { ...right, buy: { customer: [{ opne: "/{order}/{amount}" }] } },
    /^buy\.customer\[0\]\.opne is not known: did you mean open\?/
  ],
  [
    "buy without the order",
    { ...right, buy: { request: "POST /buy", body: "{amount}" } },
    'buy: it names no {order}: write for example "request": "POST /orders/{order}"'
  ],
  [
    "buy without the amount",
    { ...right, buy: { request: "POST /orders/{order}" } },
    /^buy: it names no \{amount\}: each order has an amount of its own/
  ],
  [
    "ask without the order",
    { ...right, ask: { ...ask, request: "GET /last" } },
    'ask: it names no {order}: write for example "request": "GET /orders/{order}"'
  ],
  ["refund without the order", { ...right, refund: { request: "POST /refund" } }, /^refund: it names no \{order\}/],
  [
    "a misspelled placeholder",
    { ...right, buy: { ...buy, body: { amount: "{amount}", card: "{crad}" } } },
    "buy.body.card: {crad} has no value: did you mean {card}?"
  ],
  [
    "a misspelled placeholder of env",
    { ...right, env: { URL: "{ulr}" } },
    "env.URL: {ulr} has no value: did you mean {url}?"
  ],
  [
    "another machine",
    { ...right, url: "https://shop.example" },
    'url: shop.example is another machine. A crash test calls only this one: write "http://127.0.0.1:9000"'
  ],
  [
    "another machine with a name like this one's",
    { ...right, url: "http://127.0.0.1.example:9000" },
    /^url: 127\.0\.0\.1\.example is another machine/
  ],
  ["all addresses of the machine", { ...right, url: "http://0.0.0.0:9000" }, /^url: 0\.0\.0\.0 is another machine/],
  [
    "a request to another machine",
    { ...right, ask: { ...ask, request: "GET http://shop.example/{order}" } },
    "ask.request: shop.example is another machine. A crash test calls only this one: write the path"
  ],
  ["no address", { ...right, url: "9000" }, 'url: 9000 is no address: write "http://127.0.0.1:9000"'],
  [
    "an address with a path",
    { ...right, url: "http://127.0.0.1:9000/shop" },
    "url: write it without a path, and the path in each request"
  ],
  ["no url", { buy, ask }, 'url: write where the shop listens: "url": "http://127.0.0.1:9000"'],
  ["nothing to buy", { url: right.url, ask }, /^buy: it says nothing that a customer can do: write "buy": \{/],
  ["no question", { url: right.url, buy }, /^ask: it is missing: write how to ask about an order: "ask": \{/],
  [
    "a question without paid",
    { ...right, ask: { request: "GET /{order}" } },
    'ask.paid: write how the answer says paid: "paid": { "json": "state", "is": "paid" }'
  ],
  [
    "refund without buy",
    { url: right.url, subscribe: buy, ask, refund: { request: "POST /{order}" } },
    'refund: there is nothing to refund without "buy"'
  ],
  [
    "a refund of more than the smallest order",
    { ...right, refund: { request: "POST /{order}", amount: "10.00" } },
    "refund.amount: write an amount below 10.00 USD, the smallest order: a part of each order"
  ],
  [
    "a refund of nothing",
    { ...right, currency: "JPY", refund: { request: "POST /{order}", amount: "5.50" } },
    "refund.amount: write an amount below 1000 JPY, the smallest order: a part of each order"
  ],
  [
    "a request without a method",
    { ...right, buy: { ...buy, request: "/orders/{order}" } },
    /^buy\.request: .*write a method and a path: "POST \/orders\/\{order\}"/
  ],
  [
    "a form that is filled in without its page",
    { ...right, buy: { ...buy, fill: { amount: "{amount}" } } },
    /^buy: .*write with "fill" the page that has the form: "request": "GET \/checkout"/
  ],
  [
    "a number of the shop that is shown nowhere",
    { ...right, ask: { ...ask, request: "GET /orders/{number}" } },
    /^ask: \{number\} is not known: write into "buy" where the shop shows it/
  ],
  [
    "a number without a group",
    { ...right, buy: { ...buy, number: "order [0-9]+" } },
    /^buy\.number: .*write a regular expression with one group/
  ],
  ["a request and a program", { ...right, buy: { ...buy, run: ["php", "{order}"] } }, /^buy: .*write one of "request"/],
  ["neither", { ...right, ask: { paid: ask.paid } }, /^ask: .*write either "request"/],
  ["a matcher of nothing", { ...right, ask: { ...ask, shipped: {} } }, /^ask\.shipped: .*write \{ "status": 200 \}/],
  [
    "a value without its place",
    { ...right, ask: { ...ask, paid: { is: "paid", status: 200 } } },
    /^ask\.paid: .*write with "is" also "json"/
  ],
  [
    "no regular expression",
    { ...right, ask: { ...ask, paid: { text: "(" } } },
    /^ask\.paid\.text: .*write a regular expression/
  ],
  ["a time without a unit", { ...right, patience: "5" }, /^patience: .*write a number and a unit: "5 seconds"/],
  ["a number for a time", { ...right, patience: 5 }, /^patience: /],
  [
    "an endpoint that does not exist",
    { ...right, endpoint: "eru" },
    "endpoint: eru is not of the sandbox: did you mean eur?"
  ],
  ["no currency", { ...right, currency: "dollar" }, /^currency: .*write a currency of ISO 4217: USD/],
  ["no card", { ...right, card: "1234" }, /^card: .*write the digits of a card/],
  ["a list", [], /^write an object/],
  [
    "a step that does two things",
    { ...right, buy: { customer: [{ open: "/{order}/{amount}", click: "a" }] } },
    /^buy\.customer.*write one of open, fill/
  ]
]

/** Texts that are not JSON, and the line that says so. */
const texts: ReadonlyArray<readonly [why: string, text: string, line: string]> = [
  ["a comment", '{\n  // where\n  "url": 1\n}', "line 2: comments are not JSON: remove it"],
  ["a comment after a value", '{\n  "url": 1 /* here */\n}', "line 2: comments are not JSON: remove it"],
  ["a comment of another language", '{\r\n  "url": 1,\r\n  # here\r\n}', "line 3: comments are not JSON: remove it"],
  ["a comma at the end of an object", '{\n  "url": 1,\n}', "line 3: there is a comma before }: remove the comma"],
  ["a comma at the end of a list", '{\n  "files": ["a",]\n}', "line 2: there is a comma before ]: remove the comma"],
  ["no comma", '{\n  "url": 1\n  "env": {}\n}', 'line 3: there is no comma before "env"'],
  ["single quotes", "{ 'url': 1 }", `line 1: write "double" quotes, not 'single' ones`],
  ["no quotes", "{ url: 1 }", 'line 1: "url" is not JSON: texts and names are in "double" quotes'],
  [
    "an open text",
    '{\n"url": "http://\n}',
    'line 2: the text has no closing " in its line, or a \\ that JSON does not have: write \\\\'
  ],
  [
    "a path of Windows",
    '{ "files": ["C:\\data"] }',
    'line 1: the text has no closing " in its line, or a \\ that JSON does not have: write \\\\'
  ],
  ["no end", '{\n"url": 1,\n"env": {', "line 3: the end is missing: } is expected"],
  ["nothing", "", "line 1: it is empty"],
  ["a missing value", '{ "url": }', "line 1: a value is missing before }"],
  ["two objects", "{}\n{}", "line 2: there is something after the end of the object: remove it"],
  ["a bracket that does not fit", '{ "files": ["a"} }', "line 1: } closes nothing that is open"]
]

describe("a template is refused, with what to write", () => {
  it.effect.each(wrong)("%s", ([, template, line]) =>
    Effect.map(problems(template), (lines) => {
      expect(lines).toHaveLength(1)
      expect(lines.join()).toMatch(line)
    })
  )
  it.effect.each(texts)("%s", ([, text, line]) =>
    Effect.map(Effect.flip(Template.fromText(text)), ({ message }) =>
      expect(message).toBe(`${Template.fileName} cannot be used:\n  ${line}`)
    )
  )
  it.effect("all mistakes at once", () =>
    Effect.map(problems({ url: 1, patince: "1 second", buy: { ...buy, request: "x" }, ask }), (lines) =>
      expect(lines).toHaveLength(3)
    )
  )
})

describe("a template is taken", () => {
  const text = JSON.stringify(right, null, 2)
  it.effect.each<readonly [how: string, text: string]>([
    ["with line ends of Windows", text.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${text}`],
    ["as the example", Template.example],
    ["with a free port", text.replace("9000", "{port}")],
    ["with the other loopback address", text.replace("127.0.0.1", "[::1]")]
  ])("%s", ([, text]) => Effect.map(Template.fromText(text), ({ buy }) => expect(buy?.request).toContain("{order}")))
  it.effect("with flags in place of its values", () =>
    Effect.map(Template.fromText(text, "x.json", { url: "http://localhost:1" }), ({ url }) =>
      expect(url).toBe("http://localhost:1")
    )
  )
  it.effect("for payouts only", () =>
    Effect.map(Template.fromValue({ url: right.url, payout: { ...buy, ask: { ...ask } } }), ({ payout }) =>
      expect(payout?.ask?.request).toBe(ask.request)
    )
  )
})
