/** Secrets that stand nowhere else in the world, and every form in which they could turn up. */

/** A card number that no test card has. */
export const pan = "4539982641703575"
/** The number of `pan` with its last digit wrong. */
export const mistypedPan = "4539982641703579"
export const cvv = "7391"
export const controlKey = "CA4A71E5-0DDC-4FFE-8B1D-5A7E1D9F2B60"

/** Wherever bytes were kept or sent. */
export interface Haystack {
  readonly name: string
  readonly bytes: Buffer
}

interface Needle {
  readonly what: string
  readonly isIn: (haystack: { readonly bytes: Buffer; readonly text: string }) => boolean
}

const bytes = (what: string, needle: Buffer | string): Needle => ({
  what,
  isIn: (haystack) => haystack.bytes.includes(needle)
})
const pattern = (what: string, needle: RegExp): Needle => ({ what, isIn: ({ text }) => needle.test(text) })

/** The part of a text's base64 that is the same whatever stands around it; `offset` bytes stand before it. */
const base64At = (text: string, offset: 0 | 1 | 2): string => {
  const encoded = Buffer.from("\0".repeat(offset) + text)
    .toString("base64")
    .replace(/=+$/, "")
  return encoded.slice(offset === 0 ? 0 : offset + 1, (offset + text.length) % 3 === 0 ? undefined : -1)
}

const encoded = (what: string, text: string): ReadonlyArray<Needle> => [
  ...([0, 1, 2] as const).map((offset) => bytes(`${what} in base64`, base64At(text, offset))),
  pattern(`${what} in hexadecimal`, new RegExp(Buffer.from(text).toString("hex"), "i")),
  bytes(`${what} in UTF-16`, Buffer.from(text, "utf16le"))
]

const number = (digits: string): Buffer => {
  const written = Buffer.alloc(8)
  written.writeBigUInt64BE(BigInt(digits))
  return written
}

const cardNumber = (digits: string): ReadonlyArray<Needle> => [
  pattern("card number", new RegExp([...digits].join("(?:[ ._/-]|%20|\\+)?"))),
  bytes("card number as a number", number(digits)),
  bytes("card number as a number", number(digits).reverse()),
  bytes("card number as packed digits", Buffer.from(digits, "hex")),
  ...encoded("card number", digits)
]

const key = (text: string): ReadonlyArray<Needle> => [
  pattern("control key", new RegExp(text.replaceAll("-", "-?"), "i")),
  bytes("control key as packed digits", Buffer.from(text.replaceAll("-", ""), "hex")),
  ...encoded("control key", text)
]

/** Four digits turn up by chance within longer numbers: they count where they stand alone, or beside one of these. */
const code = (digits: string, neighbours: ReadonlyArray<string>): ReadonlyArray<Needle> => [
  pattern("security code", new RegExp(`(?<![0-9A-Za-z-])${digits}(?![0-9A-Za-z-])`)),
  ...neighbours.flatMap((neighbour) => [
    bytes("security code beside its order", neighbour + digits),
    bytes("security code beside its order", digits + neighbour)
  ])
]

/** `where: what` for every secret that is found; `orders` are the identifiers of orders that were paid with the card. */
export const find = (haystacks: ReadonlyArray<Haystack>, orders: ReadonlyArray<string>): ReadonlyArray<string> => {
  const needles = [
    ...cardNumber(pan),
    ...cardNumber(mistypedPan),
    ...key(controlKey),
    ...code(cvv, [...orders, pan, "cvv", "cvv2"])
  ]
  const matches = haystacks.flatMap(({ bytes, name }) => {
    const haystack = { bytes, text: bytes.toString("latin1") }
    return needles.filter(({ isIn }) => isIn(haystack)).map(({ what }) => `${name}: ${what}`)
  })
  return [...new Set(matches)]
}

const isKeyFile = ({ name }: Haystack): boolean => name === "keys.json" || name.startsWith("short-lived-keys/")

/** The keys under which everything is encrypted, from the files that hold them. */
export const sealingKeys = (files: ReadonlyArray<Haystack>): ReadonlyArray<Buffer> =>
  files
    .filter(isKeyFile)
    .flatMap(({ bytes, name }) =>
      name === "keys.json"
        ? [...bytes.toString().matchAll(/"([A-Za-z0-9+/]{43}=)"/g)].map(([, key = ""]) => Buffer.from(key, "base64"))
        : [bytes.subarray(8)]
    )

/** Finds keys that are outside the files made for keys. */
export const findKeys = (haystacks: ReadonlyArray<Haystack>, keys: ReadonlyArray<Buffer>): ReadonlyArray<string> =>
  haystacks
    .filter((haystack) => !isKeyFile(haystack))
    .filter(({ bytes }) =>
      keys.some((key) => [key, key.toString("base64"), key.toString("hex")].some((form) => bytes.includes(form)))
    )
    .map(({ name }) => `${name}: a key`)
