/** `pay explain`: finds the mistake that gives exactly the received signature, and the position where the texts differ. */
import { createPublicKey } from "node:crypto"
import * as Blanks from "@pay/schema/Blanks"
import * as Canonical from "@pay/schema/Canonical"
import * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Explain from "@pay/signing/Explain"
import * as PercentEncoding from "@pay/signing/PercentEncoding"
import { commands } from "../Commands.ts"
import { all } from "../command/Contract.ts"
import type { Given } from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Endpoint from "../request/Endpoint.ts"
import * as FieldInput from "../request/FieldInput.ts"
import * as JudgedAt from "../request/JudgedAt.ts"
import * as Mask from "../request/Mask.ts"
import * as SignedBy from "../request/SignedBy.ts"
import * as Color from "../terminal/Color.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Files from "../terminal/Files.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Alignment from "./Alignment.ts"
import * as CallbackAddress from "./CallbackAddress.ts"
import * as OAuthReason from "./OAuthReason.ts"
import * as PastedInput from "./PastedInput.ts"
import * as RequestMistakes from "./RequestMistakes.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const [first, ...rest] = args
  const explained = first === undefined || first.startsWith("-") ? await ofPasted(args) : await of(first, rest)
  const { conceal, explanation, given, note } = explained
  const isNoted = explanation._tag === "Correct" && note !== undefined
  const report = {
    text: `${describe(explanation, conceal)}${isNoted ? `\n${note}` : ""}`,
    json: concealed(explanation, conceal)
  }
  Output.print(report, given.flags.has("json"), colors)
  return explanation._tag === "Correct" ? codes.ok : codes.refused
}

interface Explained {
  readonly given: Given
  readonly explanation: Explain.OAuthExplanation
  /** Masks card and recipient numbers and security codes in a signed text. */
  readonly conceal: (text: string) => string
  readonly note?: string | undefined
}

const of = (first: string, rest: ReadonlyArray<string>): Promise<Explained> =>
  first === "callback"
    ? ofCallback(rest)
    : FieldInput.read("explain", commands.explain, [first, ...rest]).then((input) => ofRequest(input))

/** Explains a pasted request. Flags override what it says. */
const ofPasted = async (args: ReadonlyArray<string>): Promise<Explained> => {
  const read = await PastedInput.read(args)
  switch (read._tag) {
    case "NotPasted":
      return FieldInput.read("explain", commands.explain, args).then((input) => ofRequest(input))
    case "Callback":
      return ofCallback(read.args)
    case "Mistaken":
      return {
        given: read.given,
        explanation: { _tag: "Explained", findings: [{ mistakes: read.mistakes }] },
        conceal: (text) => text
      }
    case "Readable":
      return ofRequest(read.input, read.pasted)
  }
}

const ofRequest = async (input: FieldInput.FieldInput, pasted?: PastedInput.Pasted): Promise<Explained> => {
  const explanation = await Scheme.match(input.operation.signing, {
    Control: (scheme) => byControl(scheme, input, pasted),
    OAuth: (scheme) => byOAuth(scheme, input, pasted)
  })
  const encoded = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, PercentEncoding.encode(text)]))
  const once = encoded(input.texts)
  const conceals = [encoded(once), once, input.texts].map((texts) => Mask.conceal(input.operation, texts))
  const conceal = (text: string) => conceals.reduce((rest, take) => take(rest), text)
  const notes = [input.operation.signing._tag === "OAuth" ? pasted?.note : undefined, pasted?.acceptNote]
  const note = notes.filter((text) => text !== undefined).join("\n")
  return {
    given: input.given,
    explanation,
    ...(note !== "" && { note }),
    conceal: (text) => conceal(text).replaceAll(securityCode, "$1***")
  }
}

