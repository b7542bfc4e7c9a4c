/** Mistakes with the base string of OAuth: the choice of its parameters, and their order. */

import { encodingMistakes } from "./EncodingMistakes.ts"
import { ALONE, type Mistake, RARE, type Variant } from "./Mistake.ts"
import { correct, type OAuthDraft, type Pair, type Place, type Sent, sentOf } from "./OAuthDraft.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

const asWritten = (query: string): ReadonlyArray<Pair> =>
  query.split("&").map((piece) => {
    const equals = piece.indexOf("=")
    return equals === -1 ? [piece, ""] : [piece.slice(0, equals), piece.slice(equals + 1)]
  })

/** Leaves out parameters. */
const leaving = (sent: ReadonlyArray<Sent>): Partial<OAuthDraft> => ({
  values: Object.fromEntries(sent.map(({ step }) => [step, null]))
})

const at = (draft: OAuthDraft, ...places: ReadonlyArray<Place>) =>
  sentOf(draft).filter(({ place }) => places.includes(place))

const whole = (draft: OAuthDraft, place: Place, detail: string): Variants => {
  const sent = at(draft, place)
  return sent.length === 0 ? [] : [[detail, leaving(sent)]]
}

/** Largest number of fields whose selections are all tried. */
const MAX_SELECTED = 11

/** Leaves out several fields of the body in every way. */
const severalMissing = (draft: OAuthDraft): Variants => {
  const sent = at(draft, "body").slice(0, MAX_SELECTED)
  return Array.from({ length: 2 ** sent.length - 1 }, (_, bits) =>
    sent.filter((_, index) => ((bits >> index) & 1) === 1)
  )
    .filter((missing) => missing.length > 1)
    .map((missing) => [`${missing.map(({ name }) => name).join(", ")} are missing`, leaving(missing), ALONE])
}

const isFrom =
  (place: Place) =>
  (pair: Pair): boolean =>
    pair[2] === place

/** Puts the parameters of the address and the body before those of the header, or behind them. */
const grouped =
  (order: (fields: ReadonlyArray<Pair>, header: ReadonlyArray<Pair>) => ReadonlyArray<Pair>): OAuthDraft["arrange"] =>
  (pairs) =>
    order(
      pairs.filter((pair) => !isFrom("header")(pair)),
      pairs.filter(isFrom("header"))
    )

const sorted = correct.arrange

/** Sorts by a text of each parameter. */
const by =
  (textOf: (pair: Pair) => string | number): OAuthDraft["arrange"] =>
  (pairs) =>
    pairs.toSorted((left, right) => {
      const [one, other] = [textOf(left), textOf(right)]
      return one < other ? -1 : one > other ? 1 : 0
    })

const orders: ReadonlyArray<readonly [detail: string, arrange: OAuthDraft["arrange"]]> = [
  ["the body, then the header", grouped((fields, header) => [...fields, ...header])],
  ["the header, then the body", grouped((fields, header) => [...header, ...fields])],
  ["the body, then the header sorted", grouped((fields, header) => [...fields, ...sorted(header)])],
  ["the header sorted, then the body", grouped((fields, header) => [...sorted(header), ...fields])],
  ["the body sorted, then the header", grouped((fields, header) => [...sorted(fields), ...header])],
  ["the header, then the body sorted", grouped((fields, header) => [...header, ...sorted(fields)])],
  ["backwards", (pairs) => sorted(pairs).toReversed()],
  ["as they are sent, backwards", (pairs) => pairs.toReversed()],
  ["body and header sorted each by itself", grouped((fields, header) => [...sorted(fields), ...sorted(header)])],
  ["header and body sorted each by itself", grouped((fields, header) => [...sorted(header), ...sorted(fields)])],
  ["as the text name=value", by((pair) => pair.slice(0, 2).join("="))],
  ["by value", by(([, value]) => value)],
  ["by length of the name", by(([name]) => name.length)],
  ["by length of the name, sorted before", (pairs) => by(([name]) => name.length)(sorted(pairs))],
  [
    "the body, then the address, then the header",
    (pairs) => [...pairs.filter(isFrom("body")), ...pairs.filter(isFrom("query")), ...pairs.filter(isFrom("header"))]
  ]
]

const collator = new Intl.Collator("en")
const numeric = new Intl.Collator("en", { numeric: true })
const base = new Intl.Collator("en", { sensitivity: "base" })
const punctuation = new Intl.Collator("en", { ignorePunctuation: true })

