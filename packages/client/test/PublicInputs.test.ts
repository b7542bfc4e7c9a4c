/** Reports about callbacks through clouds, frameworks and proxies (docs/decisions/public-reports-inputs.md). */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { read } from "../../../scripts/Workspace.ts"
import * as CallbackReceiver from "../../transport/src/CallbackReceiver.ts"
import { CallbackRefusedError, InvalidInputError, type ReceivedRequest } from "../src/main.ts"
import * as CloudEvents from "./CloudEvents.ts"
import * as Gateway from "./Gateway.ts"
import { freshId, payment } from "./Samples.ts"

const { merchant } = Gateway
const { jsonCallbacks, usd } = merchant.endpoints

let gateway: Gateway.Gateway
const received: Array<Omit<CloudEvents.Recorded, "clientOrderId">> = []
const shop = createServer(async (request, response) => {
  const { headers, method = "", url: target = "" } = request
  received.push({ method, target, headers, body: await text(request) })
  response.end()
})

const portOf = (server: typeof shop) => {
  const address = server.address()
  return typeof address === "object" ? (address?.port ?? 0) : 0
}

beforeAll(async () => {
  gateway = await Gateway.start()
  await once(shop.listen(0, "127.0.0.1"), "listening")
})
afterAll(async () => {
  shop.close()
  await gateway.close()
})

const sales = new Map<string, Promise<CloudEvents.Recorded>>()

/** The callback of a sale with this path and query for callbacks, as it arrives. Each is made once. */
const callback = async (target: string, endpointId: string = usd): Promise<CloudEvents.Recorded> => {
  const name = `${endpointId} ${target}`
  const made = sales.get(name) ?? sell(target, endpointId)
  sales.set(name, made)
  return made
}

const sell = async (target: string, endpointId: string): Promise<CloudEvents.Recorded> => {
  const clientOrderId = freshId()
  const serverCallbackUrl = `http://127.0.0.1:${portOf(shop)}${target}`
  const sold = await gateway.client({ endpointId }).cardSale({ ...payment(), clientOrderId, serverCallbackUrl })
  if (!sold.ok) throw sold.error
  while (received.length === 0) await once(shop, "request")
  const [one] = received.splice(0)
  assert(one !== undefined)
  return { ...one, clientOrderId }
}

const verify = (request: ReceivedRequest, body?: string | Uint8Array) =>
  gateway.client().callbacks.verify(request, body)

