/** What the suite reads about a gateway from a JSON file: one merchant's keys, endpoints and test cards. */
import * as Dialect from "@pay/schema/Dialect"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import { Result, Schema, SchemaIssue } from "effect"

const text = (description: string) => Schema.NonEmptyString.annotate({ description })
const secret = (description: string, label: string) =>
  Schema.RedactedFromValue(Schema.NonEmptyString.annotate({ description }), { label })

const endpointId = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^[1-9]\d{0,18}$/, { message: "must be the number of an endpoint, as text" })
  ).annotate({ description })

const cardThat = (what: string) =>
  Schema.Struct({
    number: secret(`The number of a test card. ${what}`, "pan"),
    cvv: Schema.optionalKey(secret("Its security code. Default: the one of `approved`.", "cvv")),
    expireMonth: Schema.optionalKey(text("Its month of expiry. Default: 12.")),
    expireYear: Schema.optionalKey(text("Its year of expiry. Default: 2035.")),
    holder: Schema.optionalKey(text("The name on it. Default: JOHN SMITH."))
  })

const approved = cardThat("Every request is approved at once.")
/** A test card of the gateway. */
export type Card = typeof approved.Type

const card = (what: string) => Schema.optionalKey(cardThat(what))
const recipient = (description: string) => Schema.optionalKey(secret(description, "recipient"))

const cards = Schema.Struct({
  approved,
  declined: card("A payment is declined."),
  unknown: card("The bank never reports the outcome: the status stays `unknown`."),
  answerLost: card("The bank approves, and its answer is lost."),
  undecided: card("The bank approves, and cannot report it for a minute."),
  neverArrives: card("No request reaches the bank."),
  captureDeclined: card("A payment is approved, and its captures are declined."),
  captureUndecided: card("A capture succeeds, and the bank cannot report it for a minute."),
  refundDeclined: card("Refunds are declined."),
  refundUndecided: card("A refund succeeds, and the bank cannot report it for a minute."),
  voidUndecided: card("A hold is released, and the bank cannot report it for a minute.")
})

const threedsCards = Schema.Struct({
  frictionless: card("Authenticated without a challenge."),
  challenge: card("A challenge at once; its page asks for `password`."),
  method: card("A page of the 3-D Secure method, then authenticated without a challenge."),
  methodChallenge: card("A page of the 3-D Secure method, then a challenge."),
  refused: card("The issuer refuses to authenticate."),
  unavailable: card("The issuer's authentication is unavailable."),
  forged: card("The challenge fails, and the browser delivers a forged success."),
  version1: card("The password page of 3-D Secure 1.0.2."),
  version1Forged: card("The password page fails, and the browser delivers a changed PaRes.")
})

const recipients = Schema.Struct({
  paid: recipient("A bank account that is paid at once."),
  paidCard: recipient("The number of a card that is paid at once."),
  refused: recipient("The check succeeds, and the payment is refused."),
  checkRefused: recipient("The check is refused."),
  undecided: recipient("The payment is made, and the rail cannot report it for a minute."),
  neverArrives: recipient("No payment reaches the rail."),
  refusedLater: recipient("The payment is confirmed, and refused an hour later.")
})

/** Words for what a gateway does beyond the specification, besides those that the gateway can announce. */
export const words = {
  assumptions: "The gateway follows docs/assumptions.md in what the specification leaves open.",
  "error-codes": "The gateway's refusals have the codes of docs/merchants/error-codes.md.",
  amounts: "`status` has the authorized, captured, returned and remaining amount.",
  webhooks: "Callbacks have the headers of Standard Webhooks."
} as const

export type Word = keyof typeof words

export const isWord = (text: string): text is Word => Object.hasOwn(words, text)

const listen = Schema.Struct({
  host: text("The address at which the listener receives callbacks. Default: 127.0.0.1."),
  port: Schema.Int.annotate({ description: "Its port. 0: any free port." }),
  url: Schema.optionalKey(
    text("The address by which the gateway reaches the listener, if it differs from `host` and `port`.")
  )
})

