/** Vectors of callbacks: genuine ones, and ones that a receiver refuses. */
import * as Callback from "@pay/schema/Callback"
import * as CallbackFields from "@pay/schema/CallbackFields"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as Keys from "./Keys.ts"

const timestampSeconds = 1_893_456_000
const id = "6768788-1"

const signed = (callback: Callback.Callback, prefix = ""): string => {
  const control = CallbackSignature.sign(callback, Keys.controlKey)
  return `${prefix}${Form.write(Callback.parameters(callback, control))}`
}

const headersOf = (query: string, atSeconds = timestampSeconds) =>
  StandardWebhooks.sign({ id, timestampSeconds: atSeconds, content: CallbackSignature.signedForms(query) }, [
    StandardWebhooks.secret(Keys.controlKey)
  ])

interface Case {
  readonly about: string
  readonly valid: boolean
  readonly query: string
  readonly headers: StandardWebhooks.Headers
}

const { sample } = CallbackFields
const query = signed(sample)
const genuine = (about: string, text: string): Case => ({ about, valid: true, query: text, headers: headersOf(text) })
const wrong = (about: string, text: string, headers = headersOf(query)): Case => ({
  about,
  valid: false,
  query: text,
  headers
})

const other = signed({ ...sample, status: "declined" }).replace("status=declined", "status=approved")

const cases: ReadonlyArray<Case> = [
  genuine("a callback", query),
  genuine("the merchant's own query is kept in front", signed(sample, "shop=7&")),
  genuine(
    "letters outside ASCII, and marks that are encoded",
    signed({ ...sample, client_orderid: "Größe 1+1 & 100%" })
  ),
  genuine(
    "a decline",
    signed({ ...sample, status: "declined", error_code: "116", error_message: "Not sufficient funds" })
  ),
  wrong("another status: control is wrong", other, headersOf(other)),
  wrong("another amount: webhook-signature is wrong", query.replace("amount=10.42", "amount=99.42")),
  wrong("another webhook-id", query, { ...headersOf(query), "webhook-id": "6768788-2" }),
  wrong("a copy of an hour ago", query, headersOf(query, timestampSeconds - 3600)),
  wrong("no control", query.replace(/&control=[0-9a-f]{40}/, ""), headersOf(query.replace(/&control=[0-9a-f]{40}/, "")))
]

/** All vectors, each with the canonical form of its query, and with the time and the tolerance of its verification, in seconds. */
export const vectors = cases.map((each) => ({
  ...each,
  canonical: Form.canonical(each.query) ?? "",
  nowSeconds: timestampSeconds + 10,
  toleranceSeconds: 300
}))
