/**
 * Writes the parts of Adyen's OpenAPI descriptions that the tests validate messages with: the schemas of the calls that the adapter
 * makes, and of webhooks, without their prose. Adyen publishes them at https://github.com/Adyen/adyen-openapi under the MIT license.
 *
 *   node acquirers/adyen/scripts/openapi.ts FOLDER     FOLDER: a clone of that repository
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }
type Schemas = { readonly [name: string]: Json }

const prose = new Set(["description", "title", "example", "examples", "deprecated", "discriminator"])

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Leaves out prose. The names of properties are no keywords. */
const withoutProse = (value: Json, areNames = false): Json => {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => areNames || !(prose.has(name) || name.startsWith("x-")))
      .map(([name, item]) => [name, withoutProse(item, name === "properties" && !areNames)])
  )
}

const referencesIn = (value: Json): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    name === "$ref" && typeof item === "string" ? [item.split("/").at(-1) ?? ""] : referencesIn(item)
  )
}

/** Returns the named schemas and all that they refer to, by name. */
const closure = (schemas: Schemas, roots: ReadonlyArray<string>): Schemas => {
  const kept = new Map<string, Json>()
  const waiting = [...roots]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (kept.has(name)) continue
    const schema = schemas[name] ?? null
    kept.set(name, schema)
    waiting.push(...referencesIn(schema))
  }
  return Object.fromEntries([...kept].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const cards = ["CardDetails", "StoredPaymentMethodDetails"].map((name) => ({ $ref: `#/components/schemas/${name}` }))

/** Leaves cards as the only payment methods: the adapter knows no other. */
const onlyCards = (schemas: Schemas): Schemas => {
  const { PaymentRequest: request } = schemas
  if (!isObject(request) || !isObject(request.properties)) throw new Error("PaymentRequest has no properties")
  return {
    ...schemas,
    PaymentRequest: { ...request, properties: { ...request.properties, paymentMethod: { oneOf: cards } } }
  }
}

/** The events that the adapter knows or the simulator sends. */
const events = [
  ...["AUTHORISATION", "CAPTURE", "CAPTURE_FAILED", "CANCELLATION", "CANCEL_OR_REFUND", "TECHNICAL_CANCEL", "EXPIRE"],
  ...["REFUND", "REFUND_FAILED", "REFUNDED_REVERSED", "NOTIFICATION_OF_CHARGEBACK", "CHARGEBACK"],
  ...["CHARGEBACK_REVERSED", "SECOND_CHARGEBACK", "REQUEST_FOR_INFORMATION", "NOTIFICATION_OF_FRAUD"],
  ...["INFORMATION_SUPPLIED", "DISPUTE_DEFENSE_PERIOD_ENDED", "ISSUER_RESPONSE_TIMEFRAME_EXPIRED"],
  ...["PREARBITRATION_OPEN", "PREARBITRATION_WON", "PREARBITRATION_LOST", "ISSUER_COMMENTS"]
]

const at = (value: Json, ...path: ReadonlyArray<string>): Json =>
  path.reduce((part, name) => (isObject(part) ? (part[name] ?? null) : null), value)

/** Returns the name of the schema of each event. */
const schemasOfEvents = (document: Json): Schemas =>
  Object.fromEntries(
    events.map((event) => {
      const body = at(document, "webhooks", `/${event}`, "post", "requestBody", "content", "application/json", "schema")
      return [event, referencesIn(body)[0] ?? null]
    })
  )

const read = (folder: string, file: string): Json => JSON.parse(readFileSync(join(folder, "json", file), "utf8"))

const schemasOf = (document: Json): Schemas => {
  const schemas = withoutProse(at(document, "components", "schemas"), true)
  if (!isObject(schemas)) throw new Error("the description has no schemas")
  return schemas
}

const write = (name: string, source: string, content: { readonly [name: string]: Json }) => {
  const head = {
    source: `https://github.com/Adyen/adyen-openapi/blob/main/json/${source}`,
    license: "MIT, see LICENSE"
  }
  writeFileSync(
    join(import.meta.dirname, "../test/openapi", name),
    `${JSON.stringify({ ...head, ...content }, undefined, 1)}\n`
  )
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("name the folder of a clone of Adyen/adyen-openapi")
const calls = ["Payment", "PaymentDetails", "PaymentCapture", "PaymentCancel", "PaymentRefund", "PaymentReversal"]
const messages = calls.flatMap((name) => [`${name}Request`, `${name}Response`])
const standalone = ["StandalonePaymentCancelRequest", "StandalonePaymentCancelResponse", "ServiceError"]
const checkout = onlyCards(schemasOf(read(folder, "CheckoutService-v71.json")))
write("checkout-v71.json", "CheckoutService-v71.json", {
  components: { schemas: closure(checkout, [...messages, ...standalone]) }
})
const webhooks = read(folder, "Webhooks-v1.json")
const names = schemasOfEvents(webhooks)
const roots = Object.values(names).filter((name) => typeof name === "string")
write("webhooks-v1.json", "Webhooks-v1.json", {
  events: names,
  components: { schemas: closure(schemasOf(webhooks), roots) }
})
