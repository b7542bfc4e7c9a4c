/** The callback as a webhook of OpenAPI 3.1. */
import * as Signed from "@pay/signing/Callback"
import * as CallbackFields from "../src/CallbackFields.ts"

type Node = Readonly<Record<string, unknown>>

const keyOf = (name: string): string => `callback.${name}`

const parameter = (
  [name, { about, isRequired, sample }]: readonly [string, CallbackFields.CallbackField],
  place: "query" | "header"
): readonly [key: string, parameter: Node] => [
  keyOf(name),
  { name, in: place, required: isRequired, description: about, schema: { type: "string" }, example: sample }
]

/**
 * Returns the parameters and headers of the callback as components of OpenAPI. The example of `control` is signed with the key.
 */
export const parameters = (controlKey: string): Node => {
  const { control, ...fields } = CallbackFields.fields
  const signed = { ...control, sample: Signed.sign(CallbackFields.sample, controlKey) }
  return Object.fromEntries([
    ...Object.entries({ ...fields, control: signed }).map((field) => parameter(field, "query")),
    ...Object.entries(CallbackFields.headers).map((header) => parameter(header, "header"))
  ])
}

const summary = "Tells the merchant's server that an order has reached a final status"

const responses = {
  "200": { description: "Received. The gateway does not deliver this event again." },
  "4XX": { description: "Not accepted. The gateway delivers the event again, by its plan." }
}

const reference = (name: string): Node => ({ $ref: `#/components/parameters/${keyOf(name)}` })

/** The callback as JSON. */
export const posted: Node = {
  operationId: "callbackAsJson",
  summary,
  description:
    "Sent instead of the GET if the endpoint's `callbackFormat` is `json`. Verify `webhook-signature` over the body as it was received.",
  security: [],
  parameters: Object.keys(CallbackFields.headers).map(reference),
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: Object.entries(CallbackFields.fields).flatMap(([name, { isRequired }]) =>
            isRequired ? [name] : []
          ),
          properties: Object.fromEntries(
            Object.entries(CallbackFields.fields).map(([name, { about }]) => [
              name,
              { type: "string", description: about }
            ])
          )
        }
      }
    }
  },
  responses
}

/** The callback as an operation that the merchant's server implements. */
export const callback: Node = {
  operationId: "callback",
  summary,
  description:
    "The gateway sends it to `server_callback_url` and `notify_url`. Verify `control` and `webhook-signature`, then ask the status operation. Answer 200; any other answer is a reason to deliver again.",
  security: [],
  parameters: [...Object.keys(CallbackFields.fields), ...Object.keys(CallbackFields.headers)].map(reference),
  responses
}
