/** Mistakes with the joining of the three parts of a base string. */

import * as PercentEncoding from "../PercentEncoding.ts"
import { AMPERSAND } from "./Markup.ts"
import { type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"
import { correct, type OAuthDraft } from "./OAuthDraft.ts"
import * as WholeTexts from "./WholeTexts.ts"
import * as Writings from "./Writings.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** Changes the base string after what was done to it before. */
const wholes = (whole: OAuthDraft["whole"], changes: ReadonlyArray<WholeTexts.Change>): Variants =>
  changes.map(([detail, change, weight]) => [detail, { whole: (text) => change(whole(text)) }, weight])

export const joinMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "parts-not-encoded",
    description: "The parts of the base string were not percent-encoded as a whole, or not as RFC 3986 says.",
    remedy: "Encode the address and the whole parameter string once more before joining them with &.",
    variants: () => [
      ["neither the address nor the parameters", { join: (...parts) => parts.join("&") }],
      [
        "not the parameters",
        { join: (method, address, parameters) => `${method}&${correct.encode(address)}&${parameters}` }
      ],
      [
        "not the address",
        { join: (method, address, parameters) => `${method}&${address}&${correct.encode(parameters)}` }
      ],
      ["but everything with its & together", { join: (...parts) => correct.encode(parts.join("&")) }],
      ...Writings.ofLanguages
        .slice(1)
        .map(
          ([name, way]): Variant<OAuthDraft> => [
            `but as ${name} encodes`,
            { join: (...parts) => parts.map(Writings.writer(correct.encode, way)).join("&") }
          ]
        )
    ]
  },
  {
    id: "address-encoded-twice",
    description: "A part of the base string was percent-encoded once too often.",
    remedy: "Encode the address once, and the parameter string once more as a whole.",
    weight: RARE,
    variants: () => [
      ["the address", { join: (method, address, rest) => correct.join(method, PercentEncoding.encode(address), rest) }],
      [
        "the parameters",
        { join: (method, address, rest) => correct.join(method, address, PercentEncoding.encode(rest)) }
      ],
      ["the whole", { join: (...parts) => correct.encode(correct.join(...parts)) }]
    ]
  },
  {
    id: "parts-separator",
    description: "The parts of the base string were joined by something else than one & between two parts.",
    remedy: "Join method, address and parameters with & between them, and nothing at the end.",
    weight: RARE,
    variants: () => [
      ...["\n", "", " ", "?", "|", ",", "+", "&&", "%26", " & ", AMPERSAND].map(
        (separator): Variant<OAuthDraft> => [
          separator === "" ? "nothing between them" : `${JSON.stringify(separator)} between them`,
          { join: (...parts) => parts.map(PercentEncoding.encode).join(separator) }
        ]
      ),
      ["& at the end", { join: (...parts) => `${correct.join(...parts)}&` }],
      ["& before the parameters", { join: (method, address, rest) => correct.join(method, address, `&${rest}`) }],
      ["& after the parameters", { join: (method, address, rest) => correct.join(method, address, `${rest}&`) }],
      ["? before the parameters", { join: (method, address, rest) => correct.join(method, address, `?${rest}`) }]
    ]
  },
  {
    id: "text-line-end",
    description: "A line break was signed after the base string, as `echo`, an editor or a here-document adds one.",
    remedy: "Sign exactly the text: use printf '%s', or trim the text.",
    variants: ({ whole }) =>
      wholes(whole, [
        ...WholeTexts.ends,
        ["a space at the end", (text) => `${text} `, USUAL],
        ["a byte order mark at the beginning", (text) => `\uFEFF${text}`, USUAL]
      ])
  },
  {
    id: "text-changed",
    description: "The whole base string was changed before it was signed.",
    remedy: "Sign exactly the base string.",
    variants: ({ whole }) =>
      wholes(whole, [
        ...WholeTexts.changes,
        ["escaped for HTML", (text) => text.replaceAll("&", AMPERSAND), RARE],
        ["percent-decoded", (text) => PercentEncoding.decode(text) ?? text, RARE],
        ["with the & escaped for JSON", (text) => text.replaceAll("&", "\\u0026"), RARE]
      ])
  },
  {
    id: "pairs-joined",
    description: "Names and values were joined by something else than = and &.",
    remedy: "Write name=value for each parameter, and & between them.",
    variants: () => [
      ...["=", ":", "", "=>", ": "].flatMap((sign) =>
        ["&", ",", "", ";", "\n", ", ", "|", AMPERSAND, " "]
          .filter((separator) => sign !== "=" || separator !== "&")
          .map(
            (separator): Variant<OAuthDraft> => [
              `${JSON.stringify(sign)} and ${JSON.stringify(separator)}`,
              { list: (pairs) => pairs.map(([name, value]) => name + sign + value).join(separator) },
              sign === "=" && separator.length < 2 ? USUAL : RARE
            ]
          )
      ),
      ["quotes around the values", { list: (pairs) => pairs.map(([name, value]) => `${name}="${value}"`).join("&") }],
      [
        "quotes and commas, as in the header",
        { list: (pairs) => pairs.map(([name, value]) => `${name}="${value}"`).join(",") }
      ],
      [
        "quotes, commas and blanks, as in the header",
        { list: (pairs) => pairs.map(([name, value]) => `${name}="${value}"`).join(", ") }
      ],
      ["only the values", { list: (pairs) => pairs.map(([, value]) => value).join("&") }],
      ["only the values, without &", { list: (pairs) => pairs.map(([, value]) => value).join("") }],
      [
        "no = where the value is empty",
        { list: (pairs) => pairs.map(([name, value]) => (value === "" ? name : `${name}=${value}`)).join("&") }
      ],
      ["escapes for the =", { list: (pairs) => pairs.map(([name, value]) => `${name}%3D${value}`).join("%26") }]
    ]
  }
]
