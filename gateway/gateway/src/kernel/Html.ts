/**
 * Makes HTML from text. A template escapes every value except `Html`, so text of a merchant or a customer never becomes markup,
 * neither in content nor in a quoted attribute.
 */
import { escaped } from "@pay/schema/Markup"

export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

/** A value in a template. `undefined` and `false` produce no text, so that a part can be left out. */
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

/** Marks the gateway's own text as markup, style or script. Never pass text from outside. */
export const trusted = (text: string): Html => ({ _tag: "Html", text })
