/** Tests that every public function which takes options refuses an option that it does not have. */
import { assert, describe, expect, it, vi } from "@effect/vitest"
import * as Durable from "../src/Durable.ts"
import * as FlowTable from "../src/FlowTable.ts"
import * as Main from "../src/main.ts"
import * as Pooled from "../src/Pooled.ts"
import * as Receiver from "../src/Receiver.ts"
import * as Testing from "../src/Testing.ts"

const settings = { baseUrl: "https://gateway.example", login: "shop", controlKey: "key", endpointId: "1" }
const pay = Main.Pay.client({ ...settings, fetch: () => Promise.reject(new Error("nothing may be sent")) })

const order = { clientOrderId: "INV-1", orderId: "1" }

/** Calls a function as plain JavaScript may, with values whose types are wrong. */
const plainly = (method: unknown, ...args: ReadonlyArray<unknown>): unknown => {
  assert(typeof method === "function")
  return Reflect.apply(method, undefined, args)
}

type Row = readonly [name: string, call: (options: unknown) => unknown]

/** The functions that modules export, with options that are right as far as they go. */
const made: ReadonlyArray<Row> = [
  ["Pay.client", (options) => plainly(Main.Pay.client, options)],
  ["Pay.fromEnv", (options) => plainly(Main.Pay.fromEnv, options)],
  ["undici Pay.client", (options) => plainly(Pooled.Pay.client, options)],
  ["durable open", (options) => plainly(Durable.open, options)],
  ["callbacks receiver", (options) => plainly(Receiver.receiver, options)],
  ["testing testGateway", (options) => plainly(Testing.testGateway, options)]
]

const methods = (table: object, call: (name: string) => (options: unknown) => unknown): ReadonlyArray<Row> =>
  Object.keys(table).map((name) => [name, call(name)])

const methodOf = (from: object, name: string): unknown => Object.entries(from).find(([each]) => each === name)?.[1]

/** Every method of the client with options of one call. */
const called: ReadonlyArray<Row> = [
  ...methods(FlowTable.flows, (name) => (options) => plainly(methodOf(pay, name), {}, options)),
  ...methods(FlowTable.actions, (name) => (options) => plainly(methodOf(pay, name), order, {}, options)),
  ...methods(FlowTable.hosted, (name) => (options) => plainly(methodOf(pay.hosted, name), {}, options)),
  ...methods(pay.api, (name) => (options) => plainly(methodOf(pay.api, name), {}, options)),
  ["status", (options) => plainly(pay.status, order, options)],
  ["watch", (options) => pay.watch(order, Object(options))[Symbol.asyncIterator]().next()]
]

/** Returns the error of a call, thrown or as its result. */
const errorOf = async (call: () => unknown): Promise<unknown> => {
  try {
    const result = await call()
    return Object(result).error
  } catch (error) {
    return error
  }
}

describe("an option that does not exist is refused", () => {
  const isClass = (value: unknown) => Object(value).prototype instanceof Error
  it("by every function that a module exports", () => {
    const own = { "Pay.": Main.Pay, "undici Pay.": Pooled.Pay, "durable ": Durable, "callbacks ": Receiver }
    const exported = Object.entries({ ...own, "testing ": Testing }).flatMap(([prefix, module]) =>
      Object.entries(module)
        .filter(([, value]) => typeof value === "function" && !isClass(value))
        .map(([name]) => `${prefix}${name}`)
    )
    // These take the fields of a form.
    const withoutOptions = ["Pay.browserOf"]
    assert.deepStrictEqual([...exported].sort(), [...made.map(([name]) => name), ...withoutOptions].sort())
  })

  it("by every method of the client", () => {
    const own = Object.entries(pay).filter(([, value]) => typeof value === "function")
    const others = ["web"]
    const names = new Set([...called.map(([name]) => name), ...others])
    assert.deepStrictEqual(
      own.map(([name]) => name).filter((name) => !names.has(name)),
      []
    )
  })

  it.each(made)("by %s", async (_, call) => {
    for (const [name, value] of Object.entries({ PAY_BASE_URL: settings.baseUrl, PAY_LOGIN: "shop" }))
      vi.stubEnv(name, value)
    vi.stubEnv("PAY_CONTROL_KEY", "key")
    const error = await errorOf(() => call({ nonsense: 1 }))
    const notObject = await errorOf(() => call("shop"))
    vi.unstubAllEnvs()
    assert(error instanceof Main.InvalidSettingError)
    assert.include(error.message, "nonsense is no option. The options are ")
    assert(notObject instanceof Main.InvalidSettingError)
  })

  it.each(called)("by the method %s", async (_, call) => {
    for (const [options, problem] of [
      [
        { nonsense: 1 },
        { field: "nonsense", message: expect.stringMatching(/is no option\. The options are .*signal/) }
      ],
      [
        { sginal: undefined, Signal: AbortSignal.abort() },
        { field: "Signal", message: expect.stringContaining("signal?") }
      ]
    ] as const) {
      const error = await errorOf(() => call(options))
      assert(error instanceof Main.InvalidInputError)
      expect(error.problems).toContainEqual(expect.objectContaining(problem))
    }
  })

  it.each([
    ["Pay.client", (more: object) => plainly(Main.Pay.client, { ...settings, ...more }), { timeoutMs: 5 }],
    ["a receiver", (more: object) => plainly(Receiver.receiver, { ...settings, ...more }), {}],
    ["a pool, for fetch", (more: object) => plainly(Pooled.Pay.client, { ...settings, ...more }), { fetch }],
    [
      "the certificate of a pool",
      (more: object) => plainly(Pooled.Pay.client, { ...settings, clientCertificate: more }),
      { certificate: "PEM", privateKey: "PEM", passphrase: "x" }
    ],
    ["pages for the browser", (more: object) => plainly(pay.web, more), { URL: "https://shop.example/pay" }],
    ["a file, in another spelling", (more: object) => plainly(Durable.open, { ...settings, ...more }), { Path: "x" }],
    ["a flow, for a field", (more: object) => plainly(pay.cardSale, {}, more), { endpointId: "1" }],
    ["a watch, for a time", (more: object) => pay.watch(order, more)[Symbol.asyncIterator]().next(), { timeoutMs: 1 }],
    ["a status, for a key", (more: object) => plainly(pay.status, order, more), { idempotencyKey: "a" }]
  ])("that others have: %s", async (_, call, more) => {
    const error = await errorOf(() => call(more))
    assert(error instanceof Main.PayError)
    assert.include(error.message, "is no option")
  })
})
