/** Mistakes with single parameters of a base string: other values than those that are sent, and parameters that are not sent. */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import type { Parameter } from "../Form.ts"
import { formsOf } from "./AmountForms.ts"
import { ALONE, LAST, type Mistake, RARE, type Variant } from "./Mistake.ts"
import { withoutZeros } from "./NumberForms.ts"
import { headerValue, type OAuthDraft, type Sent, sentOf } from "./OAuthDraft.ts"
import * as OtherValues from "./OtherValues.ts"
import { valueMistakes } from "./Values.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** Signs another value of a parameter that is sent. */
const withValue = ({ name, step }: Sent, value: string): Partial<OAuthDraft> => ({ values: { [step]: [name, value] } })

/** Signs other values of one parameter of the header. */
const headerValues = (draft: OAuthDraft, name: string, values: ReadonlyArray<string>, weight?: number): Variants =>
  sentOf(draft)
    .filter((sent) => sent.place === "header" && sent.name === name)
    .flatMap((sent) =>
      values
        .filter((value) => value !== sent.value)
        .map((value): Variant<OAuthDraft> => {
          const detail = `${name} signed as ${value}`
          return weight === undefined ? [detail, withValue(sent, value)] : [detail, withValue(sent, value), weight]
        })
    )

const isAmount = ({ name, place, value }: Sent): boolean =>
  place === "body" && name === "amount" && /^\d{1,15}(\.\d{1,4})?$/.test(value)

/** Signs other forms of the amount. */
const amounts = (
  draft: OAuthDraft,
  forms: (amount: string) => ReadonlyArray<readonly [detail: string, text: string]>
): Variants =>
  sentOf(draft)
    .filter(isAmount)
    .flatMap((sent) =>
      forms(sent.value)
        .filter(([, text]) => text !== sent.value)
        .map(([detail, text]) => [detail, withValue(sent, text)])
    )

const inMinor = (amount: string, digits: number): string => {
  const [whole = "", fraction = ""] = amount.split(".")
  return `${whole}${fraction.padEnd(digits, "0").slice(0, digits)}`.replace(/^0+(?=\d)/, "")
}

/** Extra parameters that libraries for OAuth with tokens sign. */
const extraOf = (draft: OAuthDraft): ReadonlyArray<Parameter> => {
  const fields = sentOf(draft).filter(({ place }) => place === "body")
  const form = new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString()
  return [
    ["oauth_token", ""],
    ["oauth_callback", "oob"],
    ["oauth_callback", ""],
    ["oauth_verifier", ""],
    ["oauth_token_secret", ""],
    ["oauth_version", "1.0"],
    ["oauth_consumer_secret", ""],
    ["oauth_body_hash", ""],
    ...["", form, form.replaceAll("+", "%20").replaceAll("*", "%2A").replaceAll("%7E", "~")].flatMap((body) =>
      ["sha1", "sha256"].map((name): Parameter => ["oauth_body_hash", crypto.hash(name, body, "base64")])
    )
  ]
}

const isConsumer = ({ name }: Sent): boolean => name === "oauth_consumer_key"

/** Returns a name in other spellings: with underscores, hyphens, capitals. */
const spellings = (name: string): ReadonlyArray<string> => {
  const words = name.split(/[-_]/)
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
  const [first = "", ...rest] = words
  return [
    ...["_", "-", "", ".", " "].map((separator) => words.join(separator)),
    first + rest.map(capital).join(""),
    words.map(capital).join(""),
    name.toLowerCase(),
    name.toUpperCase(),
    ...["order", "client", "oauth"].flatMap((prefix) =>
      words.length > 1 && words[0] === prefix ? [words.slice(1).join("_"), words.slice(1).join("-")] : []
    ),
    ...["data", "params", "form"].map((list) => `${list}[${name}]`),
    name.replace("orderid", "order-id"),
    name.replace("orderid", "order_id"),
    name.replace("order-id", "orderid").replaceAll("-", "_"),
    `${name}[]`,
    `${name}[0]`
  ].filter((other) => other !== "" && other !== name)
}

/** Largest amount of another request that is tried, in hundredths. */
const MAX_OTHER_AMOUNT = 12_000

/** Largest difference of two timestamps that is tried, in seconds: an hour and some. */
const MAX_SECONDS = 4_000

function* otherValues(draft: OAuthDraft): Generator<Variant<OAuthDraft>> {
  for (const sent of sentOf(draft).filter(({ name, place }) => place !== "header" && /order|ref|id\b|no\b/.test(name)))
    for (const [detail, text] of OtherValues.near(sent.value)) yield [`${sent.name} ${detail}`, withValue(sent, text)]
  const amount = sentOf(draft).find(isAmount)
  if (amount === undefined) return
  for (let minor = 0; minor <= MAX_OTHER_AMOUNT; minor += 1)
    yield ["another amount", withValue(amount, (minor / 100).toFixed(2))]
}

function* otherSeconds(draft: OAuthDraft): Generator<Variant<OAuthDraft>> {
  const seconds = Number(headerValue(draft, "oauth_timestamp"))
  for (let step = 1; step <= MAX_SECONDS; step += 1)
    yield* headerValues(draft, "oauth_timestamp", [String(seconds - step), String(seconds + step)], LAST)
  for (let hours = 1; hours <= 24; hours += 1)
    yield* headerValues(
      draft,
      "oauth_timestamp",
      [String(seconds - hours * 3600), String(seconds + hours * 3600)],
      LAST
    )
}

const timestamp = {
  id: "timestamp-differs",
  description:
    "Another oauth_timestamp was signed than the one that is sent: the time was read twice, or in two units.",
  remedy: "Read the time once, and use this value in the base string and in the header."
}

