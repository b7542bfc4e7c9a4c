/** `pay verify`: verifies that a received control, `Authorization` header or callback was made with the merchant's key. */
import * as Scheme from "@pay/schema/Scheme"
import * as Callback from "@pay/signing/Callback"
import * as Control from "@pay/signing/Control"
import * as OAuth from "@pay/signing/OAuth"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { commands } from "../Commands.ts"
import type { Given } from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Endpoint from "../request/Endpoint.ts"
import * as FieldInput from "../request/FieldInput.ts"
import * as JudgedAt from "../request/JudgedAt.ts"
import * as SignedBy from "../request/SignedBy.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as CallbackAddress from "./CallbackAddress.ts"
import * as OAuthReason from "./OAuthReason.ts"

interface Verdict {
  readonly isRight: boolean
  readonly what: string
  /** The reason for which the signature is wrong, or the fact that it proves. */
  readonly says: string
  readonly proves?: Readonly<Record<string, string>>
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const isCallback = args[0] === "callback"
  const { given, verdict } = isCallback ? await ofCallback(args.slice(1)) : await ofRequest(args)
  const { isRight, proves = {}, says, what } = verdict
  const next = isRight ? "" : `\n\npay explain with the same arguments names the mistake, if it is a known one.`
  const proved = Object.keys(proves).length === 0 ? "" : `\n\n${Output.columns(Object.entries(proves))}`
  const text = `${what} is ${isRight ? "right" : "wrong"}: ${says}.${proved}${next}`
  Output.print({ text, json: { right: isRight, says, ...proves } }, given.flags.has("json"))
  return isRight ? codes.ok : codes.refused
}

interface Judged {
  readonly given: Given
  readonly verdict: Verdict
}

const ofRequest = async (args: ReadonlyArray<string>): Promise<Judged> => {
  const input = await FieldInput.read("verify", commands.verify, args)
  const verdict = await Scheme.match(input.operation.signing, {
    Control: (scheme) => byControl(scheme, input),
    OAuth: (scheme) => byOAuth(scheme, input)
  })
  return { given: input.given, verdict }
}

const byControl = async (scheme: Scheme.Control, input: FieldInput.FieldInput): Promise<Verdict> => {
  const received = FieldInput.needReceived(input)
  const values = SignedBy.controlValues(scheme, input)
  SignedBy.needCurrency(scheme, input)
  const isRight = Control.matches(
    received,
    Control.sign(scheme.recipe, values, await Credentials.controlKey(input.given))
  )
  const says = isRight
    ? `it is the SHA-1 over ${scheme.recipe.join(", ")} and the control key`
    : `it is not the SHA-1 over ${scheme.recipe.join(", ")} and this control key`
  return { isRight, what: "The control", says }
}

const byOAuth = async (scheme: Scheme.OAuth, input: FieldInput.FieldInput): Promise<Verdict> => {
  const { given, operation, parameters } = input
  const what = "The Authorization header"
  const authorization = FieldInput.needReceived(input)
  const parsed = OAuth.parse({ method: "POST", url: Endpoint.url(operation, given), authorization, parameters })
  if (!parsed.ok) return { isRight: false, what, says: OAuthReason.describe(parsed.reason) }
  const method = SignedBy.method(scheme, authorization)
  const key =
    method === "HMAC-SHA1"
      ? OAuth.hmac(await Credentials.controlKey(given))
      : OAuth.rsaPublic(await Credentials.publicKey(given))
  const verified = OAuth.verify(parsed.claim, key, {
    nowSeconds: JudgedAt.seconds(given),
    toleranceSeconds: JudgedAt.TOLERANCE_SECONDS
  })
  return verified.ok
    ? { isRight: true, what, says: `${parsed.claim.consumerKey} signed this request with ${method}` }
    : { isRight: false, what, says: OAuthReason.describe(verified.reason) }
}

const ofCallback = async (args: ReadonlyArray<string>): Promise<Judged> => {
  const { given, parameters, query } = CallbackAddress.read("verify", args)
  const key = await Credentials.controlKey(given)
  const verified = Callback.verify(parameters, [key])
  const what = "The callback"
  if (!verified.ok)
    return { given, verdict: { isRight: false, what, says: refusals[verified.reason._tag](verified.reason) } }
  const proves = { ...verified.values }
  const headers = {
    "webhook-id": given.flags.get("webhook-id"),
    "webhook-timestamp": given.flags.get("webhook-timestamp"),
    "webhook-signature": given.flags.get("webhook-signature")
  }
  if (Object.values(headers).every((header) => header === undefined)) {
    const says = "its control proves what stands below; everything else is a hint, and pay status tells the outcome"
    return { given, verdict: { isRight: true, what, says, proves } }
  }
  const webhook = StandardWebhooks.verify({
    headers,
    content: Callback.signedForms(query),
    secrets: [StandardWebhooks.secret(key)],
    nowSeconds: JudgedAt.seconds(given),
    toleranceSeconds: JudgedAt.TOLERANCE_SECONDS
  })
  const verdict: Verdict = webhook.ok
    ? { isRight: true, what, says: "its control and its webhook-signature prove the whole address", proves }
    : { isRight: false, what, says: `its control is right, but ${webhookRefusal(webhook.reason)}` }
  return { given, verdict }
}

const refusals: {
  readonly [Tag in Callback.Reason["_tag"]]: (reason: Callback.Reason) => string
} = {
  Missing: (reason) => `it has no ${"name" in reason ? reason.name : "control"}`,
  Duplicate: (reason) => `it has two ${"name" in reason ? reason.name : "control"}`,
  Mismatch: () => "its control is not the SHA-1 over status, orderid, client_orderid and this control key"
}

const webhookRefusal = (reason: StandardWebhooks.Reason): string => {
  if (reason._tag === "Mismatch") return "webhook-signature does not belong to this address, id and timestamp"
  if (reason._tag === "OutsideTolerance") {
    return `webhook-timestamp is ${Math.abs(reason.ageSeconds)} s away from now: it may be a replay`
  }
  return `${reason.name} is ${reason._tag === "Missing" ? "missing" : "malformed"}`
}
