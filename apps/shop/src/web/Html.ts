/** Text becomes HTML here only. A template escapes whatever it is given; only what a template made goes in as it is. */

export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

/** `undefined` and `false` are nothing. */
export type Part = Html | string | number | undefined | false | ReadonlyArray<Html>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

const textOf = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (typeof part === "string") return escaped(part)
  if (typeof part === "number") return String(part)
  return "_tag" in part ? part.text : part.map(({ text }) => text).join("")
}

/** @example html`<p class="${name}">${title}</p>` */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  _tag: "Html",
  text: strings.map((string, index) => (index === 0 ? string : textOf(parts[index - 1]) + string)).join("")
})

/** Fields that travel along unseen. */
export const hidden = (fields: Readonly<Record<string, string>>): ReadonlyArray<Html> =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
