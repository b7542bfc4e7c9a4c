/** Mistakes with single parameters of a base string: other values than those that are sent, and parameters that are not sent. */
import type { Parameter } from "../Form.ts"
import { withoutZeros } from "./AmountForms.ts"
import type { Mistake, Variant } from "./Mistake.ts"
import type { OAuthDraft } from "./OAuthDraft.ts"
import { valueMistakes } from "./Values.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

const sentValue = ({ protocol }: OAuthDraft, name: string): string =>
  protocol.find(([other]) => other === name)?.[1] ?? ""

/** Signs other values of one parameter of the header. */
const protocolValues = (draft: OAuthDraft, name: string, values: ReadonlyArray<string>): Variants =>
  values
    .filter((value) => value !== sentValue(draft, name))
    .map((value) => [
      `${name} signed as ${value}`,
      { ...draft, protocol: draft.protocol.map((pair): Parameter => (pair[0] === name ? [name, value] : pair)) }
    ])

const isAmount = ([name, value]: Parameter): boolean => name === "amount" && /^\d{1,15}(\.\d{1,4})?$/.test(value)

/** Signs other forms of the amount. */
const amounts = (
  draft: OAuthDraft,
  forms: (amount: string) => ReadonlyArray<readonly [detail: string, text: string]>
): Variants => {
  const index = draft.body.findIndex(isAmount)
  const amount = draft.body[index]?.[1]
  if (amount === undefined) return []
  return forms(amount)
    .filter(([, text]) => text !== amount)
    .map(([detail, text]) => [detail, { ...draft, body: draft.body.with(index, ["amount", text]) }])
}

const inMinor = (amount: string, digits: number): string => {
  const [whole = "", fraction = ""] = amount.split(".")
  return `${whole}${fraction.padEnd(digits, "0").slice(0, digits)}`.replace(/^0+(?=\d)/, "")
}

/** Names of the extra parameters that libraries for OAuth with tokens sign. */
const extra: ReadonlyArray<Parameter> = [
  ["oauth_token", ""],
  ["oauth_callback", "oob"],
  ["oauth_callback", ""],
  ["oauth_verifier", ""],
  ["oauth_token_secret", ""]
]

const isConsumer = ([name]: Parameter): boolean => name === "oauth_consumer_key"

export const parameterMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "token-included",
    description: "A parameter of OAuth with tokens was signed that is not sent.",
    remedy: "Sign only the oauth_ parameters that are in the header: there is no token here.",
    aspect: "parameters",
    variants: (draft) =>
      extra.map(([name, value]) => [
        `${name}${value === "" ? ", empty" : `=${value}`}`,
        { ...draft, protocol: [...draft.protocol, [name, value]] }
      ])
  },
  {
    id: "parameter-extra",
    description: "A field was signed that is not sent.",
    remedy: "Sign exactly the fields that are sent.",
    aspect: "parameters",
    isRare: true,
    variants: (draft) => {
      const id = draft.address.slice(draft.address.lastIndexOf("/") + 1)
      const login = sentValue(draft, "oauth_consumer_key")
      const fields: ReadonlyArray<Parameter> = [
        ["login", login],
        ["endpointId", id],
        ["endpoint_id", id],
        ["endpointid", id],
        ["control", ""]
      ]
      return fields.map(([name, value]) => [name, { ...draft, body: [...draft.body, [name, value]] }])
    }
  },
  {
    id: "timestamp-differs",
    description:
      "Another oauth_timestamp was signed than the one that is sent: the time was read twice, or in two units.",
    remedy: "Read the time once, and use this value in the base string and in the header.",
    aspect: "timestamp",
    variants: (draft) => {
      const seconds = Number(sentValue(draft, "oauth_timestamp"))
      return protocolValues(draft, "oauth_timestamp", [
        ...[1, -1, 2, -2, 3, -3].map((step) => String(seconds + step)),
        `${seconds}000`,
        String(Math.floor(seconds / 1000))
      ])
    }
  },
  {
    id: "method-name-differs",
    description: "Another oauth_signature_method was signed than the one that is sent.",
    remedy: "Sign the oauth_signature_method of the header.",
    aspect: "method name",
    isRare: true,
    variants: (draft) =>
      protocolValues(draft, "oauth_signature_method", [
        "HMAC-SHA1",
        "RSA-SHA256",
        "HMAC-SHA256",
        "RSA-SHA1",
        "HMAC-SHA512",
        "PLAINTEXT",
        sentValue(draft, "oauth_signature_method").toLowerCase()
      ])
  },
  {
    id: "version-differs",
    description: "Another oauth_version was signed than the one that is sent.",
    remedy: "Sign the oauth_version of the header.",
    aspect: "version",
    isRare: true,
    variants: (draft) => protocolValues(draft, "oauth_version", ["1.0a", "1", "1.0.0", "2.0"])
  },
  {
    id: "amount-minor",
    description: "The amount was signed in minor units, as a control covers it.",
    remedy: "Sign every field as it is sent: 10.42 stays 10.42.",
    aspect: "amount",
    variants: (draft) =>
      amounts(draft, (amount) => [2, 3].map((digits) => [`with ${digits} decimals`, inMinor(amount, digits)]))
  },
  {
    id: "amount-differs",
    description: "The amount was signed in another form than the one that is sent.",
    remedy: "Format the amount once, and sign the text that you send.",
    aspect: "amount",
    variants: (draft) =>
      amounts(draft, (amount) => [
        ["without its zeros", withoutZeros(amount)],
        ["as a number", String(Number(amount))],
        ["with one decimal", Number(amount).toFixed(1)],
        ["with two decimals", Number(amount).toFixed(2)],
        ["with three decimals", Number(amount).toFixed(3)],
        ["with a decimal comma", amount.replace(".", ",")],
        ["without its decimals", amount.replace(/\..*/, "")]
      ])
  },
  ...valueMistakes<OAuthDraft>({
    of: (draft) => [...draft.query, ...draft.body, ...draft.protocol.filter(isConsumer)],
    replace: (draft, values) => {
      const put = (pairs: ReadonlyArray<Parameter>, from: number) =>
        pairs.map(([name], index): Parameter => [name, values[from + index] ?? ""])
      const fields = draft.query.length + draft.body.length
      return {
        ...draft,
        query: put(draft.query, 0),
        body: put(draft.body, draft.query.length),
        protocol: draft.protocol.map(
          (pair): Parameter => (isConsumer(pair) ? [pair[0], values[fields] ?? pair[1]] : pair)
        )
      }
    }
  })
]
