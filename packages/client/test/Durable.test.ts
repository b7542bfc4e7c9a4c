/** Tests the client whose flows survive their process, on a file. */
import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Durable from "../src/Durable.ts"
import { InvalidSettingError, PayloadDiffersError, StillUnknownError, StorageFailedError } from "../src/main.ts"
import { type Gateway, merchant, start } from "./Gateway.ts"
import { card, payment } from "./Samples.ts"

let gateway: Gateway
const folder = mkdtempSync(join(tmpdir(), "pay-durable-"))
beforeAll(async () => {
  gateway = await start()
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

const options = (name: string) => ({
  baseUrl: gateway.baseUrl,
  login: merchant.login,
  controlKey: merchant.controlKey,
  privateKey: merchant.privateKeyPem,
  endpointId: merchant.endpoints.usd,
  path: join(folder, name),
  encryptionKey: Buffer.alloc(32, 7).toString("base64")
})

describe("a durable client", () => {
  it("continues a sale in the next process, and charges the card once", async () => {
    const order = { ...payment(), serverCallbackUrl: gateway.callbackUrl }
    let sales = 0
    const withoutAnswer: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (!String(input).includes("/sale/")) return answer
      sales += 1
      return new Promise(() => {})
    }
    const first = await Durable.open({ ...options("one.db"), fetch: withoutAnswer })
    const interrupted = await first.cardSale(order, { timeoutMs: 1000 })
    assert(!interrupted.ok && interrupted.error instanceof StillUnknownError)
    assert.deepStrictEqual(
      (await first.waiting()).map(({ id }) => id.replace(/@[^/]*/, "")),
      [`CardSale/${order.clientOrderId}`]
    )
    await first.close()
    const file = readFileSync(join(folder, "one.db"))
    assert.isFalse(file.includes(order.card.number) || file.includes(order.card.holder))

    const second = await Durable.open(options("one.db"))
    const { cvv: _, ...card } = order.card
    const sale = await second.cardSale({ ...order, card })
    assert(sale.ok, sale.error?.message)
    assert.deepStrictEqual([sale.order.status, sales], ["approved", 1])
    assert.deepStrictEqual(await second.waiting(), [])
    const refund = await second.refund(sale.order, { name: "slip-1", serverCallbackUrl: gateway.callbackUrl })
    assert(refund.ok, refund.error?.message)
    await second.close()
  })

  it("shows the customer's browser its next page also in the next process, without an option for it", async () => {
    const order = { ...payment(), card: { ...card, number: "4444000011118888" }, currency: "USD" }
    const webOptions = { url: "https://shop.example/pay", secret: "of the shop", ended: () => undefined }
    const pageOf = async (pay: Durable.DurableClient, mark: string): Promise<void> => {
      const web = pay.web(webOptions)
      const page = () => web.handle({ method: "GET", url: web.goUrl(order.clientOrderId) })
      await expect.poll(async () => (await page()).body, { interval: 50, timeout: 30_000 }).toContain(mark)
    }
    const first = await Durable.open(options("web.db"))
    const redirectUrl = first.web(webOptions).backUrl(order.clientOrderId)
    const endpointId = merchant.endpoints.threedsMerchant
    const payer = { ...order, endpointId, redirectUrl, browser: { javascriptEnabled: false } }
    // All clients of a merchant share the pages.
    const same = await first.merchant(options("web.db"))
    await same.cardSale(payer, { timeoutMs: 1 })
    await pageOf(first, 'name="creq"')
    await first.close()
    const second = await Durable.open(options("web.db"))
    await pageOf(second, 'name="creq"')
    await second.close()
  })

  it("refuses a sale with other values under the same order number", async () => {
    const pay = await Durable.open(options("two.db"))
    const order = { ...payment(), serverCallbackUrl: gateway.callbackUrl }
    assert((await pay.cardSale(order)).ok)
    const other = await pay.cardSale({ ...order, amount: "99.00" })
    assert(!other.ok && other.error instanceof PayloadDiffersError)
    assert.include(other.error.message, "another payload")
    assert.isFalse(other.error.retryable)
    await pay.close()
  })

  it("calls a sale that never arrived one that never happened, after the quiet period of a test", async () => {
    const lost: typeof fetch = (input, init) =>
      String(input).includes("/sale/") ? Promise.reject(new TypeError("lost")) : fetch(input, init)
    const pay = await Durable.open({ ...options("quiet.db"), fetch: lost, quietPeriodMs: 20 })
    const { error } = await pay.cardSale({ ...payment(), serverCallbackUrl: gateway.callbackUrl })
    assert.deepStrictEqual([error?.code, error?.retryable], ["NeverHappened", true])
    await pay.close()
  })

  it("refuses an encryption key of the wrong length", async () => {
    const encryptionKey = randomBytes(8).toString("base64")
    const thrown = await Durable.open({ ...options("three.db"), encryptionKey }).catch((error: unknown) => error)
    assert(thrown instanceof InvalidSettingError)
    assert.include(thrown.message, "encryptionKey must be 32 bytes in base64")
  })
})

/** Counts the sales that are sent, and calls `before` before each. */
const counting = (before: (sales: number) => void = () => {}) => {
  const count = { sales: 0 }
  const send: typeof fetch = (input, init) => {
    if (String(input).includes("/sale/")) before(++count.sales)
    return fetch(input, init)
  }
  return { count, fetch: send }
}

/** Answers as a gateway that does not run. */
const refused = (): Promise<never> => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
  return Promise.reject(new TypeError("fetch failed", { cause }))
}

