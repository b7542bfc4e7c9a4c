/** Tests the client whose flows survive their process, on a file. */
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Durable from "../src/Durable.ts"
import { InvalidSettingError, RefusedError, StillUnknownError } from "../src/main.ts"
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
    await first.cardSale(payer, { timeoutMs: 1 })
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
    assert(!other.ok && other.error instanceof RefusedError)
    assert.include(other.error.message, "another payload")
    await pay.close()
  })

  it("refuses an encryption key of the wrong length", async () => {
    const encryptionKey = randomBytes(8).toString("base64")
    const thrown = await Durable.open({ ...options("three.db"), encryptionKey }).catch((error: unknown) => error)
    assert(thrown instanceof InvalidSettingError)
    assert.include(thrown.message, "encryptionKey must be 32 bytes in base64")
  })
})
