/** Adyen's published OpenAPI descriptions as the judge of messages. */
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"

const read = (name: string) => JSON.parse(readFileSync(new URL(`openapi/${name}.json`, import.meta.url), "utf8"))

const webhooks: { readonly events: Readonly<Record<string, string>> } = read("webhooks-v1")
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true, "date-time": true } })
ajv.addSchema({ $id: "checkout-v71", ...read("checkout-v71") })
ajv.addSchema({ $id: "webhooks-v1", ...webhooks })

/** Returns what is wrong with a message, as text of the judge. */
const problems = (schema: string, value: unknown): ReadonlyArray<string> => {
  const validate = ajv.getSchema(schema)
  if (validate === undefined) throw new Error(`${schema} is not described`)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`
  )
}

/** Returns what is wrong with a message of the Checkout API. */
export const checkout = (schema: string, message: unknown) =>
  problems(`checkout-v71#/components/schemas/${schema}`, message)

/** Returns what is wrong with a webhook that has events of one kind. */
export const webhook = (eventCode: string, message: unknown) =>
  problems(`webhooks-v1#/components/schemas/${webhooks.events[eventCode]}`, message)
