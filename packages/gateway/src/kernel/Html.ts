/**
 * The one place where text becomes HTML. A template escapes whatever it is given; only what a template made goes in as it
 * is, so nothing that a merchant or a customer wrote can become markup, in content or in a quoted attribute.
 */
import { escaped } from "@pay/schema/Markup"

export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

/** `undefined` and `false` are nothing, so that a part may be left out where it stands. */
export type Part = Html | string | number | undefined | false | ReadonlyArray<Html>

const textOf = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (typeof part === "string") return escaped(part)
  if (typeof part === "number") return String(part)
  return "_tag" in part ? part.text : part.map(({ text }) => text).join("")
}

/**
 * @example html`<p class="${name}">${merchant.name}</p>`
 */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  _tag: "Html",
  text: strings.map((string, index) => (index === 0 ? string : textOf(parts[index - 1]) + string)).join("")
})

/** Text of our own that is markup, style or script already: never anything from outside. */
export const own = (text: string): Html => ({ _tag: "Html", text })
