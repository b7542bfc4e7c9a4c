/** Text becomes HTML here only: a template escapes what it is given, except what another template made. */

export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

/** `undefined` and `false` add nothing. */
type Part = Html | string | number | undefined | false | ReadonlyArray<Html>

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
  if (typeof part === "string" || typeof part === "number") return escaped(String(part))
  return "_tag" in part ? part.text : part.map(({ text }) => text).join("")
}

/** @example html`<p class="${name}">${title}</p>` */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  _tag: "Html",
  text: strings.map((string, index) => (index === 0 ? string : textOf(parts[index - 1]) + string)).join("")
})

/** A form that posts `hidden` along with its inputs. */
export const form = (action: string, hidden: Readonly<Record<string, string>>, content: Html): Html => {
  const inputs = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )
  return html`<form method="post" action="${action}" novalidate>${inputs}${content}</form>`
}

export interface Input {
  readonly name: string
  readonly label: string
  /** The default is the name. */
  readonly id?: string
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly numeric?: boolean
  /** What is wrong with the value. */
  readonly flaw?: string | undefined
}

export const input = ({ autocomplete = "off", flaw, label, name, id = name, numeric, value = "" }: Input): Html =>
  html`<p>
    <label for="${id}">${label}</label>
    <input id="${id}" name="${name}" value="${value}" autocomplete="${autocomplete}"${
      numeric === true && html` inputmode="numeric"`
    }${flaw !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>
    ${flaw !== undefined && html`<span class="error" id="${id}-error">${flaw}</span>`}
  </p>`
