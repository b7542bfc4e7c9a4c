/**
 * The page about callbacks: parameters, signatures with a worked example, the schedule of deliveries, and programs that verify a
 * callback.
 */
import { CallbackSenderUndici } from "@pay/gateway/Gateway"
import { callbackOffsetsMs } from "@pay/gateway/Settings"
import * as Callback from "@pay/schema/Callback"
import * as CallbackFields from "@pay/schema/CallbackFields"
import * as CallbackSnippets from "../snippets/CallbackSnippets.ts"
import { defaults } from "../snippets/ExampleRequest.ts"
import { facts, languages } from "../snippets/Language.ts"
import { code, fence, page, table } from "./Markdown.ts"

const units: ReadonlyArray<readonly [name: string, ms: number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000]
]

/** Formats a duration in its largest unit: `12.25 days`. */
export const duration = (ms: number): string => {
  const [name, unit] = units.find(([, unitMs]) => ms >= unitMs) ?? ["millisecond", 1]
  const count = ms / unit
  return `${count} ${name}${count === 1 ? "" : "s"}`
}

/** The worked example of the page. Its values are fixed, so that readers can compare their own results. */
export const worked = CallbackSnippets.vector(
  Callback.parameters(CallbackFields.sample, "").filter(([name]) => name !== "control"),
  { id: "6768788-1", timestampSeconds: 1_893_456_000 }
)

const fieldTable = (fields: Readonly<Record<string, CallbackFields.CallbackField>>): string =>
  table(
    ["Field", "Present", "Meaning", "Example"],
    Object.entries(fields).map(([name, { about, isRequired, sample }]) => [
      code(name),
      isRequired ? "always" : "sometimes",
      about,
      code(sample)
    ])
  )

const plan = (): string => {
  const last = callbackOffsetsMs.at(-1) ?? 0
  return page(
    `The gateway delivers at least once. Any answer other than 200 is a failure, and so is no answer within ${duration(CallbackSenderUndici.defaults.timeoutMs)}. After a failure it delivers again, ${callbackOffsetsMs.length + 1} times in all within ${duration(last)}:`,
    table(
      ["Delivery", "Time after the event"],
      [["1", "at once"], ...callbackOffsetsMs.map((ms, index) => [String(index + 2), duration(ms)])]
    ),
    `After the last failure the gateway gives the callback up. An operator can send it again. Callbacks about one order to one address are delivered in their order: a later one waits until the earlier one is delivered or given up.`
  ).trimEnd()
}

const signatures = (): string => {
  const [first = "", second = ""] = worked.headers["webhook-signature"].split(" ")
  return page(
    "The values of this example are those of the sandbox's merchant.",
    table(
      ["Name", "Value"],
      [
        ["control key", code(defaults.controlKey)],
        ["webhook secret", code(worked.secret)],
        ...Object.entries(worked.headers).map(([name, value]) => [name, code(value)])
      ]
    ),
    "The query:",
    fence("text", worked.query),
    "### control",
    "`control` is a parameter of the query. It is SHA-1 of `status`, `orderid`, `client_orderid` and the control key, joined without separators. It proves these three values only.",
    fence("text", `SHA-1 of  ${worked.controlText}\nis        ${worked.control}`),
    "While one control key replaces another, `control` is made with the newest key.",
    "### webhook-signature",
    "The three headers follow [Standard Webhooks](https://www.standardwebhooks.com), symmetric scheme v1. They prove the whole query and the time of the delivery. The secret is HMAC-SHA256 of the text `pay/webhook/v1` under the control key. Libraries of Standard Webhooks take it as `whsec_` and Base64. The signed content is id, timestamp and query, joined by dots. The query is signed without its `?`. It includes the parameters of your own address, which the gateway sends in its canonical form.",
    "The header has two signatures, with a space between them. The first one is over the query as it is sent:",
    fence("text", `HMAC-SHA256 of  ${worked.signedContent}\nis              ${first}`),
    "The second one is over the canonical form of the query, for frameworks that decode the query and write it again: the decoded fields, sorted by their encoded names, and encoded by RFC 3986. Fields of one name keep their order. A blank is `%20`; letters, digits and `-._~` stay as they are.",
    fence("text", `HMAC-SHA256 of  ${worked.canonicalContent}\nis              ${second}`),
    "A callback is genuine if one of the signatures is right. While one control key replaces another, the header has two signatures for each key."
  ).trimEnd()
}

export const write = (): string =>
  page(
    "# The format of callbacks",
    "When a request reaches a final status, the gateway calls your server: a `GET` of the request's `server_callback_url`, or of the order's if the request has none, and of the order's `notify_url`. The parameters are in the query. An endpoint can have [JSON instead](#callbacks-as-json).",
    "A callback is a hint. Verify it, answer 200 at once, then ask [status](operations.md#status): its answer is the outcome. The same callback can come twice. `webhook-id` is equal in all deliveries of one event.",
    "The browser's return to `redirect_url` has `control` and the fields of the outcome in a posted form. It has no `webhook-` headers.",
    "## Parameters",
    fieldTable(CallbackFields.fields),
    "## Headers",
    fieldTable(CallbackFields.headers),
    "## Delivery plan",
    plan(),
    "## Signatures",
    signatures(),
    "## Callbacks as JSON",
    "An endpoint with the setting `callbackFormat: json` ([configuration](../operators/configuration.md)) sends its callbacks as a `POST` of JSON: an object of the parameters above, all as text. The rules of deliveries are the same. `webhook-signature` covers the body, so a receiver needs the body as it was received, not a parsed one. Libraries of Standard Webhooks such as `standardwebhooks` and `svix` verify it with the webhook secret. `pay sign webhook-secret` prints this secret from your control key.",
    fence(
      "js",
      `import { Webhook } from "standardwebhooks"

// The text that pay sign webhook-secret prints: whsec_…
const webhook = new Webhook(webhookSecret)
const callback = webhook.verify(body, headers)`
    ),
    "A new order takes the setting of its endpoint and keeps it. While you change it, your server receives both forms.",
    "## Verify a callback",
    "Each program takes the query and the three headers as arguments. It ends with 0 and prints your order name only if the callback is genuine.",
    ...languages.flatMap((language) => [
      `### ${language}`,
      fence(facts[language].fence, CallbackSnippets.snippets[language])
    ])
  )