export const parameterMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "token-included",
    description: "A parameter of OAuth with tokens was signed that is not sent.",
    remedy: "Sign only the oauth_ parameters that are in the header: there is no token here.",
    variants: (draft) =>
      extraOf(draft).map(([name, value]) => [
        `${name}${value === "" ? ", empty" : `=${value}`}`,
        { added: [[name, value]] }
      ])
  },
  {
    id: "parameter-extra",
    description: "A field was signed that is not sent.",
    remedy: "Sign exactly the fields that are sent.",
    weight: RARE,
    variants: (draft) => {
      const id = draft.path.slice(draft.path.lastIndexOf("/") + 1)
      const login = headerValue(draft, "oauth_consumer_key")
      const fields: ReadonlyArray<Parameter> = [
        ["login", login],
        ...["endpointId", "endpoint_id", "endpointid", "endpoint", "endpoint-id", "groupId"].map(
          (name): Parameter => [name, id]
        ),
        ["control", ""],
        ["submit", ""],
        ["", ""]
      ]
      return fields.map(([name, value]) => [name, { added: [[name, value]] }])
    }
  },
  {
    id: "parameter-renamed",
    description: "A parameter was signed under another name than the one under which it is sent.",
    remedy: "Sign exactly the names that are sent: client-order-id and client_orderid are two texts.",
    variants: (draft) => {
      const sent = sentOf(draft)
      const renamed = (all: ReadonlyArray<Sent>, place: number): Partial<OAuthDraft> => ({
        values: Object.fromEntries(
          all.map(({ name, step, value }) => [step, [spellings(name)[place] ?? name, value] as const])
        )
      })
      return [
        ...sent.flatMap(({ name, step, value }) =>
          spellings(name).map(
            (other): Variant<OAuthDraft> => [`${name} as ${other}`, { values: { [step]: [other, value] } }, RARE]
          )
        ),
        ...Array.from(
          { length: 10 },
          (_, place): Variant<OAuthDraft> => [
            "all names in another spelling",
            renamed(
              sent.filter((each) => each.place === "body"),
              place
            )
          ]
        )
      ]
    }
  },
  {
    ...timestamp,
    variants: (draft) => {
      const seconds = Number(headerValue(draft, "oauth_timestamp"))
      return headerValues(draft, "oauth_timestamp", [
        ...[1, -1, 2, -2, 3, -3].map((step) => String(seconds + step)),
        `${seconds}000`,
        `${seconds}.0`,
        `${seconds}000000`,
        "",
        String(Math.floor(seconds / 1000))
      ])
    }
  },
  {
    id: "method-name-differs",
    description: "Another oauth_signature_method was signed than the one that is sent.",
    remedy: "Sign the oauth_signature_method of the header.",
    weight: RARE,
    variants: (draft) =>
      headerValues(draft, "oauth_signature_method", [
        "HMAC-SHA1",
        "RSA-SHA256",
        "HMAC-SHA256",
        "RSA-SHA1",
        "HMAC-SHA512",
        "RSA-SHA512",
        "PLAINTEXT",
        "HMAC_SHA1",
        "RSA_SHA256",
        "SHA1",
        "SHA256withRSA",
        headerValue(draft, "oauth_signature_method").toLowerCase()
      ])
  },
  {
    id: "version-differs",
    description: "Another oauth_version was signed than the one that is sent.",
    remedy: "Sign the oauth_version of the header.",
    weight: RARE,
    variants: (draft) => headerValues(draft, "oauth_version", ["1.0a", "1", "1.0.0", "2.0", "1.00", "1,0", ""])
  },
  {
    id: "amount-minor",
    description: "The amount was signed in minor units, as a control covers it.",
    remedy: "Sign every field as it is sent: 10.42 stays 10.42.",
    variants: (draft) =>
      amounts(draft, (amount) => [2, 3].map((digits) => [`with ${digits} decimals`, inMinor(amount, digits)]))
  },
  {
    id: "amount-differs",
    description: "The amount was signed in another form than the one that is sent.",
    remedy: "Format the amount once, and sign the text that you send.",
    variants: (draft) => {
      const currency = sentOf(draft).find(({ name }) => name === "currency")?.value ?? ""
      return [
        ...amounts(draft, (amount) => [
          ["without its zeros", withoutZeros(amount)],
          ["as a number", String(Number(amount))],
          ["with one decimal", Number(amount).toFixed(1)],
          ["with two decimals", Number(amount).toFixed(2)],
          ["with three decimals", Number(amount).toFixed(3)],
          ["with four decimals", Number(amount).toFixed(4)],
          ["with a decimal comma", amount.replace(".", ",")],
          ["without its decimals", amount.replace(/\..*/, "")]
        ]),
        ...amounts(draft, (amount) =>
          formsOf(inMinor(amount, 2), amount, currency).map(({ detail, text }) => [detail, text])
        ).map(([detail, steps]): Variant<OAuthDraft> => [detail, steps, ALONE])
      ]
    }
  },
  ...valueMistakes<OAuthDraft>({
    of: (draft) =>
      sentOf(draft)
        .filter((sent) => sent.place !== "header" || isConsumer(sent) || sent.name === "oauth_nonce")
        .map(({ name, step, value }) => ({ step, name, text: value })),
    weightOfOne: RARE,
    replace: (_, texts) => ({
      values: Object.fromEntries(texts.map(([{ name, step }, text]) => [step, [name, text] as const]))
    })
  }),
  { ...timestamp, weight: LAST, variants: otherSeconds },
  {
    id: "request-other",
    description:
      "The signature covers another value than the one that is sent: that of another request, or an older one.",
    remedy: "Sign the values of this very request, after their last change.",
    weight: LAST,
    variants: otherValues
  }
]
