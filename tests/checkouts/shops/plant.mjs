/**
 * Plants a fault into the example on `@pay/client`: replaces a part of its source while it is loaded, with
 * `node --import plant.mjs shop.mjs` and the fault's name in PLANTED_FAULT.
 */
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

const shop = fileURLToPath(new URL("../../../examples/crashtest/express/shop.mjs", import.meta.url))

const faults = {
  /** Each attempt to subscribe is another order. */
  subscribesUnderNewNames: [
    "pay.subscribe({ ...order,",
    "pay.subscribe({ ...order, clientOrderId: order.clientOrderId + process.hrtime.bigint(),"
  ],
  /** A payout counts as paid out whatever the answer is. */
  believesEveryPayout: [
    "accountNumber: account }, shortly)",
    "accountNumber: account }, shortly).then(() => ({ ok: true, order: { orderId: null } }))"
  ]
}
const [sound, planted] = faults[process.env.PLANTED_FAULT]

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!url.startsWith("file:") || fileURLToPath(url) !== shop) return loaded
    const source = String(loaded.source)
    if (!source.includes(sound)) throw new Error(`the shop has no "${sound}"`)
    return { ...loaded, source: source.replace(sound, planted) }
  }
})
