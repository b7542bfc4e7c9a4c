/** Small XML documents from strangers, read strictly: no document type, no entities, no comments, nothing malformed. */
import { DOMParser } from "@xmldom/xmldom"
import { Result } from "effect"

const declaration = /^\uFEFF?\s*<\?xml\s[^>]*\?>/

const refuse = (message: string): never => {
  throw new Error(message)
}

/** Where nothing can be declared, nothing expands and nothing hides: what stays is elements, attributes and text. */
export const parse = (text: string): Result.Result<Element, string> => {
  const body = text.replace(declaration, "")
  if (body.includes("<!") || body.includes("<?")) return Result.fail("has a document type, comment or instruction")
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

export const children = (element: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let node = element.firstChild; node !== null; node = node.nextSibling) if (isElement(node)) found.push(node)
  return found
}

const isElement = (node: Node): node is Element => node.nodeType === 1

/** The only child element of this name; undefined where there is none or more than one. */
export const only = (element: Element | undefined, name: string): Element | undefined => {
  const [first, ...others] =
    element === undefined ? [] : children(element).filter(({ localName }) => localName === name)
  return others.length === 0 ? first : undefined
}

/** The text under a path of only children; undefined where the path, or text alone at its end, is not there. */
export const text = (element: Element, ...path: ReadonlyArray<string>): string | undefined => {
  const found = path.reduce<Element | undefined>(only, element)
  return found === undefined || children(found).length > 0 ? undefined : (found.textContent ?? "").trim()
}

/** All elements of a name, at any depth and in any namespace. */
export const count = (element: Element, name: string): number =>
  (element.localName === name ? 1 : 0) + element.getElementsByTagNameNS("*", name).length
