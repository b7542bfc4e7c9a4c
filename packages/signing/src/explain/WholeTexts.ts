/** What is done by mistake to the whole text before it is hashed or signed. It applies to every scheme. */
import { RARE, USUAL } from "./Mistake.ts"

export type Change = readonly [detail: string, change: (text: string) => string, weight: number]

/** What shells and editors put around a text. */
export const ends: ReadonlyArray<Change> = [
  ["LF at the end", (text) => `${text}\n`, USUAL],
  ["CR LF at the end", (text) => `${text}\r\n`, USUAL],
  ["CR at the end", (text) => `${text}\r`, USUAL],
  ["a space and CR LF at the end, as echo of cmd prints them", (text) => `${text} \r\n`, USUAL],
  ["-n at the beginning and LF at the end, as echo of sh prints them", (text) => `-n ${text}\n`, USUAL],
  ["-n at the beginning", (text) => `-n ${text}`, USUAL],
  ["-e at the beginning and LF at the end", (text) => `-e ${text}\n`, USUAL],
  ["double quotes around the text", (text) => `"${text}"`, USUAL],
  ["double quotes and CR LF", (text) => `"${text}"\r\n`, USUAL],
  ["double quotes, a space and CR LF", (text) => `"${text}" \r\n`, USUAL],
  ["single quotes around the text", (text) => `'${text}'`, USUAL],
  ["a zero byte at the end", (text) => `${text}\0`, USUAL],
  ["two LF at the end", (text) => `${text}\n\n`, RARE]
]

/** What programs do with a text that they take for another one. */
export const changes: ReadonlyArray<Change> = [
  ["in small letters", (text) => text.toLowerCase(), RARE],
  ["in capitals", (text) => text.toUpperCase(), RARE],
  ["backwards", (text) => [...text].reverse().join(""), RARE],
  ["in Base64", (text) => Buffer.from(text).toString("base64"), RARE],
  ["in hex digits", (text) => Buffer.from(text).toString("hex"), RARE],
  ["only its letters and digits", (text) => text.replaceAll(/[^A-Za-z0-9]/g, ""), RARE],
  ["without hyphens", (text) => text.replaceAll("-", ""), RARE],
  ["with a space for each +", (text) => text.replaceAll("+", " "), RARE]
]
