/**
 * The shop's callback address on Express, with `@pay/signing` alone. It verifies the sender before it reads the callback. A
 * callback only says that the order has changed. Request `status` for the outcome.
 */
import * as Callback from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import express from "express"

/** One key, or two while a new key replaces the old one. */
const controlKeys = [process.env.PAY_CONTROL_KEY ?? "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"]
const secrets = controlKeys.map(StandardWebhooks.secret)
const nowSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Returns the values of a callback; undefined if it is forged, or a copy of an old one. A provider may send only `control`, so the
 * `webhook-*` headers are checked if one is present. Without them nothing shows that a callback is a copy of an old one, and only
 * `status`, `orderid` and `client_orderid` are signed. If your provider always sends the headers, refuse a callback without them.
 */
const verified = (url, headers) => {
  const content = url.slice(url.indexOf("?") + 1)
  const form = Form.parse(content)
  const signed = Callback.verify(form.ok ? form.parameters : [], controlKeys)
  if (!signed.ok) return undefined
  if (!Object.keys(headers).some((name) => name.startsWith("webhook-"))) return signed.values
  const sent = StandardWebhooks.verify({
    headers,
    content: Callback.signedForms(content),
    secrets,
    nowSeconds: nowSeconds(),
    toleranceSeconds: 300
  })
  return sent.ok ? { ...signed.values, webhookId: sent.id } : undefined
}

const app = express()

app.get("/pay/callback", (request, response) => {
  const callback = verified(request.originalUrl, request.headers)
  if (callback === undefined) return response.status(403).send("not from the gateway")
  // Record here, once for each `webhookId` if there is one, that the order has changed. After
  // another status than 200, the gateway repeats the call.
  console.log(`request the status of order ${callback.orderid}`)
  response.send("OK")
})

// The program calls itself: as a gateway does with and without the headers, and as a sender without the key.
const server = app.listen(0, "127.0.0.1", async () => {
  const values = { status: "approved", orderid: "6768788", client_orderid: "902B4FF5" }
  const query = Form.write(Object.entries({ ...values, control: Callback.sign(values, controlKeys[0]) }))
  const message = { id: "6768788-1", timestampSeconds: nowSeconds(), content: Callback.signedForms(query) }
  const headers = StandardWebhooks.sign(message, secrets)
  const call = async (content, headers) =>
    (await fetch(`http://127.0.0.1:${server.address().port}/pay/callback?${content}`, { headers })).status
  const both = async (content) => `${await call(content, headers)} and ${await call(content, {})}`
  const result = `genuine ${await both(query)}, forged ${await both(query.replace("902B4FF5", "902B4FF6"))}`
  console.log(result)
  server.close()
  if (result !== "genuine 200 and 200, forged 403 and 403") process.exitCode = 1
})
