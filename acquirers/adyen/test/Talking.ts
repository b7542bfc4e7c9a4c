/** A simulated Adyen in a test, the calls to it, and the judges of what it says. */
import assert from "node:assert/strict"
import { createRequire } from "node:module"
import { Effect, Redacted, Schema } from "effect"
import * as Exchange from "../src/Exchange.ts"
import { paymentBody } from "../src/PaymentBody.ts"
import * as Simulator from "../src/simulator/Simulator.ts"
import * as Judge from "./Judge.ts"
import { authorization, hmacKey, settings, settingsFile } from "./Sample.ts"

const { default: HmacValidator } = createRequire(import.meta.url)("@adyen/api-library/lib/src/utils/hmacValidator.js")

/** Opens a simulator that knows the merchant of the samples. */
export const open = Simulator.open({
  apiKey: settingsFile.apiKey,
  hmacKey,
  merchantAccounts: [settingsFile.merchantAccount]
})

export interface Call {
  readonly body: object
  readonly key?: string
  readonly apiKey?: string
}

const decodeJson = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Posts to a path of the simulator. */
export const post = Effect.fnUntraced(function* (
  { url }: Simulator.Simulator,
  path: string,
  { apiKey = settingsFile.apiKey, body, key }: Call
) {
  const headers = { "content-type": "application/json", "x-api-key": apiKey }
  const answer = yield* Effect.tryPromise({
    try: (signal) =>
      Exchange.post(
        {
          url: `${url}${path}`,
          headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
          body: JSON.stringify(body)
        },
        signal
      ),
    catch: Exchange.failureOf
  })
  return { status: answer.status, header: answer.header, json: decodeJson(answer.body) }
})

/** Returns the body of a payment with changes. */
export const payment = (changes: Parameters<typeof authorization>[0] = {}) =>
  paymentBody(authorization(changes), settings, Redacted.value) ?? assert.fail("no body")

interface Item {
  readonly eventCode: string
  readonly success: string
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantReference: string
  readonly reason: string
  readonly amount: { readonly currency: string; readonly value: number }
}

/** Returns the events so far, each of which Adyen's description and library accept. */
export const eventsOf = ({ events }: Simulator.Simulator): ReadonlyArray<Item> =>
  events.bodies.map((body) => {
    const request = JSON.parse(body)
    const item = request.notificationItems[0].NotificationRequestItem
    assert.deepEqual(Judge.webhook(item.eventCode, request), [])
    assert.ok(new HmacValidator().validateHMAC(item, hmacKey))
    return item
  })

/** Whether Adyen's library accepts an event after a change. */
export const isAccepted = ({ events }: Simulator.Simulator, change: object): boolean => {
  const item = JSON.parse(events.bodies[0] ?? "").notificationItems[0].NotificationRequestItem
  return new HmacValidator().validateHMAC({ ...item, ...change }, hmacKey)
}