describe("the same call again on a durable client", () => {
  const order = () => ({ ...payment(), serverCallbackUrl: gateway.callbackUrl })

  it("returns a decline again, and sends nothing", async () => {
    const { count, fetch } = counting()
    const pay = await Durable.open({ ...options("declined.db"), fetch })
    const declined = { ...order(), card: { ...order().card, cvv: "116" } }
    for (const _ of ["once", "again"]) {
      const { error } = await pay.cardSale(declined)
      assert.deepStrictEqual([error?.code, error?.retryable], ["Declined", false])
    }
    assert.strictEqual(count.sales, 1)
    await pay.close()
  })

  it("begins another attempt after an error that is retryable", async () => {
    let isUp = false
    const sometimes: typeof fetch = (input, init) => (isUp ? fetch(input, init) : refused())
    const pay = await Durable.open({ ...options("retried.db"), fetch: sometimes })
    const payable = order()
    const { error } = await pay.cardSale(payable)
    assert.deepStrictEqual([error?.code, error?.retryable], ["Unreachable", true])
    isUp = true
    const sale = await pay.cardSale(payable)
    assert(sale.ok, sale.error?.message)
    await pay.close()
  })

  it("joins the flow after an AbortSignal has ended the wait", async () => {
    const abort = new AbortController()
    const { count, fetch } = counting(() => abort.abort(new Error("the customer left")))
    const pay = await Durable.open({ ...options("aborted.db"), fetch })
    const payable = order()
    const thrown = await pay.cardSale(payable, { signal: abort.signal }).catch((error: unknown) => error)
    assert(thrown instanceof Error && thrown.message === "the customer left")
    const sale = await pay.cardSale(payable)
    assert(sale.ok, sale.error?.message)
    assert.strictEqual(count.sales, 1)
    await pay.close()
  })

  it("is another flow for another merchant on the same file", async () => {
    const { count, fetch } = counting()
    const { encryptionKey, path, ...common } = options("merchants.db")
    const pay = await Durable.open({ ...common, encryptionKey, path, fetch })
    const other = await pay.merchant({ ...common, login: "another", fetch: refused })
    const payable = order()
    assert((await pay.cardSale(payable)).ok)
    // The result of the first merchant's flow would be a success.
    assert.strictEqual((await other.cardSale(payable)).error?.code, "Unreachable")
    assert((await pay.cardSale(payable)).ok)
    assert.strictEqual(count.sales, 1)
    await pay.close()
  })

  it("is the same flow with a client of the same merchant that was made again", async () => {
    const { count, fetch } = counting()
    const { encryptionKey, path, ...common } = options("again.db")
    const pay = await Durable.open({ ...common, encryptionKey, path, fetch })
    const [same, again] = await Promise.all([pay.merchant({ ...common, fetch }), pay.merchant({ ...common, fetch })])
    const payable = order()
    for (const client of [pay, same, again]) assert((await client.cardSale(payable)).ok)
    assert.strictEqual(count.sales, 1)
    await pay.close()
  })

  it("has a file for each merchant, however long its name is", async () => {
    const { encryptionKey, path, ...common } = options("long.db")
    const pay = await Durable.open({ ...common, encryptionKey, path })
    for (const login of ["a/b#c@d%", "\u00e9".repeat(100), "\ud83d\ude00".repeat(100)])
      assert.strictEqual(
        (await (await pay.merchant({ ...common, login, fetch: refused })).cardSale(order())).error?.code,
        "Unreachable"
      )
    await pay.close()
  })

  it("takes blanks around a name, which are no part of it", async () => {
    const pay = await Durable.open({ ...options("blanks.db"), fetch: refused })
    const payable = order()
    const named = (clientOrderId: string) => pay.cardSale({ ...payable, clientOrderId })
    for (const name of [` ${payable.clientOrderId}`, payable.clientOrderId, `\t${payable.clientOrderId} `])
      assert.strictEqual((await named(name)).error?.code, "Unreachable")
    await pay.close()
  })

  it("returns that the file was closed, also to a call that waits then", async () => {
    let isSent = () => {}
    const sent = new Promise<void>((resolve) => {
      isSent = resolve
    })
    const withoutAnswer = () => {
      isSent()
      return new Promise<never>(() => {})
    }
    const pay = await Durable.open({ ...options("closed.db"), fetch: withoutAnswer })
    const payable = order()
    const waiting = pay.cardSale(payable)
    await sent
    await pay.close()
    for (const { error } of [await waiting, await pay.cardSale(payable)]) {
      assert.deepStrictEqual([error?.code, error?.retryable], ["StorageFailed", true])
      assert.match(error?.message ?? "", /closed\.db was closed/)
    }
  })

  it("verifies a callback, and wakes the flow that waits for it", async () => {
    const pay = await Durable.open(options("callback.db"))
    const sale = await pay.cardSale(order())
    assert(sale.ok, sale.error?.message)
    const [callback] = gateway.callbacks
    assert(callback !== undefined)
    assert.isString(pay.callbacks.verify({ url: `/?${callback.query}`, headers: callback.headers }).clientOrderId)
    await pay.close()
  })
})

