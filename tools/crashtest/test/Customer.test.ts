import { describe, expect, it } from "@effect/vitest"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Schedule } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { Answer, Order } from "../src/plan/Payment.ts"
import { Shop } from "../src/shop/Shop.ts"
import { World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as TestShop from "./TestShop.ts"

const template = {
  buy: { request: "POST /orders/{order}", body: "amount={amount}", paid: { text: "Thank you" }, customer: "pages" },
  ask: { request: "GET /orders/{order}", paid: { json: "state", is: "paid" } }
}

/** A shop at the sandbox. */
const layer = (changes: Readonly<Record<string, string>>, endpointId: string) =>
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(World, ({ baseUrl }) =>
        TestShop.at(
          { ...TestShop.gateway, controlKey: Sandbox.merchant.controlKey, url: baseUrl, endpointId },
          { ...template, ...changes },
          TestShop.node("pages.mjs")
        )
      )
    ),
    WorldLive.layer()
  )

const ordinary = "4444555566661111"
const challenged = "4444000011118888"
const methodAndChallenge = "4444000022224444"

const buy = Effect.fnUntraced(function* (order: Order) {
  const shop = yield* Shop
  const world = yield* World
  yield* world.open(order, { reached: () => Effect.void })
  const lines: Array<string> = []
  const answer = yield* shop.buy(order, (text, fault) => {
    lines.push(text)
    return world.tell(order, "customer", text, fault)
  })
  const { charges } = yield* world.booked(order)
  const { met } = yield* world.observation(order)
  return { answer, lines, charges: charges.length, met: met.map(({ fault }) => fault) }
})

interface Row {
  readonly fault?: Fault
  readonly way: string
  readonly answer: Answer
  /** How the shop saw the customer return: the method, the fields in the query, and the result in the body. */
  readonly visits: ReadonlyArray<string>
  readonly charges?: number
}

const back = "POST shop approved"

const rows: ReadonlyArray<Row> = [
  { way: "redirect", answer: "paid", visits: [back] },
  { way: "json", answer: "paid", visits: [back] },
  { way: "form", answer: "paid", visits: [back] },
  { way: "refresh", answer: "paid", visits: [back] },
  { way: "link", answer: "paid", visits: [back] },
  { way: "redirect", fault: "neverReturns", answer: "open", visits: [] },
  { way: "redirect", fault: "returnsTwice", answer: "paid", visits: [back, back] },
  { way: "redirect", fault: "returnsWithoutResult", answer: "paid", visits: ["GET shop nothing"] },
  { way: "redirect", fault: "buysTwice", answer: "paid", visits: [back, back] }
]

let count = 0

const orderOf = ({ fault, way }: Row): Order => {
  count += 1
  const faults = fault === undefined ? [] : [{ fault, moment: { of: "whole" } as const }]
  return TestShop.order(`${way}${count}`, { faults })
}

/** What the shop has printed about the returns of the customer. Its output arrives after its answers. */
const visitsOf = Effect.fnUntraced(function* ({ name }: Order, count: number) {
  const shop = yield* Shop
  const visits = Effect.map(shop.output, (output) =>
    output.split("\n").flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
  )
  return yield* Effect.repeat(visits, { until: ({ length }) => length >= count, schedule: Schedule.spaced("5 millis") })
})

describe.each([
  ["on the gateway's page", ordinary, Sandbox.endpoints.usd, rows],
  ["with a challenge of 3-D Secure", challenged, Sandbox.endpoints.threeds3dsGateway, rows.slice(0, 2)],
  ["with a method page and a challenge", methodAndChallenge, Sandbox.endpoints.threeds3dsGateway, rows.slice(0, 1)]
] as const)("a customer pays %s", (_, card, endpointId, rows) => {
  it.layer(layer({ card }, endpointId), { excludeTestServices: true })((it) => {
    it.effect.each(rows.map((row) => [`${row.way} ${row.fault ?? ""}`, row] as const))("%s", ([, row]) =>
      Effect.gen(function* () {
        const order = orderOf(row)
        const { answer, charges, lines, met } = yield* buy(order)
        expect({ answer, charges, lines }).toMatchObject({ answer: row.answer, charges: 1 })
        expect(met).toEqual(row.fault === undefined ? [] : [row.fault])
        expect(lines.join("\n")).not.toContain(card)
        expect(yield* visitsOf(order, row.visits.length)).toEqual(row.visits)
      })
    )
  })
})