/** The content of the file. */
export const Settings = Schema.Struct({
  login: text("The merchant's login."),
  controlKey: secret("The merchant's control key.", "control key"),
  privateKey: Schema.optionalKey(secret("The merchant's private RSA key, as the text of its PEM file.", "private key")),
  privateKeyFile: Schema.optionalKey(text("The PEM file with the private key, relative to the folder of this file.")),
  controlAmount: Schema.optionalKey(
    Schema.Literals(["minor", "x100"]).annotate({
      description:
        "The amount in `control`: `minor` units, or the amount times 100 in every currency (`x100`). Default: minor."
    })
  ),
  dialect: Schema.optionalKey(
    Schema.Literals(Dialect.all).annotate({
      description:
        "The dialect of the suite's requests: `pairs` for a gateway that knows only the older one, docs/merchants/older-dialect.md. Default: json."
    })
  ),
  endpoint: endpointId("The endpoint of most requests. 3-D Secure is off there, and no limit is below 10.42."),
  currency: text("A currency of this endpoint that has two decimals."),
  threedsGateway: Schema.optionalKey(endpointId("An endpoint at which the gateway runs 3-D Secure on its own pages.")),
  threedsMerchant: Schema.optionalKey(endpointId("An endpoint at which the merchant runs 3-D Secure by uploads.")),
  limited: Schema.optionalKey(
    Schema.Struct({
      endpoint: endpointId("An endpoint that limits the amount of a payment."),
      above: text("An amount above this limit.")
    })
  ),
  group: Schema.optionalKey(endpointId("An endpoint group that contains `endpoint`.")),
  other: Schema.optionalKey(
    Schema.Struct({
      login: text("The login of a second merchant, who must not see orders of the first one."),
      controlKey: secret("The control key of the second merchant.", "control key"),
      endpoint: endpointId("An endpoint of the second merchant, with the same currency.")
    })
  ),
  cards,
  threedsCards: Schema.optionalKey(threedsCards),
  password: Schema.optionalKey(text("The password that the test issuer's challenge page accepts.")),
  recipients: Schema.optionalKey(recipients),
  clock: Schema.optionalKey(
    text("The path below the base address that advances the business time of a sandbox: a POST with `?by=45d`.")
  ),
  listen: Schema.optionalKey(listen),
  without: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "Operations that the gateway does not offer, by their commands."
    })
  ),
  capabilities: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description:
        "What the gateway does beyond the specification: words of the header pay-gateway-profile, if the gateway does not send it, and the words below."
    })
  )
}).annotate({ identifier: "ConformanceFile", description: "A gateway as the conformance suite sees it." })
export type Settings = typeof Settings.Type

export type CardRole = keyof Settings["cards"]
export type ThreeDSRole = keyof NonNullable<Settings["threedsCards"]>
export type RecipientRole = keyof NonNullable<Settings["recipients"]>

const decode = Schema.decodeUnknownResult(Settings, { errors: "all", onExcessProperty: "error" })
const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

const object = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const commands: ReadonlySet<string> = new Set(PayApi.all.map(({ command }) => command))

/** Returns the unknown words of the file. They are refused, because they would have no effect. */
const unknownWords = ({ capabilities = [], without = [] }: Settings): ReadonlyArray<string> => [
  ...without.filter((word) => !commands.has(word)).map((word) => `without: ${word} is not a command of an operation`),
  ...GatewayProfile.parse(capabilities.filter((word) => !isWord(word)).join(", ")).unknown.map(
    (word) => `capabilities: ${word} is not a known word`
  )
]

/** Reads the text of a file. Fails with everything that is wrong, without repeating a value that could be a key. */
export const parse = (text: string): Result.Result<Settings, ReadonlyArray<string>> => {
  const value = object(text)
  if (value === undefined) return Result.fail(["it is not JSON"])
  const decoded = Result.mapError(decode(value), ({ issue }) =>
    formatted(issue).issues.map(({ message, path = [] }) => `${path.map(String).join(".")}: ${message}`)
  )
  const unknown = Result.isSuccess(decoded) ? unknownWords(decoded.success) : []
  return unknown.length > 0 ? Result.fail(unknown) : decoded
}

/** Returns the JSON Schema of the file, for editors. */
export const jsonSchema = () => Schema.toJsonSchemaDocument(Settings)
