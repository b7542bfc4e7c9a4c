/** `pay sign`: prints the signed text of a request, and the signature. */
import { randomUUID } from "node:crypto"
import * as Scheme from "@pay/schema/Scheme"
import * as BaseString from "@pay/signing/BaseString"
import * as Control from "@pay/signing/Control"
import type { Parameter } from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { nowSeconds } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Credentials from "./Credentials.ts"
import * as Endpoint from "./Endpoint.ts"
import * as FieldInput from "./FieldInput.ts"
import * as Mask from "./Mask.ts"
import * as SignedBy from "./SignedBy.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  if (args[0] === "webhook-secret") return webhookSecret(args.slice(1))
  const input = await FieldInput.read("sign", commands.sign, args)
  const report = await Scheme.match(input.operation.signing, {
    Control: (scheme) => byControl(scheme, input),
    OAuth: (scheme) => byOAuth(scheme, input)
  })
  Output.print(report, input.given.flags.has("json"))
  return codes.ok
}

/** Prints the secret with which libraries of Standard Webhooks verify callbacks. */
const webhookSecret = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.sign, "sign")
  if (given.operands.length > 0) throw new UsageError("pay sign webhook-secret takes flags only", "sign")
  const secret = StandardWebhooks.secretText(await Credentials.controlKey(given))
  Output.print({ text: secret, json: { secret } }, given.flags.has("json"))
  return codes.ok
}

const byControl = async (scheme: Scheme.Control, input: FieldInput.FieldInput): Promise<Output.Report> => {
  const { given, operation, texts } = input
  const missing = scheme.recipe.find((slot) => texts[slot] === undefined && operation.fields.get(slot)?.required)
  if (missing !== undefined) throw new UsageError(`--${missing} is signed: give it`, `sign ${operation.command}`)
  const values = SignedBy.controlValues(scheme, input)
  SignedBy.needCurrency(scheme, input)
  const preimage = Control.preimage(scheme.recipe, values, SignedBy.keyMask)
  const control = Control.sign(scheme.recipe, values, await Credentials.controlKey(given))
  const { amount, currency = "" } = texts
  const rows = scheme.recipe.map((slot): readonly [string, string] => {
    const value = values[slot]
    if (value === undefined) return [slot, "(absent: an empty string)"]
    return [slot, slot === "amount" && value !== amount ? `${value}  (${amount} ${currency})` : value]
  })
  const text = `${operation.name} is signed by control: the SHA-1 of these values and the key, nothing between them.

${Output.columns([...rows, ["control key", SignedBy.keyMask]])}

${Output.columns([
  ["preimage", preimage],
  ["control", control]
])}`
  return { text, json: { operation: operation.name, scheme: "control", values, preimage, control } }
}

const byOAuth = async (scheme: Scheme.OAuth, input: FieldInput.FieldInput): Promise<Output.Report> => {
  const { given, operation } = input
  const method = SignedBy.method(scheme)
  const url = Endpoint.url(operation, given)
  const consumerKey = Credentials.need(given, "login")
  const timestampSeconds = seconds(given.flags.get("timestamp"))
  const nonce = given.flags.get("nonce") ?? randomUUID()
  const key =
    method === "HMAC-SHA1"
      ? OAuth.hmac(await Credentials.controlKey(given))
      : OAuth.rsaPrivate(await Credentials.privateKey(given))
  const { parameters } = input
  const signed = OAuth.sign({ method: "POST", url, consumerKey, parameters, timestampSeconds, nonce }, key)
  if (!signed.ok) throw new UsageError("--base-url is not an address that can be signed")

  const { isMasked, lines } = Mask.parameters(operation, parameters)
  const protocol: ReadonlyArray<Parameter> = [
    ["oauth_consumer_key", consumerKey],
    ["oauth_nonce", nonce],
    ["oauth_signature_method", method],
    ["oauth_timestamp", String(timestampSeconds)],
    ["oauth_version", "1.0"]
  ]
  const baseString = BaseString.make({ method: "POST", url, parameters: [...lines, ...protocol] }) ?? ""
  const { authorization } = signed
  const signedWith =
    method === "HMAC-SHA1" ? `HMAC-SHA1 under ${SignedBy.keyMask}& (no token secret)` : "RSA-SHA256 by the private key"
  const text = `${operation.name} is signed by OAuth 1.0a: ${signedWith} over the base string.

${Output.columns([
  ["url", url],
  ["base string", baseString],
  ["Authorization", authorization]
])}${isMasked ? "\n\nNumbers in the base string are masked here; the signature covers them in full." : ""}`
  const json = { operation: operation.name, scheme: "oauth", method, url, baseString, isMasked, authorization }
  return { text, json }
}

const seconds = (text: string | undefined): number => {
  if (text === undefined) return nowSeconds()
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError("--timestamp is a Unix time in whole seconds")
}