const languageOrders: ReadonlyArray<readonly [detail: string, arrange: OAuthDraft["arrange"]]> = [
  ...[collator, numeric, base, punctuation].map(
    ({ compare }) =>
      [
        "by a collation",
        (pairs: ReadonlyArray<Pair>) => pairs.toSorted((left, right) => compare(left[0], right[0]))
      ] as const
  ),
  ["without regard to case", by(([name]) => name.toLowerCase())],
  ["without regard to case, in capitals", by(([name]) => name.toUpperCase())],
  ["sorted before it was encoded, hyphens and underscores alike", by(([name]) => name.replaceAll(/[-_]/g, ""))]
]

export const baseStringMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "body-missing",
    description: "The fields of the body were not signed.",
    remedy: "Sign the decoded fields of a form body together with the oauth_ parameters.",
    variants: (draft) => whole(draft, "body", "no field of the body")
  },
  {
    id: "query-missing",
    description: "The query of the address was dropped.",
    remedy: "Sign the parameters of the query together with the fields of the body.",
    variants: (draft) => whole(draft, "query", "no parameter of the query")
  },
  {
    id: "query-as-written",
    description: "The parameters of the query were signed as they are written in the address, with their escapes.",
    remedy: "Decode the query first, then encode its names and values for the base string.",
    variants: (draft) => {
      const query = at(draft, "query")
      if (query.length === 0) return []
      return [
        [
          "with its escapes",
          {
            ...leaving(query),
            added: asWritten(draft.url.search.slice(1)).map(([name, value]) => [name, value] as const)
          }
        ]
      ]
    }
  },
  {
    id: "protocol-missing",
    description: "The oauth_ parameters were not signed.",
    remedy: "Sign every oauth_ parameter of the header except oauth_signature.",
    variants: (draft) => whole(draft, "header", "no oauth_ parameter")
  },
  {
    id: "parameter-missing",
    description: "One parameter was left out of the base string, or more.",
    remedy: "Sign every field that is sent and every oauth_ parameter except oauth_signature.",
    variants: (draft) => [
      ...sentOf(draft)
        .filter((sent, _, all) => all.filter(({ place }) => place === sent.place).length > 1)
        .map((sent): Variant<OAuthDraft> => [`${sent.name} is missing`, leaving([sent])]),
      ...severalMissing(draft)
    ]
  },
  {
    id: "empty-missing",
    description: "Fields without a value were left out of the base string, but sent.",
    remedy: "Sign empty fields too (name= and nothing), or do not send them.",
    variants: (draft) => {
      const empty = sentOf(draft).filter(({ value }) => value === "")
      return empty.length === 0 ? [] : [["all fields without a value", leaving(empty)]]
    }
  },
  {
    id: "signature-included",
    description: "oauth_signature was signed itself, as an empty parameter.",
    remedy: "Leave oauth_signature out of the base string.",
    variants: () => [["an empty oauth_signature", { added: [["oauth_signature", ""]] }]]
  },
  {
    id: "protocol-twice",
    description: "The oauth_ parameters were signed twice, once for the header and once for the body.",
    remedy: "A parameter that is in the header and in the body is signed once.",
    variants: (draft) => [
      ["all of them twice", { added: at(draft, "header").map(({ name, value }) => [name, value] as const) }]
    ]
  },
  {
    id: "fields-twice",
    description: "Parameters were signed twice.",
    remedy: "Sign every parameter of the address and of the body once.",
    weight: RARE,
    variants: (draft) =>
      (["body", "query"] as const).flatMap((place): Variants => {
        const sent = at(draft, place)
        return sent.length === 0
          ? []
          : [[`those of the ${place}`, { added: sent.map(({ name, value }) => [name, value] as const) }]]
      })
  },
  {
    id: "realm-included",
    description: "The realm of the header was signed.",
    remedy: "Leave realm out of the base string.",
    variants: ({ realm }) => (realm === undefined ? [] : [["the realm", { added: [["realm", realm]] }]])
  },
  ...encodingMistakes,
  {
    id: "not-sorted",
    description: "The parameters were not sorted.",
    remedy: "Sort the parameters by encoded name, byte by byte.",
    variants: () => orders.map(([detail, arrange]) => [detail, { arrange }])
  },
  {
    id: "sorted-by-language",
    description: "The parameters were sorted by the rules of a language, not by their bytes.",
    remedy: "Compare the encoded names byte by byte: - comes before _, capitals before small letters.",
    variants: () => languageOrders.map(([detail, arrange]) => [detail, { arrange }])
  }
]
