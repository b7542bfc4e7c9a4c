/** Mistakes with the joining of the three parts of a base string. */
import * as PercentEncoding from "../PercentEncoding.ts"
import type { Mistake, Variant } from "./Mistake.ts"
import { correct, type OAuthDraft } from "./OAuthDraft.ts"

export const joinMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "parts-not-encoded",
    description: "The parts of the base string were not percent-encoded as a whole.",
    remedy: "Encode the address and the whole parameter string once more before joining them with &.",
    aspect: "join",
    variants: (draft) => [
      ["neither the address nor the parameters", { ...draft, join: (...parts) => parts.join("&") }],
      [
        "not the parameters",
        { ...draft, join: (method, address, parameters) => `${method}&${correct.encode(address)}&${parameters}` }
      ],
      [
        "not the address",
        { ...draft, join: (method, address, parameters) => `${method}&${address}&${correct.encode(parameters)}` }
      ],
      ["but everything with its & together", { ...draft, join: (...parts) => correct.encode(parts.join("&")) }]
    ]
  },
  {
    id: "address-encoded-twice",
    description: "A part of the base string was percent-encoded once too often.",
    remedy: "Encode the address once, and the parameter string once more as a whole.",
    aspect: "join",
    isRare: true,
    variants: (draft) => [
      [
        "the address",
        { ...draft, join: (method, address, rest) => correct.join(method, PercentEncoding.encode(address), rest) }
      ],
      [
        "the parameters",
        { ...draft, join: (method, address, rest) => correct.join(method, address, PercentEncoding.encode(rest)) }
      ],
      ["the whole", { ...draft, join: (...parts) => correct.encode(correct.join(...parts)) }]
    ]
  },
  {
    id: "parts-separator",
    description: "The parts of the base string were joined by something else than one & between two parts.",
    remedy: "Join method, address and parameters with & between them, and nothing at the end.",
    aspect: "join",
    isRare: true,
    variants: (draft) => [
      ...["\n", "", " ", "?", "|"].map(
        (separator): Variant<OAuthDraft> => [
          separator === "" ? "nothing between them" : `${JSON.stringify(separator)} between them`,
          { ...draft, join: (...parts) => parts.map(PercentEncoding.encode).join(separator) }
        ]
      ),
      ["& at the end", { ...draft, join: (...parts) => `${correct.join(...parts)}&` }],
      [
        "& before the parameters",
        { ...draft, join: (method, address, rest) => correct.join(method, address, `&${rest}`) }
      ],
      [
        "& after the parameters",
        { ...draft, join: (method, address, rest) => correct.join(method, address, `${rest}&`) }
      ],
      [
        "? before the parameters",
        { ...draft, join: (method, address, rest) => correct.join(method, address, `?${rest}`) }
      ]
    ]
  },
  {
    id: "text-line-end",
    description: "A line break was signed after the base string, as `echo`, an editor or a here-document adds one.",
    remedy: "Sign exactly the text: use printf '%s', or trim the text.",
    aspect: "end",
    variants: (draft) => [
      ["LF at the end", { ...draft, bytes: (text, secret) => draft.bytes(`${text}\n`, secret) }],
      ["CR LF at the end", { ...draft, bytes: (text, secret) => draft.bytes(`${text}\r\n`, secret) }],
      ["a space at the end", { ...draft, bytes: (text, secret) => draft.bytes(`${text} `, secret) }],
      [
        "a byte order mark at the beginning",
        { ...draft, bytes: (text, secret) => draft.bytes(`\uFEFF${text}`, secret) }
      ]
    ]
  }
]
