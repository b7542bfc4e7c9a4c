/** A page as a browser reads it: its forms with what they send, where it refreshes to, and whether it submits a form itself. */
import { Parser } from "htmlparser2"

export interface Form {
  /** The address in the form that the page gives it. Undefined: the page's own. */
  readonly action: string | undefined
  readonly isPost: boolean
  /** Fields with the values that the page gives them, in their order. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  /** The names of everything that can be filled in. */
  readonly names: ReadonlySet<string>
  /** Whether the customer has something to fill in. */
  readonly asks: boolean
}

export interface HtmlPage {
  readonly forms: ReadonlyArray<Form>
  /** The address to which the page leads by itself. An empty one is the page itself. */
  readonly refresh: string | undefined
  readonly links: ReadonlyArray<string>
  /** Whether a script of the page sends a form. */
  readonly submitsItself: boolean
}

type Attributes = Readonly<Record<string, string | undefined>>

const buttons: ReadonlySet<string> = new Set(["submit", "image", "button", "reset"])
const silent: ReadonlySet<string> = new Set(["hidden", "file"])

interface Building {
  readonly action: string | undefined
  readonly isPost: boolean
  readonly fields: Array<readonly [name: string, value: string]>
  readonly names: Set<string>
  asks: boolean
}

const begun = ({ action, method }: Attributes): Building => ({
  action: action || undefined,
  isPost: method?.toLowerCase() === "post",
  fields: [],
  names: new Set(),
  asks: false
})

/** Adds what an input sends: a box only if it is checked. */
const addInput = (form: Building, { checked, name, type: kind = "text", value }: Attributes): void => {
  const type = kind.toLowerCase()
  if (buttons.has(type)) return
  if (name !== undefined) form.names.add(name)
  if (!silent.has(type)) form.asks = true
  const isBox = type === "checkbox" || type === "radio"
  if (name === undefined || name === "" || type === "file" || (isBox && checked === undefined)) return
  form.fields.push([name, value ?? (isBox ? "on" : "")])
}

/** Reads the address in `0; url=/next`, as in the header `Refresh`. An empty one is the page itself. */
export const targetOf = (content: string): string => {
  const [, ...rest] = content.split(/[;,]/)
  return rest
    .join(";")
    .trim()
    .replace(/^url\s{0,9}=/i, "")
    .trim()
    .replace(/^["']/, "")
    .replace(/["']$/, "")
}

/** A choice or a text of lines that is open, and what is in it. */
interface Control {
  readonly form: Building
  readonly name: string
  readonly options: Array<{ value: string | undefined; text: string; readonly isSelected: boolean }>
  text: string
}

/** Adds what a choice sends: the option that is selected, or the first one. */
const addControl = ({ form, name, options, text }: Control, isChoice: boolean): void => {
  form.asks = true
  form.names.add(name)
  const option = options.find(({ isSelected }) => isSelected) ?? options[0]
  const value = isChoice ? (option?.value ?? option?.text.trim()) : text
  if (name !== "" && value !== undefined) form.fields.push([name, value])
}

const callsSubmit = (script: string): boolean => /\bsubmit\s{0,9}\(/.test(script)

/** Reads a page with the parser of HTML. */
export const read = (html: string): HtmlPage => {
  const forms: Array<Building> = []
  const links: Array<string> = []
  let refresh: string | undefined
  let submitsItself = false
  let [open, control]: [Building?, Control?] = []
  let isScript = false
  const begin: { readonly [element in string]?: (attributes: Attributes) => void } = {
    form: (attributes) => {
      open = begun(attributes)
      forms.push(open)
    },
    input: (attributes) => {
      if (open !== undefined && attributes.disabled === undefined) addInput(open, attributes)
    },
    select: (attributes) => {
      control = controlOf(open, attributes)
    },
    textarea: (attributes) => {
      control = controlOf(open, attributes)
    },
    option: ({ selected, value }) => control?.options.push({ value, text: "", isSelected: selected !== undefined }),
    meta: ({ content = "", "http-equiv": header }) => {
      if (header?.toLowerCase() === "refresh") refresh ??= targetOf(content)
    },
    a: ({ href = "" }) => {
      if (href !== "") links.push(href)
    },
    body: ({ onload = "" }) => {
      submitsItself ||= callsSubmit(onload)
    },
    script: () => {
      isScript = true
    }
  }
  const end = (element: string) => {
    if (element === "form") open = undefined
    if (element === "script") isScript = false
    if (element !== "select" && element !== "textarea") return
    if (control !== undefined) addControl(control, element === "select")
    control = undefined
  }
  const parser = new Parser({
    onopentag: (element, attributes) => begin[element]?.(attributes),
    onclosetag: end,
    ontext: (text) => {
      if (isScript) submitsItself ||= callsSubmit(text)
      if (control === undefined) return
      control.text += text
      const option = control.options.at(-1)
      if (option !== undefined) option.text += text
    }
  })
  parser.end(html)
  return { forms, refresh, links, submitsItself }
}

const controlOf = (form: Building | undefined, { disabled, name = "" }: Attributes): Control | undefined =>
  form === undefined || disabled !== undefined ? undefined : { form, name, options: [], text: "" }