describe("a durable client whose file cannot be written", () => {
  it.each([
    ["before the flow is stored", 0, 0],
    ["while the sale is sent", 1, 1]
  ])("returns an error that says what to do, and continues when it can: %s", async (_when, failingSale, sent) => {
    const home = join(folder, "home")
    mkdirSync(home)
    const away = () => renameSync(home, `${home}.away`)
    const { count, fetch } = counting((sales) => {
      if (sales === failingSale) away()
    })
    const pay = await Durable.open({ ...options("home/flows.db"), fetch })
    const payable = { ...payment(), serverCallbackUrl: gateway.callbackUrl }
    if (failingSale === 0) away()
    const { error } = await pay.cardSale(payable)
    assert(error instanceof StorageFailedError)
    assert.isTrue(error.retryable)
    assert.match(error.message, /home\/flows\.db is not the file any more that was opened.*Put it back/)
    assert.strictEqual(count.sales, sent)
    renameSync(`${home}.away`, home)
    const sale = await pay.cardSale(payable)
    assert(sale.ok, sale.error?.message)
    assert.deepStrictEqual(await pay.waiting(), [])
    await pay.close()
    rmSync(home, { recursive: true })
  })

  it.each([
    [
      "its folder is missing",
      "nowhere/flows.db",
      /nowhere\/flows\.db: unable to open database file\. Its folder must exist/
    ],
    ["another client has it", "busy.db", /busy\.db is in use by process/]
  ])("is not opened, and its error says why: %s", async (_why, name, message) => {
    const other = await Durable.open(options("busy.db"))
    const thrown = await Durable.open(options(name)).catch((error: unknown) => error)
    assert(thrown instanceof StorageFailedError)
    assert.match(thrown.message, message)
    await other.close()
    await (await Durable.open(options("busy.db"))).close()
  })

  it("releases the file of the flows if it cannot open the one of the customers' visits", async () => {
    const web = join(folder, "blocked.db.web")
    mkdirSync(web)
    const thrown = await Durable.open(options("blocked.db")).catch((error: unknown) => error)
    assert(thrown instanceof StorageFailedError)
    assert.match(thrown.message, /blocked\.db\.web/)
    rmSync(web, { recursive: true })
    await (await Durable.open(options("blocked.db"))).close()
  })
})