/** A handler of docs/merchants/callback-receivers.md. It returns the order instead of the status of the answer. */
const documented = async (file: string): Promise<(event: object) => Promise<{ readonly statusCode: unknown }>> => {
  const [, code = ""] =
    new RegExp(`^\`\`\`js\\n// ${file}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(
      read("docs/merchants/callback-receivers.md")
    ) ?? []
  const source = code.replace(/^import .*$/m, "export const use = (verify) => { onCallback = verify }\nlet onCallback")
  const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)
  module.use((request: ReceivedRequest, body: string | Uint8Array) => verify(request, body).clientOrderId)
  return module.handler
}

const own = "/callback?token=a%2Bb%20c&next=%2Fx%3Fy&p=1&p=2&flag&u=%C3%BC"

const forms = [
  ["a query", usd, own],
  ["JSON", jsonCallbacks, "/callback?cart=7"]
] as const

describe("a callback through a cloud", () => {
  for (const [form, endpointId, target] of forms) {
    it.each(CloudEvents.events.filter(([what]) => form === "JSON" || !what.endsWith("load balancer")))(
      `as ${form} is verified by the documented program: %s`,
      async (_, file, event) => {
        const one = await callback(target, endpointId)
        const handler = await documented(file)
        assert.deepStrictEqual(await handler(event(one)), { statusCode: one.clientOrderId })
        const forged = {
          ...one,
          target: one.target.replace("amount=10.42", "amount=99.42"),
          body: one.body.replace("10.42", "99.42")
        }
        const outcome = handler(event(forged)).catch((error: unknown) => error)
        assert((await outcome) instanceof CallbackRefusedError)
      }
    )

    it.each(CloudEvents.requests)(`as ${form} is verified in the request: %s`, async (_, request) => {
      const one = await callback(target, endpointId)
      assert.strictEqual(verify(...request(one)).clientOrderId, one.clientOrderId)
    })
  }

  it("is verified from an event of a load balancer without lists, if no name is repeated", async () => {
    const one = await callback("/callback?token=a%2Bb%20c&u=%C3%BC")
    const [, file, event] = CloudEvents.events.find(([what]) => what === "a load balancer") ?? assert.fail()
    assert.deepStrictEqual(await (await documented(file))(event(one)), { statusCode: one.clientOrderId })
  })
})

const caught = (effect: () => unknown): unknown => {
  try {
    return effect()
  } catch (error) {
    return error
  }
}

describe("a genuine callback of which a handler has only parsed values", () => {
  const query = async () => {
    const one = await callback(own)
    return { one, parsed: Object.fromEntries(CloudEvents.pairsOf(one.target)), url: one.target }
  }

  it("is verified by the address that the framework keeps beside them", async () => {
    const { one, parsed, url } = await query()
    for (const request of [
      { url: "/", originalUrl: url, query: parsed, body: {}, headers: one.headers },
      { url, query: parsed, body: {}, headers: one.headers },
      { url: `https://shop.example${url}`, query: parsed, body: null, headers: one.headers },
      { url: `/callback?${new URLSearchParams(CloudEvents.pairsOf(url))}`, headers: one.headers }
    ])
      assert.strictEqual(verify(request).clientOrderId, one.clientOrderId)
  })

  it("is an error of the program without an address, and not a forged callback", async () => {
    const { one, parsed } = await query()
    for (const request of [{ query: parsed, headers: one.headers }, { body: parsed, headers: one.headers }, parsed]) {
      const thrown = caught(() => verify(request))
      assert(thrown instanceof InvalidInputError)
      assert.match(thrown.message, /with its url and headers|as it was received/)
    }
  })

  it("is an error of the program without the text of its JSON", async () => {
    const one = await callback("/callback", jsonCallbacks)
    for (const body of [JSON.parse(one.body), undefined]) {
      const thrown = caught(() => verify({ url: "/callback", headers: one.headers, body }))
      assert(thrown instanceof InvalidInputError)
      assert.include(thrown.message, "its body as it was received")
    }
  })

  it("is refused with the reason if its values were written again in another form", async () => {
    const one = await callback("/callback", jsonCallbacks)
    const thrown = caught(() =>
      verify({ url: "/callback", headers: one.headers }, JSON.stringify(JSON.parse(one.body), null, 2))
    )
    assert(thrown instanceof CallbackRefusedError)
    assert.include(thrown.message, "control is right")
    assert.include(thrown.message, "before it was parsed")
  })
})

/** Paths and queries of the merchant's own. */
const addresses = [
  "/callback?token=a%2Bb%20c&next=%2Fx%3Fy",
  "/a%2Fb;v=1/c%20d?x=1",
  "/a+b?x=a+b&y=%2B",
  "/callback?flag&empty=&x=1&x=2&x=1",
  "/callback?t=%c3%bc&n=%2fx",
  "/callback?t=ü&q='!*()~",
  "/%C3%BC/%c3%bc?a[]=1&a[]=2&b[c]=3"
]

const keys = { controlKeys: [Redacted.make(merchant.controlKey)], requireWebhookHeaders: true }

describe("a callback to the merchant's own path and query", () => {
  it.each(addresses)("is verified as it arrives: %s", async (target) => {
    const one = await callback(target)
    const rewritten = new URL(`http://shop.example${one.target}`)
    rewritten.search = new URLSearchParams(CloudEvents.pairsOf(one.target)).toString()
    for (const url of [one.target, rewritten.pathname + rewritten.search]) {
      assert.strictEqual(verify({ url, headers: one.headers }).clientOrderId, one.clientOrderId, url)
      const inbox = CallbackReceiver.verifyAt(
        { url, headers: CloudEvents.single(one) },
        keys,
        Number(one.headers["webhook-timestamp"])
      )
      assert.strictEqual(Result.getOrThrow(inbox).client_orderid, one.clientOrderId)
    }
  })

  it.each(["/callback?status=x", "/callback?orderid=7", "/callback?x=%", "/callback?x=%zz", "/callback?x=%FF"])(
    "is refused at creation: %s",
    async (target) => {
      const serverCallbackUrl = `http://127.0.0.1:${portOf(shop)}${target}`
      const { error } = await gateway.client().cardSale({ ...payment(), serverCallbackUrl })
      assert.strictEqual(error?.code, "InvalidInput")
      assert.include(error?.message, "serverCallbackUrl")
    }
  )
})
