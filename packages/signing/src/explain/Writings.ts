/** Ways in which programs percent-encode a text other than RFC 3986 says. */

/** A way of writing, by what differs: the space, the digits of escapes, what is left as it is, and what is escaped. */
export interface Writing {
  readonly space: "%20" | "+"
  readonly hex: "upper" | "lower"
  /** Characters that are left as they are. */
  readonly kept: string
  /** Unreserved characters that are escaped nevertheless. */
  readonly escaped: string
}

/** The writing of RFC 3986. */
export const right: Writing = { space: "%20", hex: "upper", kept: "", escaped: "" }

const escapeOf = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`

/** Returns a function that encodes a text as `encode` does, in another way of writing. */
export const writer =
  (encode: (text: string) => string, { escaped, hex, kept, space }: Writing) =>
  (text: string): string => {
    let written = encode(text)
    for (const character of kept) written = written.replaceAll(escapeOf(character), character)
    for (const character of escaped) written = written.replaceAll(character, escapeOf(character))
    if (hex === "lower") written = written.replaceAll(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())
    return space === "+" ? written.replaceAll("%20", "+") : written
  }

/** The functions of languages that percent-encode, by what they do. */
export const ofLanguages: ReadonlyArray<readonly [name: string, writing: Writing]> = [
  ["rawurlencode of PHP and every encoder of RFC 3986", right],
  ["quote_plus of Python, QueryEscape of Go and CGI.escape of Ruby", { ...right, space: "+" }],
  ["urlencode of PHP", { ...right, space: "+", escaped: "~" }],
  ["URLEncoder of Java, and URLSearchParams", { ...right, space: "+", kept: "*", escaped: "~" }],
  ["quote of Python", { ...right, kept: "/" }],
  ["encodeURIComponent of JavaScript, and EscapeDataString of an older .NET", { ...right, kept: "!*'()" }],
  ["encodeURIComponent, with + for a space", { ...right, kept: "!*'()", space: "+" }],
  ["encodeURI of JavaScript", { ...right, kept: "!*'();/?:@&=+$,#" }],
  ["PathEscape of Go", { ...right, kept: "$&+=:@" }],
  ["HttpUtility.UrlEncode of .NET", { space: "+", hex: "lower", kept: "!*()", escaped: "~" }],
  ["HttpUtility.UrlEncode of .NET, with %20", { space: "%20", hex: "lower", kept: "!*()", escaped: "~" }],
  ["WebUtility.UrlEncode of .NET", { space: "+", hex: "upper", kept: "!*()", escaped: "~" }],
  ["an encoder with small digits", { ...right, hex: "lower" }],
  ["an encoder with small digits and +", { ...right, hex: "lower", space: "+" }],
  ["an encoder that escapes ~", { ...right, escaped: "~" }],
  ["an encoder that leaves *", { ...right, kept: "*" }],
  ["an encoder that escapes every sign", { ...right, escaped: "-._~" }]
]

const subsets = (signs: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from({ length: 2 ** signs.length }, (_, bits) =>
    signs.filter((_, index) => ((bits >> index) & 1) === 1).join("")
  )

/** Every other way in which the signs of a text can be written. The number of signs that are varied is limited. */
export const others = (text: string): ReadonlyArray<Writing> => {
  const signs = [..."/:@+,$!'()*;=&?#[]\""].filter((sign) => text.includes(sign)).slice(0, 7)
  const tilde = text.includes("~") ? ["", "~"] : [""]
  const ways: ReadonlyArray<Pick<Writing, "kept" | "escaped">> = [
    ...subsets(signs).flatMap((kept) => tilde.map((escaped) => ({ kept, escaped }))),
    ...subsets([..."-._~"]).map((escaped) => ({ kept: "", escaped }))
  ]
  return ways.flatMap((way) =>
    (["%20", "+"] as const).flatMap((space) => (["upper", "lower"] as const).map((hex) => ({ ...way, space, hex })))
  )
}
