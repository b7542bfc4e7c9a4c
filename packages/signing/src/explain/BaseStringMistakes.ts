/** Mistakes with the base string of OAuth: parameters, their encoding and order, method and address. */

import * as PercentEncoding from "../PercentEncoding.ts"
import * as CharacterSets from "./CharacterSets.ts"
import type { Mistake } from "./Mistake.ts"
import { correct, type OAuthDraft, type Pair } from "./OAuthDraft.ts"

/** Percent-encodes bytes, of whatever character set they are. */
const encodeBytes = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      byte < 0x80 ? PercentEncoding.encode(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`
    )
    .join("")

/** Puts the fields (query and body) and the parameters of the header in another order. */
const arranged = (
  draft: OAuthDraft,
  order: (fields: ReadonlyArray<Pair>, header: ReadonlyArray<Pair>) => ReadonlyArray<Pair>
): OAuthDraft => ({
  ...draft,
  arrange: (pairs) => {
    const fields = pairs.length - draft.protocol.length
    return order(pairs.slice(0, fields), pairs.slice(fields))
  }
})

const asWritten = (query: string): OAuthDraft["query"] =>
  query.split("&").map((piece) => {
    const equals = piece.indexOf("=")
    return equals === -1 ? [piece, ""] : [piece.slice(0, equals), piece.slice(equals + 1)]
  })

const lowerHex = (text: string): string =>
  PercentEncoding.encode(text).replace(/%../g, (triplet) => triplet.toLowerCase())

/** Encodes a text as `application/x-www-form-urlencoded` does: + for a space, ~ escaped, * not. */
const encodeForm = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1)

export const baseStringMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "body-missing",
    description: "The fields of the body were not signed.",
    remedy: "Sign the decoded fields of a form body together with the oauth_ parameters.",
    aspect: "parameters",
    variants: (draft) => [["no field of the body", { ...draft, body: [] }]]
  },
  {
    id: "query-missing",
    description: "The query of the address was dropped.",
    remedy: "Sign the parameters of the query together with the fields of the body.",
    aspect: "parameters",
    variants: (draft) => (draft.query.length === 0 ? [] : [["no parameter of the query", { ...draft, query: [] }]])
  },
  {
    id: "query-as-written",
    description: "The parameters of the query were signed as they are written in the address, with their escapes.",
    remedy: "Decode the query first, then encode its names and values for the base string.",
    aspect: "parameters",
    variants: (draft) =>
      draft.query.length === 0 ? [] : [["with its escapes", { ...draft, query: asWritten(draft.url.search.slice(1)) }]]
  },
  {
    id: "protocol-missing",
    description: "The oauth_ parameters were not signed.",
    remedy: "Sign every oauth_ parameter of the header except oauth_signature.",
    aspect: "parameters",
    variants: (draft) => [["no oauth_ parameter", { ...draft, protocol: [] }]]
  },
  {
    id: "parameter-missing",
    description: "One parameter was left out of the base string.",
    remedy: "Sign every field that is sent and every oauth_ parameter except oauth_signature.",
    aspect: "parameters",
    variants: (draft) =>
      (["query", "body", "protocol"] as const).flatMap((place) =>
        (place === "query" && draft.query.length === 1 ? [] : draft[place]).map(([name], index) => [
          `${name} is missing`,
          { ...draft, [place]: draft[place].toSpliced(index, 1) }
        ])
      )
  },
  {
    id: "empty-missing",
    description: "Fields without a value were left out of the base string, but sent.",
    remedy: "Sign empty fields too (name= and nothing), or do not send them.",
    aspect: "parameters",
    variants: (draft) => {
      const body = draft.body.filter(([, value]) => value !== "")
      return body.length === draft.body.length ? [] : [["all fields without a value", { ...draft, body }]]
    }
  },
  {
    id: "signature-included",
    description: "oauth_signature was signed itself, as an empty parameter.",
    remedy: "Leave oauth_signature out of the base string.",
    aspect: "parameters",
    variants: (draft) => [
      ["an empty oauth_signature", { ...draft, protocol: [...draft.protocol, ["oauth_signature", ""]] }]
    ]
  },
  {
    id: "protocol-twice",
    description: "The oauth_ parameters were signed twice, once for the header and once for the body.",
    remedy: "A parameter that is in the header and in the body is signed once.",
    aspect: "parameters",
    variants: (draft) => [["all of them twice", { ...draft, protocol: [...draft.protocol, ...draft.protocol] }]]
  },
  {
    id: "realm-included",
    description: "The realm of the header was signed.",
    remedy: "Leave realm out of the base string.",
    aspect: "parameters",
    isRare: true,
    variants: ({ realm, ...draft }) =>
      realm === undefined ? [] : [["the realm", { ...draft, realm, protocol: [...draft.protocol, ["realm", realm]] }]]
  },
  {
    id: "encoding-missing",
    description: "The values were not percent-encoded in the parameter string.",
    remedy: "Percent-encode each name and value, then the whole parameter string once more.",
    aspect: "encoding",
    variants: (draft) => [["names and values as they are", { ...draft, encode: (text) => text }]]
  },
  {
    id: "encoding-double",
    description: "The values were percent-encoded twice in the parameter string.",
    remedy: "Sign the decoded values: encode each once, then the whole parameter string once more.",
    aspect: "encoding",
    variants: (draft) => [
      ["names and values encoded twice", { ...draft, encode: (text) => correct.encode(correct.encode(text)) }]
    ]
  },
  {
    id: "space-as-plus",
    description: "A space was encoded as + in the base string.",
    remedy: "Encode a space as %20 in the base string, also where the body has +.",
    aspect: "encoding",
    variants: (draft) => [
      ["only the space differs", { ...draft, encode: (text) => correct.encode(text).replaceAll("%20", "+") }],
      ["form encoding throughout", { ...draft, encode: encodeForm }]
    ]
  },
  {
    id: "reserved-unescaped",
    description: "Characters such as ! ' ( ) * were left as they are, or ~ was encoded.",
    remedy: "Encode everything except letters, digits and - . _ ~ (RFC 3986); encodeURIComponent does not.",
    aspect: "encoding",
    variants: (draft) => [
      ["encodeURIComponent as it is", { ...draft, encode: encodeURIComponent }],
      ["~ encoded", { ...draft, encode: (text) => correct.encode(text).replaceAll("~", "%7E") }],
      ["* left", { ...draft, encode: (text) => correct.encode(text).replaceAll("%2A", "*") }]
    ]
  },
  {
    id: "hex-lower",
    description: "The escapes of the percent-encoding have lower-case hex digits.",
    remedy: "Write escapes in upper case: %2F, not %2f.",
    aspect: "encoding",
    variants: (draft) => [
      ["in names and values", { ...draft, encode: lowerHex }],
      ["everywhere", { ...draft, encode: lowerHex, join: (...parts) => parts.map(lowerHex).join("&") }]
    ]
  },
  {
    id: "character-set",
    description: "Values were percent-encoded in another character set than UTF-8.",
    remedy: "Percent-encode the bytes of UTF-8.",
    aspect: "encoding",
    variants: (draft) =>
      [...draft.query, ...draft.body].every(([name, value]) => CharacterSets.isAscii(name + value))
        ? []
        : CharacterSets.encoders.map(([name, bytes]) => [
            name,
            { ...draft, encode: (text) => encodeBytes(bytes(text)) }
          ])
  },
  {
    id: "not-sorted",
    description: "The parameters were not sorted.",
    remedy: "Sort the parameters by encoded name, byte by byte.",
    aspect: "order",
    variants: (draft) => [
      ["the body, then the header", arranged(draft, (fields, header) => [...fields, ...header])],
      ["the header, then the body", arranged(draft, (fields, header) => [...header, ...fields])],
      [
        "the body, then the header sorted",
        arranged(draft, (fields, header) => [...fields, ...correct.arrange(header)])
      ],
      [
        "the header sorted, then the body",
        arranged(draft, (fields, header) => [...correct.arrange(header), ...fields])
      ],
      ["backwards", { ...draft, arrange: (pairs) => correct.arrange(pairs).toReversed() }],
      [
        "body and header sorted each by itself",
        arranged(draft, (fields, header) => [...correct.arrange(fields), ...correct.arrange(header)])
      ],
      [
        "header and body sorted each by itself",
        arranged(draft, (fields, header) => [...correct.arrange(header), ...correct.arrange(fields)])
      ],
      [
        "as the text name=value",
        {
          ...draft,
          arrange: (pairs) => pairs.toSorted((left, right) => (left.join("=") < right.join("=") ? -1 : 1))
        }
      ],
      ["by value", { ...draft, arrange: (pairs) => pairs.toSorted((left, right) => (left[1] < right[1] ? -1 : 1)) }]
    ]
  },
  {
    id: "sorted-by-language",
    description: "The parameters were sorted by the rules of a language, not by their bytes.",
    remedy: "Compare the encoded names byte by byte: - comes before _, capitals before small letters.",
    aspect: "order",
    variants: (draft) => [
      [
        "by a collation",
        { ...draft, arrange: (pairs) => pairs.toSorted((left, right) => left[0].localeCompare(right[0], "en")) }
      ],
      [
        "without regard to case",
        {
          ...draft,
          arrange: (pairs) => pairs.toSorted((left, right) => (left[0].toLowerCase() < right[0].toLowerCase() ? -1 : 1))
        }
      ]
    ]
  }
]
