/** The callback as a webhook of OpenAPI 3.1. */
import * as Signed from "@pay/signing/Callback"
import type { CallbackField } from "./CallbackFields.ts"
import * as CallbackFields from "./CallbackFields.ts"

const parameter =
  (place: "query" | "header", examples: Readonly<Record<string, string>> = {}) =>
  ([name, { about, isRequired, sample }]: readonly [string, CallbackField]): Readonly<Record<string, unknown>> => ({
    name,
    in: place,
    required: isRequired,
    description: about,
    schema: { type: "string" },
    example: examples[name] ?? sample
  })

/** The operation that the merchant's server implements. Its example is signed with the key. */
export const callback = (controlKey: string): Readonly<Record<string, unknown>> => ({
  operationId: "callback",
  summary: "Tells the merchant's server that an order has reached a final status",
  description:
    "The gateway sends it to `server_callback_url` and `notify_url`. Verify `control` and `webhook-signature`, then ask the status operation. Answer 200; any other answer is a reason to deliver again.",
  security: [],
  parameters: [
    ...Object.entries(CallbackFields.fields).map(
      parameter("query", { control: Signed.sign(CallbackFields.sample, controlKey) })
    ),
    ...Object.entries(CallbackFields.headers).map(parameter("header"))
  ],
  responses: {
    "200": { description: "Received. The gateway does not deliver this event again." },
    "4XX": { description: "Not accepted. The gateway delivers the event again, by its plan." }
  }
})
