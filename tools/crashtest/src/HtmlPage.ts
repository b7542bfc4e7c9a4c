/** A page as a browser reads it: its forms with what they send, where it refreshes to, and whether it submits a form itself. */

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

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0"
}

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (characters[String(name).toLowerCase()] ?? whole)
  )

const tag = /<(\/?[a-z]+)((?:\s(?:"[^"]*"|'[^']*'|[^"'<>])*)?)>/gi
const attribute = /([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g

type Attributes = ReadonlyMap<string, string>

const attributesOf = (text: string): Attributes =>
  new Map(
    [...text.matchAll(attribute)].map(([, name = "", double, single, bare]) => [
      name.toLowerCase(),
      unescaped(double ?? single ?? bare ?? "")
    ])
  )

const buttons: ReadonlySet<string> = new Set(["submit", "image", "button", "reset"])
const silent: ReadonlySet<string> = new Set(["hidden", "file"])

interface Building {
  readonly action: string | undefined
  readonly isPost: boolean
  readonly fields: Array<readonly [name: string, value: string]>
  readonly names: Set<string>
  asks: boolean
}

const begun = (attributes: Attributes): Building => ({
  action: attributes.get("action") || undefined,
  isPost: attributes.get("method")?.toLowerCase() === "post",
  fields: [],
  names: new Set(),
  asks: false
})

/** Adds what an input sends: a box only if it is checked. */
const addInput = (form: Building, attributes: Attributes): void => {
  const type = attributes.get("type")?.toLowerCase() ?? "text"
  const name = attributes.get("name")
  if (buttons.has(type)) return
  if (name !== undefined) form.names.add(name)
  if (!silent.has(type)) form.asks = true
  const isBox = type === "checkbox" || type === "radio"
  if (name === undefined || name === "" || type === "file" || (isBox && !attributes.has("checked"))) return
  form.fields.push([name, attributes.get("value") ?? (isBox ? "on" : "")])
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

/** Returns where a `meta` element leads. */
const refreshOf = (attributes: Attributes): string | undefined =>
  attributes.get("http-equiv")?.toLowerCase() === "refresh" ? targetOf(attributes.get("content") ?? "") : undefined

const withoutComments = (html: string): string =>
  html
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.slice((part.indexOf("-->") + 1 || part.length + 1) + 2)))
    .join("")

export const read = (html: string): HtmlPage => {
  const forms: Array<Building> = []
  const links: Array<string> = []
  let refresh: string | undefined
  let open: Building | undefined
  for (const [, name = "", text = ""] of withoutComments(html).matchAll(tag)) {
    const attributes = attributesOf(text)
    const element = name.toLowerCase()
    if (element === "form") {
      open = begun(attributes)
      forms.push(open)
    } else if (element === "/form") open = undefined
    else if (element === "input" && open !== undefined) addInput(open, attributes)
    else if ((element === "select" || element === "textarea") && open !== undefined) {
      open.asks = true
      open.names.add(attributes.get("name") ?? "")
    } else if (element === "meta") refresh ??= refreshOf(attributes)
    else if (element === "a") links.push(...[attributes.get("href") ?? ""].filter((href) => href !== ""))
  }
  return { forms, refresh, links, submitsItself: /\bsubmit\s*\(/.test(html) }
}
