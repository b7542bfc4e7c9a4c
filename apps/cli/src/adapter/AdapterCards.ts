/** The test cards and recipients with which `pay adapter check` calls a bank: a file, flags, or both. */
import { Terminal } from "@pay/gateway/Acquirer"
import { Destination } from "@pay/gateway/PayoutRail"
import * as PayApi from "@pay/schema/PayApi"
import { Redacted, Result, Schema, SchemaIssue } from "effect"
import type * as Flags from "../command/Flags.ts"
import * as Files from "../terminal/Files.ts"
import { UsageError } from "../terminal/UsageError.ts"
import type * as AdapterCheck from "./AdapterCheck.ts"

const topic = "adapter"
const { PAYOUT } = PayApi.operations

const Digits = Schema.String.check(Schema.isPattern(/^\d{12,19}$/, { message: "Expected 12 to 19 digits" }))
const Expiry = Schema.String.check(Schema.isPattern(/^(0[1-9]|1[0-2])\/20\d\d$/, { message: "Expected MM/YYYY" }))

const Card = Schema.Struct({
  number: Digits,
  expiry: Schema.optionalKey(Expiry),
  cvv: Schema.optionalKey(Schema.String),
  cardholder: Schema.optionalKey(Schema.String)
})

const fieldOf = (kind: Destination.Kind) => PAYOUT.infos.get(Destination.fieldOf[kind])

const Recipient = Schema.Struct({
  kind: Schema.Literals(Destination.kinds),
  number: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}).check(
  Schema.makeFilter(({ kind, number }) => {
    const says = fieldOf(kind)?.flaw(number)?.says
    return says === undefined ? undefined : { path: ["number"], issue: `The ${kind} ${says}` }
  })
)

const Content = Schema.Struct({
  approved: Schema.optionalKey(Card),
  declined: Schema.optionalKey(Card),
  recipient: Schema.optionalKey(Digits),
  threeDS: Schema.optionalKey(
    Schema.Struct({
      notEnrolled: Digits,
      authenticated: Digits,
      refused: Digits,
      challenged: Digits,
      version1: Schema.optionalKey(Digits)
    })
  ),
  payouts: Schema.optionalKey(Schema.Struct({ paid: Schema.Array(Recipient), refused: Recipient })),
  terminal: Schema.optionalKey(Terminal),
  clockSkewSeconds: Schema.optionalKey(Schema.Int)
})
export type Content = typeof Content.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Content), { errors: "all" })
const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads the file. No message repeats a value, because it is a card number. */
const contentOf = async (given: Flags.Given): Promise<Content> => {
  const path = given.flags.get("file")
  if (path === undefined) return {}
  const content = decode(await Files.read("file", path))
  if (Result.isSuccess(content)) return content.success
  const problems = formatter(content.failure.issue).issues.map(
    ({ message, path = [] }) => `${path.map(String).join(".") || "the file"}: ${message}`
  )
  throw new UsageError(`--file is not what the check needs:\n  ${problems.join("\n  ")}`, topic)
}

const ofFlags = (given: Flags.Given, number: string, cvv: string): typeof Card.Type | undefined => {
  const digits = given.flags.get(number)?.replaceAll(" ", "")
  if (digits === undefined) return undefined
  const expiry = given.flags.get("expiry")
  const code = given.flags.get(cvv) ?? given.flags.get("cvv")
  const cardholder = given.flags.get("cardholder")
  const card = Schema.decodeUnknownResult(Card)({
    number: digits,
    ...(expiry !== undefined && { expiry }),
    ...(code !== undefined && { cvv: code }),
    ...(cardholder !== undefined && { cardholder })
  })
  if (Result.isSuccess(card)) return card.success
  throw new UsageError(`--${number} is 12 to 19 digits, and --expiry is MM/YYYY`, topic)
}

const bankCard = (
  { cardholder = "TEST CARD", cvv, expiry, number }: typeof Card.Type,
  nowMs: number
): AdapterCheck.Options["cards"]["approved"] => ({
  pan: Redacted.make(number, { label: "card" }),
  cvv: cvv === undefined ? undefined : Redacted.make(cvv, { label: "cvv" }),
  expireMonth: expiry === undefined ? 12 : Number(expiry.slice(0, 2)),
  expireYear: expiry === undefined ? new Date(nowMs).getUTCFullYear() + 2 : Number(expiry.slice(3)),
  cardholder
})

const destination = ({ details = {}, kind, number }: typeof Recipient.Type): Destination.Destination => ({
  kind,
  number: Redacted.make(fieldOf(kind)?.normal?.(number) ?? number, { label: "recipient" }),
  details: Redacted.make(details, { label: "recipient" })
})

/** Returns the cards and recipients of the command line. */
export const read = async (
  given: Flags.Given,
  nowMs: number
): Promise<
  Pick<AdapterCheck.Options, "cards" | "recipients" | "skewMs" | "threeDSCards"> & {
    readonly terminal: Terminal | undefined
  }
> => {
  const content = await contentOf(given)
  const approved = ofFlags(given, "card-number", "cvv") ?? content.approved
  const declined = ofFlags(given, "declined-card-number", "declined-cvv") ?? content.declined
  const recipient = ofFlags(given, "recipient-card-number", "cvv")?.number ?? content.recipient
  if (approved === undefined || declined === undefined)
    throw new UsageError(
      `Give a test card that the bank ${approved === undefined ? "approves (--card-number)" : "declines (--declined-card-number)"}, or --file FILE: pay adapter check --example prints one`,
      topic
    )
  return {
    cards: {
      approved: bankCard(approved, nowMs),
      declined: bankCard(declined, nowMs),
      recipient: recipient === undefined ? undefined : Redacted.make(recipient, { label: "card" })
    },
    terminal: content.terminal,
    skewMs: 1000 * (content.clockSkewSeconds ?? 60),
    threeDSCards: content.threeDS,
    recipients: content.payouts && {
      paid: content.payouts.paid.map(destination),
      refused: destination(content.payouts.refused)
    }
  }
}
