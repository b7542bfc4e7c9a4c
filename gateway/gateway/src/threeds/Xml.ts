/**
 * Strict reader of small XML documents from untrusted senders: no document type, no entities, no comments, nothing malformed,
 * and limited numbers of elements and attributes. The limits are checked before a tree is built.
 */
import { DOMParser } from "@xmldom/xmldom"
import { Result } from "effect"

const declaration = /^\uFEFF?\s*<\?xml\s[^>]*\?>/

const refuse = (message: string): never => {
  throw new Error(message)
}

/** Limits of a document. A PaRes with its signature and three certificates has about 50 elements and 30 attributes, 6 deep. */
const most = { elements: 256, attributes: 256, depth: 24 }

/** Whether the text is within the limits of tags, attributes and depth. It reads each character once. */
const isSmall = (text: string): boolean => {
  let elements = 0
  let attributes = 0
  let depth = 0
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const isEnd = text[at + 1] === "/"
    let quote: string | undefined
    for (at += 1; at < text.length; at++) {
      const character = text[at]
      if (quote !== undefined) {
        if (character === quote) quote = undefined
      } else if (character === '"' || character === "'") {
        quote = character
        attributes += 1
      } else if (character === ">") break
    }
    if (isEnd) depth -= 1
    else {
      elements += 1
      if (text[at - 1] !== "/") depth += 1
    }
    if (elements > most.elements || attributes > most.attributes || depth > most.depth) return false
  }
  return true
}

/**
 * Parses a document and returns its root element. It refuses document types, comments and instructions, so that only elements,
 * attributes and text remain.
 */
export const parse = (text: string): Result.Result<Element, string> => {
  const body = text.replace(declaration, "")
  if (body.includes("<!") || body.includes("<?")) return Result.fail("has a document type, comment or instruction")
  if (!isSmall(body)) return Result.fail("has too many elements")
  return Result.try({
    try: () => {
      const errorHandler = { warning: refuse, error: refuse, fatalError: refuse }
      const root: Element | null = new DOMParser({ errorHandler }).parseFromString(
        body.trim(),
        "text/xml"
      ).documentElement
      return root ?? refuse("no element")
    },
    catch: () => "is not well-formed XML"
  })
}

const children = (element: Element): ReadonlyArray<Element> => {
  const elements: Array<Element> = []
  for (let node = element.firstChild; node !== null; node = node.nextSibling) if (isElement(node)) elements.push(node)
  return elements
}

const isElement = (node: Node): node is Element => node.nodeType === 1

/** Returns the only child element with this name; undefined if there is none or more than one. */
export const only = (element: Element | undefined, name: string): Element | undefined => {
  const [first, ...others] =
    element === undefined ? [] : children(element).filter(({ localName }) => localName === name)
  return others.length === 0 ? first : undefined
}

/**
 * Returns the text at the end of a path of only children; undefined if the path does not exist or its end contains elements.
 */
export const text = (element: Element, ...path: ReadonlyArray<string>): string | undefined => {
  const elements = path.reduce<Element | undefined>(only, element)
  return elements === undefined || children(elements).length > 0 ? undefined : (elements.textContent ?? "").trim()
}

/** Returns the number of elements with a name, at any depth and in any namespace. */
export const count = (element: Element, name: string): number =>
  (element.localName === name ? 1 : 0) + element.getElementsByTagNameNS("*", name).length
