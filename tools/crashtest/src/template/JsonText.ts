/** Reads JSON that a person wrote: says in which line a mistake is, and what to write instead. */
import { Result } from "effect"

interface Token {
  readonly text: string
  readonly at: number
}

const lexeme =
  /[\t\n\r ]+|("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/uy

const comment = "comments are not JSON: remove it"

/** What a person meant by a text that no JSON has. */
const unreadable = (rest: string): string => {
  if (/^(?:\/[/*]|#)/.test(rest)) return comment
  if (rest.startsWith("'")) return `write "double" quotes, not 'single' ones`
  if (rest.startsWith('"')) return 'the text has no closing " in its line, or a \\ that JSON does not have: write \\\\'
  const [word = rest.slice(0, 1)] = /^[\p{L}\p{N}_$.+-]+/u.exec(rest) ?? []
  return `${JSON.stringify(word)} is not JSON: texts and names are in "double" quotes`
}

/** The first mistake of a text that is not JSON, and where it is. */
const mistake = (text: string): Token => {
  const open: Array<string> = []
  let expected: "value" | "key" | "colon" | "next" = "value"
  let last = ""
  let at = 0
  const wrong = (text: string) => ({ text, at })
  while (at < text.length) {
    lexeme.lastIndex = at
    const lexed = lexeme.exec(text)
    if (lexed === null) return wrong(unreadable(text.slice(at, at + 80)))
    const [whole, token] = lexed
    if (token !== undefined) {
      const isEnd = token === "}" || token === "]"
      if (isEnd && last === ",") return wrong(`there is a comma before ${token}: remove the comma`)
      if (isEnd && (expected === "next" || last === "{" || last === "[")) {
        if (open.pop() !== (token === "}" ? "{" : "[")) return wrong(`${token} closes nothing that is open`)
        expected = "next"
      } else if (expected === "next") {
        if (open.length === 0) return wrong("there is something after the end of the object: remove it")
        if (token !== ",") return wrong(`there is no comma before ${token}`)
        expected = open.at(-1) === "{" ? "key" : "value"
      } else if (expected === "key") {
        if (!token.startsWith('"')) return wrong(`a name in "double" quotes is expected before ${token}`)
        expected = "colon"
      } else if (expected === "colon") {
        if (token !== ":") return wrong(`there is no colon before ${token}`)
        expected = "value"
      } else if (token === "{" || token === "[") {
        open.push(token)
        expected = token === "{" ? "key" : "value"
      } else if (/^[,:}\]]$/.test(token)) return wrong(`a value is missing before ${token}`)
      else expected = "next"
      last = token
    }
    at += whole.length
  }
  return wrong(open.length === 0 ? "it is empty" : `the end is missing: ${open.at(-1) === "{" ? "}" : "]"} is expected`)
}

const byteOrderMark = "\uFEFF"

/** Returns the value, or the mistake in a sentence that begins with its line. A byte order mark is skipped. */
export const read = (written: string): Result.Result<unknown, string> => {
  const text = written.startsWith(byteOrderMark) ? written.slice(1) : written
  try {
    const value: unknown = JSON.parse(text)
    return Result.succeed(value)
  } catch {
    const { at, text: what } = mistake(text)
    return Result.fail(`line ${text.slice(0, at).split(/\r\n|\n|\r/).length}: ${what}`)
  }
}
