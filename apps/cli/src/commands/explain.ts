/** `pay explain`: the mistake that gives exactly the signature that was received. */
import * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Explain from "@pay/signing/Explain"
import * as CallbackAddress from "../CallbackAddress.ts"
import { commands } from "../Commands.ts"
import * as Credentials from "../Credentials.ts"
import * as Endpoint from "../Endpoint.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as FieldInput from "../FieldInput.ts"
import * as Files from "../Files.ts"
import type { Given } from "../Flags.ts"
import * as OAuthReason from "../OAuthReason.ts"
import * as Output from "../Output.ts"
import * as SignedBy from "../SignedBy.ts"
import { UsageError } from "../UsageError.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const { explanation, given } = args[0] === "callback" ? await ofCallback(args.slice(1)) : await ofRequest(args)
  Output.print({ text: describe(explanation), json: { ...explanation } }, given.flags.has("json"))
  return explanation._tag === "Correct" ? codes.ok : codes.refused
}

interface Explained {
  readonly given: Given
  readonly explanation: Explain.OAuthExplanation
}

const ofRequest = async (args: ReadonlyArray<string>): Promise<Explained> => {
  const input = await FieldInput.read("explain", commands.explain, args)
  const explanation = await Scheme.match(input.operation.signing, {
    Control: (scheme) => byControl(scheme, input),
    OAuth: (scheme) => byOAuth(scheme, input)
  })
  return { given: input.given, explanation }
}

const byControl = async (scheme: Scheme.Control, input: FieldInput.FieldInput): Promise<Explain.Explanation> => {
  const { given, texts } = input
  const login = Credentials.setting(given, "login")
  const endpointId = Credentials.setting(given, "endpoint-id")
  return Explain.control({
    recipe: scheme.recipe,
    values: SignedBy.controlValues(scheme, input),
    received: FieldInput.needReceived(input),
    key: await Credentials.controlKey(given),
    fields: { login, endpointId, ...texts },
    readings: SignedBy.readings(scheme, input),
    ...(await others(given))
  })
}

const byOAuth = async (scheme: Scheme.OAuth, input: FieldInput.FieldInput): Promise<Explain.OAuthExplanation> => {
  const { given, operation, parameters } = input
  const authorization = FieldInput.needReceived(input)
  const expected = SignedBy.method(scheme, authorization)
  const controlKey = await Credentials.findControlKey(given)
  return Explain.oauth({
    request: { method: "POST", url: Endpoint.url(operation, given), authorization, parameters },
    expected,
    controlKey: expected === "HMAC-SHA1" ? await Credentials.controlKey(given) : (controlKey ?? ""),
    ...(expected === "RSA-SHA256" ? { publicKey: await Credentials.publicKey(given) } : {}),
    ...(await others(given))
  })
}

const ofCallback = async (args: ReadonlyArray<string>): Promise<Explained> => {
  const { given, parameters } = CallbackAddress.read("explain", args)
  const fields = Object.fromEntries(parameters)
  const received = fields.control
  if (received === undefined) throw new UsageError("The address has no control", "explain")
  const explanation = Explain.control({
    recipe: Control.recipes.callback,
    values: fields,
    received,
    key: await Credentials.controlKey(given),
    fields: { ...fields, login: Credentials.setting(given, "login") },
    ...(await others(given))
  })
  return { given, explanation }
}

/** What else the merchant may have signed with by accident. */
const others = async ({ flags }: Given): Promise<Pick<Explain.ControlQuestion, "otherIds" | "otherKeys">> => {
  const ids = flags.get("other-ids")?.split(",") ?? []
  const path = flags.get("other-keys-file")
  const lines = path === undefined ? [] : (await Files.read("other-keys-file", path)).split(/\r?\n/)
  const keys = lines.map((line, index) => ({
    label: `the key in line ${index + 1} of --other-keys-file`,
    key: line.trim()
  }))
  return { otherIds: ids.map((id) => id.trim()), otherKeys: keys.filter(({ key }) => key !== "") }
}

const describe = (explanation: Explain.OAuthExplanation): string => {
  switch (explanation._tag) {
    case "Correct":
      return "The signature is right: it is exactly what this request and key give."
    case "Unreadable":
      return `The request cannot be read, so there is no signature to explain: ${OAuthReason.describe(explanation.reason)}.`
    case "Unexplained":
      return `None of ${explanation.tried} variants of known mistakes gives this signature.
Compare what you sign, character by character, with: pay sign OPERATION --field value …
If the texts are the same, the key is another one; --other-keys-file and --other-ids try more.`
    case "Explained":
      return explanation.findings.map(finding).join("\n\nor\n\n")
  }
}

const finding = ({ mistakes }: Explain.Finding): string =>
  mistakes
    .map(
      ({ description, detail, id, remedy }) =>
        `${description}\n${Output.columns([
          ["mistake", id],
          ["here", detail],
          ["do", remedy]
        ])}`
    )
    .join("\n\nand\n\n")