const byControl = async (
  scheme: Scheme.Control,
  input: FieldInput.FieldInput,
  pasted?: PastedInput.Pasted
): Promise<Explain.Explanation> => {
  const { given, operation, parameters, texts } = input
  const login = Credentials.setting(given, "login")
  const endpointId = Credentials.setting(given, "endpoint-id")
  const explanation = Explain.control({
    recipe: scheme.recipe,
    values: SignedBy.controlValues(scheme, input),
    accepted: SignedBy.controlValues(scheme, { ...input, texts: Canonical.asSent(operation, parameters, texts) }),
    received: Blanks.trim(FieldInput.needReceived(input)),
    key: await Credentials.controlKey(given),
    fields: { login, endpointId, ...Object.fromEntries(parameters), ...texts },
    ...(pasted !== undefined && { body: pasted.body.replace(/(^|&)control=[^&]*/, "") }),
    readings: SignedBy.readings(scheme, input),
    keyMask: SignedBy.keyMask,
    ...(await others(given, pasted))
  })
  const isOther = pasted?.login !== undefined && texts.login !== undefined && pasted.login !== texts.login
  return explanation._tag === "Correct" && isOther
    ? { _tag: "Explained", findings: [{ mistakes: [RequestMistakes.loginOther] }] }
    : explanation
}

/** Returns how much an explanation assumes: the number of mistakes, most for none that is known. */
const assumes = (explanation: Explain.OAuthExplanation): number => {
  if (explanation._tag === "Correct") return 0
  if (explanation._tag === "Unexplained") return Number.POSITIVE_INFINITY
  return Math.min(...explanation.findings.map(({ mistakes }) => mistakes.length))
}

const byOAuth = async (
  scheme: Scheme.OAuth,
  input: FieldInput.FieldInput,
  pasted?: PastedInput.Pasted
): Promise<Explain.OAuthExplanation> => {
  const { given, operation, repeated } = input
  const parameters = pasted === undefined ? input.parameters : input.parameters.filter(isSent(pasted))
  const authorization = FieldInput.needReceived(input)
  const expected = SignedBy.method(scheme, authorization)
  const controlKey = await Credentials.findControlKey(given)
  const login = Credentials.setting(given, "login")
  const question = {
    expected,
    controlKey: expected === "HMAC-SHA1" ? await Credentials.controlKey(given) : (controlKey ?? ""),
    withTexts: true,
    ...(await publicKeys(expected, given)),
    keyFiles: await keyFiles(expected, given),
    ...(login !== undefined && { login }),
    nowSeconds: JudgedAt.seconds(given),
    toleranceSeconds: JudgedAt.TOLERANCE_SECONDS,
    paths: all.map(({ path }) => path),
    otherBases: pasted?.otherBases ?? PastedInput.otherBases(given),
    ...(await others(given, pasted))
  }
  const request = { method: "POST", authorization, parameters: [...parameters, ...repeated] }
  const [first, ...alternatives] = (pasted?.urls ?? [Endpoint.url(operation, given)]).map((url) =>
    Explain.oauth({ ...question, request: { ...request, url } })
  )
  if (first === undefined) throw new Error("a request has an address")
  return alternatives.reduce((best, other) => (assumes(other) < assumes(best) ? other : best), first)
}

/** Returns whether a parameter is one of the request. A login of the settings, which the request lacks, is not signed. */
const isSent =
  ({ body }: PastedInput.Pasted) =>
  ([name]: readonly [string, string]): boolean =>
    name !== "login" || new URLSearchParams(body).has("login")

const ownPublicKey = async (given: Given) => createPublicKey(await Credentials.privateKey(given))

/** Returns the public key that verifies RSA signatures. For an operation with HMAC it only tells of RSA used by mistake. */
const publicKeys = async (expected: Scheme.Method, given: Given) => {
  const isSet = ["public-key-file", "private-key-file"].some((flag) => Credentials.setting(given, flag) !== undefined)
  if (expected !== "RSA-SHA256" && !isSet) return {}
  const publicKey = await Credentials.publicKey(given)
  const own = Credentials.setting(given, "private-key-file") === undefined ? publicKey : await ownPublicKey(given)
  const label = "the private key of the settings (--private-key-file), which is not that of --public-key-file"
  return { publicKey, otherPublicKeys: own.equals(publicKey) ? [] : [{ label, publicKey: own }] }
}

