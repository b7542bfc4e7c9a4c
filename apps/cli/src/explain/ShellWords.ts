/** Splits a command into words as a shell does: quotes, backslashes, continued lines, and the end of the command. */
import { NotData } from "./Literals.ts"

/** The signs before which a backslash stands between double quotes. */
const escapable = new Set(["$", "`", '"', "\\", "\n"])

const ansi: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", f: "\f", v: "\v" }

/** Replaces the escapes between `$'` and `'`. */
const ofAnsi = (text: string): string =>
  text.replaceAll(/\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|(.))/gs, (_, byte, unit, sign) => {
    const digits: string | undefined = byte ?? unit
    return digits === undefined ? (ansi[sign] ?? sign) : String.fromCharCode(Number.parseInt(digits, 16))
  })

/** `hasVariables`: whether a `$` outside of single quotes begins a variable. */
export const shellWords = (text: string, hasVariables: boolean): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word: string | undefined
  let at = 0
  const refuseVariable = (): void => {
    const [variable] = /^\$[\w({]\w*|^`/.exec(text.slice(at, at + 40)) ?? []
    if (hasVariables && variable !== undefined)
      throw new NotData(`${variable} outside of single quotes, which a shell fills in: put its value there`)
  }
  const single = (): string => {
    const end = text.indexOf("'", at)
    if (end === -1) throw new NotData("a quote that is not closed")
    const inside = text.slice(at, end)
    at = end + 1
    return inside
  }
  const double = (): string => {
    let inside = ""
    for (; text[at] !== '"'; at += 1) {
      if (at >= text.length) throw new NotData("a quote that is not closed")
      refuseVariable()
      if (text[at] === "\\" && escapable.has(text[at + 1] ?? "")) at += 1
      inside += text[at]
    }
    at += 1
    return inside
  }
  const ansiQuoted = (): string => {
    const [inside] = /^(?:[^'\\]|\\.)*/s.exec(text.slice(at)) ?? [""]
    at += inside.length
    if (text[at] !== "'") throw new NotData("a quote that is not closed")
    at += 1
    return ofAnsi(inside)
  }
  while (at < text.length) {
    const character = text[at] ?? ""
    if (character === "$" && text[at + 1] === "'") {
      at += 2
      word = (word ?? "") + ansiQuoted()
      continue
    }
    refuseVariable()
    at += 1
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === "\\") {
      if (text[at] === "\n") at += 1
      else if (text.startsWith("\r\n", at)) at += 2
      else {
        word = (word ?? "") + (text[at] ?? "")
        at += 1
      }
    } else if (character === "'") word = (word ?? "") + single()
    else if (character === '"') word = (word ?? "") + double()
    else if (/[&;|<>]/.test(character)) {
      if (word === undefined || /^[12]$/.test(word)) return words
      throw new NotData(
        `a ${character} outside of quotes, at which a shell ends the command: quote the address and the body`
      )
    } else word = (word ?? "") + character
  }
  return word === undefined ? words : [...words, word]
}
