/** The receivers of docs/merchants/callback-receivers.md. `npm run test:external` runs them on the frameworks, which it installs. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Gateway from "../../packages/client/test/Gateway.ts"
import * as ClientShop from "./ClientShop.ts"
import * as Receivers from "./Receivers.ts"

const MINUTE = 60_000

describe("docs/merchants/callback-receivers.md", () => {
  it("has a program for each framework of its table, and its exact version", () => {
    const files = new Set(Receivers.servers.map(({ file }) => file))
    expect([...Receivers.programs().keys()].toSorted()).toEqual(["callbacks.mjs", ...files].toSorted())
    expect(Receivers.frameworks().map(([name]) => name)).toEqual([
      "next",
      "express",
      "fastify",
      "hono",
      "koa",
      "h3",
      "serverless-http"
    ])
  })
})

type Change = (callback: Receivers.Recorded) => Receivers.Recorded

const replace =
  (part: "target" | "body", from: string, to: string): Change =>
  (callback) => {
    expect(callback[part]).toContain(from)
    return { ...callback, [part]: callback[part].replace(from, to) }
  }
const header =
  (name: string, value: string): Change =>
  (callback) => ({ ...callback, headers: { ...callback.headers, [name]: value } })

const forged: Readonly<Record<"query" | "json", ReadonlyArray<readonly [what: string, change: Change]>>> = {
  query: [
    ["another amount", replace("target", "amount=10.42", "amount=99.42")],
    ["an added parameter", replace("target", "&status=", "&y=1&status=")],
    ["a removed parameter", replace("target", "&currency=USD", "")],
    ["a repeated parameter", replace("target", "currency=USD", "currency=USD&currency=USD")],
    ["two values in another order", replace("target", "x=a%20b&x=%2B", "x=%2B&x=a%20b")],
    ["+ for %2B", replace("target", "x=%2B", "x=+")],
    ["another webhook-id", header("webhook-id", "1-1")]
  ],
  json: [
    ["another amount", replace("body", "10.42", "99.42")],
    ["an added member", replace("body", "{", '{"y":"1",')],
    ["the end cut off", (callback) => ({ ...callback, body: callback.body.slice(0, -1) })],
    ["another webhook-id", header("webhook-id", "1-1")]
  ]
}

/** `npm run test:external` sets the variable. */
const servers = process.env.PAY_OTHER_RUNTIMES === undefined ? [] : Receivers.servers

let project: ClientShop.Project
let gateway: Gateway.Gateway
let callbacks: Readonly<Record<keyof typeof forged, Receivers.Recorded>>
if (servers.length > 0) {
  beforeAll(async () => {
    project = await ClientShop.install()
    gateway = await Gateway.start()
    await Receivers.install(project, gateway.baseUrl)
    const { jsonCallbacks, usd } = Gateway.merchant.endpoints
    callbacks = { query: await Receivers.record(gateway, usd), json: await Receivers.record(gateway, jsonCallbacks) }
  }, 15 * MINUTE)
  afterAll(async () => {
    await gateway?.close()
    project?.remove()
  })
}

describe.each(servers)("the receiver of docs/merchants/callback-receivers.md on $name", (server) => {
  let receiver: Receivers.Opened
  beforeAll(async () => {
    receiver = await Receivers.open(project, server, gateway.baseUrl)
  }, 10 * MINUTE)
  afterAll(() => receiver?.close())

  for (const form of ["query", "json"] as const) {
    it(`accepts a callback as ${form}, and refuses a forged one`, async () => {
      const callback = callbacks[form]
      expect(await receiver.send(callback)).toBe(200)
      for (const [what, change] of forged[form])
        expect([what, await receiver.send(change(callback))]).toEqual([what, 403])
    })
  }
})
