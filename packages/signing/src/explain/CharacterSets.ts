/** Texts in character sets other than UTF-8, as programs write them by accident. */

/** Character sets of one byte that merchants' systems use, by the names of the WHATWG Encoding Standard. */
const legacy = ["windows-1251", "windows-1252", "windows-1250", "koi8-r", "ibm866", "iso-8859-5", "windows-1254"]

/** Bytes by character, for each character set that was used. */
const tables = new Map<string, ReadonlyMap<string, number>>()

const tableOf = (name: string): ReadonlyMap<string, number> => {
  const table = tables.get(name)
  if (table !== undefined) return table
  const decoder = new TextDecoder(name)
  const made = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const))
  tables.set(name, made)
  return made
}

/** A way to turn a text into bytes; characters that it lacks become `?`. */
export type Encoder = readonly [name: string, encode: (text: string) => Buffer]

const question = "?".charCodeAt(0)

const oneByte = (name: string): Encoder => [
  name,
  (text) => Buffer.from(Array.from(text, (character) => tableOf(name).get(character) ?? question))
]

/** The encoders with one byte for each character of ASCII. */
export const encoders: ReadonlyArray<Encoder> = [
  ["Latin-1", (text) => Buffer.from(text, "latin1")],
  ["UTF-8 twice, the first time taken for Latin-1", (text) => Buffer.from(Buffer.from(text).toString("latin1"))],
  ["UTF-8 taken for windows-1252", (text) => Buffer.from(new TextDecoder("windows-1252").decode(Buffer.from(text)))],
  ["ASCII, with ? for other characters", (text) => Buffer.from(text.replaceAll(/[^\0-\x7f]/gu, "?"))],
  ...legacy.map(oneByte)
]

/** Whether the text is the same in all these character sets. */
export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
