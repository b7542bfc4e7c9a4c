/** `pay explain`: finds the mistake that gives exactly the received signature, and the position where the texts differ. */
import * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Explain from "@pay/signing/Explain"
import * as PercentEncoding from "@pay/signing/PercentEncoding"
import * as Alignment from "../Alignment.ts"
import * as CallbackAddress from "../CallbackAddress.ts"
import { commands } from "../Commands.ts"
import { all } from "../Contract.ts"
import * as Credentials from "../Credentials.ts"
import * as Endpoint from "../Endpoint.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as FieldInput from "../FieldInput.ts"
import * as Files from "../Files.ts"
import type { Given } from "../Flags.ts"
import * as Flags from "../Flags.ts"
import * as Mask from "../Mask.ts"
import * as OAuthReason from "../OAuthReason.ts"
import * as Output from "../Output.ts"
import * as RequestText from "../RequestText.ts"
import * as SignedBy from "../SignedBy.ts"
import { UsageError } from "../UsageError.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const [first, ...rest] = args
  const explained = first === undefined || first.startsWith("-") ? await ofPasted(args) : await of(first, rest)
  const { conceal, explanation, given } = explained
  Output.print({ text: describe(explanation, conceal), json: concealed(explanation, conceal) }, given.flags.has("json"))
  return explanation._tag === "Correct" ? codes.ok : codes.refused
}

interface Explained {
  readonly given: Given
  readonly explanation: Explain.OAuthExplanation
  /** Masks card and recipient numbers and security codes in a signed text. */
  readonly conceal: (text: string) => string
}

const of = (first: string, rest: ReadonlyArray<string>): Promise<Explained> =>
  first === "callback"
    ? ofCallback(rest)
    : FieldInput.read("explain", commands.explain, [first, ...rest]).then(ofRequest)

/** Reads the operation, endpoint, address, signature and fields of a pasted request. Flags override them. */
const ofPasted = async (args: ReadonlyArray<string>): Promise<Explained> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.explain.flags)) }, "explain")
  const path = given.flags.get("request")
  if (path === undefined) return FieldInput.read("explain", commands.explain, args).then(ofRequest)
  const pasted = RequestText.parse(await Files.read("request", path))
  const flags = [...given.flags].filter(([name]) => name !== "request")
  const written = (all: ReadonlyArray<readonly [string, string]>) =>
    all.map(([name, text]) => (name === "json" ? "--json" : `--${name}=${text}`))
  const { pathname } = new URL(pasted.url, "https://host.invalid")
  const begin = Math.max(0, pathname.indexOf("/api/"))
  const end = pathname.lastIndexOf("/")
  const prefix = pathname.slice(0, begin)
  const operationPath = pathname.slice(begin, end).replace(/\/group$/, "")
  const endpointId = pathname.slice(end + 1)
  const operation = all.find((each) => each.path === operationPath)
  if (operation === undefined) {
    if (/[?&]control=/.test(pasted.url)) return ofCallback([pasted.url, ...written(flags)])
    throw new UsageError(
      "The address of --request is none of an operation: …/api/v2/sale/ENDPOINT, or of a callback",
      "explain"
    )
  }
  if (pasted.method !== "POST") throw new UsageError(`--request is a ${pasted.method}: operations take POST`, "explain")
  const base = URL.parse(pasted.url)
  const authorization = pasted.headers.get("authorization")
  const settings = new Map([
    ["endpoint-id", endpointId],
    ...(base === null ? [] : [["base-url", `${base.origin}${prefix}`] as const]),
    ...(authorization === undefined ? [] : [["received", authorization] as const]),
    ...flags
  ])
  const page = `explain ${operation.command}`
  return ofRequest(await FieldInput.of(operation, page, commands.explain, written([...settings]), pasted.body))
}

const ofRequest = async (input: FieldInput.FieldInput): Promise<Explained> => {
  const explanation = await Scheme.match(input.operation.signing, {
    Control: (scheme) => byControl(scheme, input),
    OAuth: (scheme) => byOAuth(scheme, input)
  })
  const encoded = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, PercentEncoding.encode(text)]))
  const once = encoded(input.texts)
  const conceals = [encoded(once), once, input.texts].map((texts) => Mask.conceal(input.operation, texts))
  const conceal = (text: string) => conceals.reduce((rest, take) => take(rest), text)
  return { given: input.given, explanation, conceal: (text) => conceal(text).replaceAll(securityCode, "$1***") }
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
    keyMask: SignedBy.keyMask,
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
    withTexts: true,
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

const describe = (explanation: Explain.OAuthExplanation, conceal: (text: string) => string): string => {
  switch (explanation._tag) {
    case "Correct":
      return "The signature is right: it is exactly what this request and key give."
    case "Unreadable":
      return `The request cannot be read, so there is no signature to explain: ${OAuthReason.describe(explanation.reason)}.`
    case "Unexplained":
      return `None of ${explanation.tried} variants of known mistakes gives this signature.
This is the text to sign:
  ${conceal(explanation.expected ?? "")}
Compare what you sign, character by character, with: pay sign OPERATION --field value …
If the texts are equal, the key is a different one. --other-keys-file and --other-ids try further keys and ids.`
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