/** Reads the files of the RSA keys as texts, which may have been the key of an HMAC by mistake. */
const keyFiles = async (expected: Scheme.Method, given: Given): Promise<ReadonlyArray<Explain.OtherKey>> => {
  const paths = (["public-key-file", "private-key-file"] as const).flatMap((flag) => {
    const path = Credentials.setting(given, flag)
    return expected !== "RSA-SHA256" || path === undefined || path === "-" ? [] : [{ flag, path }]
  })
  const texts = paths.map(async ({ flag, path }) => ({
    label: `the text of --${flag}`,
    key: await Files.read(flag, path)
  }))
  const publicKey = expected === "RSA-SHA256" ? await Credentials.publicKey(given) : undefined
  const own = (["spki", "pkcs1"] as const).flatMap((type) => {
    const key = publicKey?.export({ type, format: "pem" })
    return typeof key === "string" ? [{ label: "the text of the public key", key }] : []
  })
  return [...(await Promise.all(texts)), ...own]
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
    keyMask: SignedBy.keyMask,
    ...(await others(given))
  })
  return { given, explanation, conceal: (text) => text }
}

/** Matches a security code in a base string, where it is encoded once or twice. */
const securityCode = /(cvv2?(?:=|%3D|%253D))\d{3,4}/gi

const concealed = (
  explanation: Explain.OAuthExplanation,
  conceal: (text: string) => string
): Readonly<Record<string, unknown>> => ({
  ...explanation,
  ...("expected" in explanation && explanation.expected !== undefined && { expected: conceal(explanation.expected) }),
  ...(explanation._tag === "Explained" && {
    findings: explanation.findings.map(({ signed, ...finding }) => ({
      ...finding,
      ...(signed !== undefined && { signed: conceal(signed) })
    }))
  })
})

/** Reads other ids and keys with which the merchant may have signed by accident. */
const others = async (
  { flags }: Given,
  pasted?: PastedInput.Pasted
): Promise<Pick<Explain.ControlQuestion, "otherIds" | "otherKeys">> => {
  const ids = [...(flags.get("other-ids")?.split(",") ?? []), ...(pasted?.otherIds ?? [])]
  const path = flags.get("other-keys-file")
  const lines = path === undefined ? [] : (await Files.read("other-keys-file", path)).split(/\r?\n/)
  const keys = lines.map((line, index) => ({
    label: `the key in line ${index + 1} of --other-keys-file`,
    key: line.trim()
  }))
  return { otherIds: ids.map((id) => id.trim()), otherKeys: keys.filter(({ key }) => key !== "") }
}

const colors = Color.matching(
  [/^ {2}(?:mistake|here|do) /gm, "bold"],
  [/^The signature is right/, "green"],
  [/\^ character \d+$/gm, "red"]
)

const describe = (explanation: Explain.OAuthExplanation, conceal: (text: string) => string): string => {
  switch (explanation._tag) {
    case "Correct":
      return "The signature is right: it is exactly what this request and key give."
    case "Unreadable":
      return `The request cannot be read, so there is no signature to explain: ${OAuthReason.describe(explanation.reason)}.\n\n${explanation.findings.map(finding).join("\n\nor\n\n")}`
    case "Unexplained":
      return `None of ${explanation.tried} variants of known mistakes gives this signature.
${explanation.facts.map((fact) => `${fact}\n`).join("")}This is the text to sign:
  ${conceal(explanation.expected ?? "")}
Compare what you sign, character by character, with: pay sign OPERATION --field value …
If the texts are equal, the key is a different one. --other-keys-file, --other-ids and --other-urls try further keys, ids and addresses.`
    case "Explained":
      return explanation.findings
        .map(({ signed, ...rest }) =>
          signed === undefined || explanation.expected === undefined
            ? finding(rest)
            : `${finding(rest)}\n\n${Alignment.aligned(conceal(explanation.expected), conceal(signed))}`
        )
        .join("\n\nor\n\n")
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
