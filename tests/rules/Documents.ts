import { posix } from "node:path"

const code = /^```[\s\S]*?^```/gm

/** What a heading is called in an address, as GitHub does it. */
const anchor = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const anchors = (text: string): ReadonlyArray<string> =>
  [...text.replace(code, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading))

/** Links of a document that lead to no file, or to no heading of it. */
export const deadLinks = (
  path: string,
  text: string,
  read: (path: string) => string | undefined
): ReadonlyArray<string> =>
  [...text.replace(code, "").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return []
    const [file = "", heading] = link.split("#")
    const target = file === "" ? text : read(posix.normalize(posix.join(posix.dirname(path), file)))
    if (target === undefined) return [`${path}: ${link} leads to no file`]
    return heading === undefined || anchors(target).includes(heading) ? [] : [`${path}: ${link} leads to no heading`]
  })

/** A heading of a document, by its path from the root, as sources, tests and documents cite it. */
const citation = /(?<![\w./-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g

/** Citations of a text that name a document or a heading that does not exist. */
export const deadCitations = (text: string, read: (path: string) => string | undefined): ReadonlyArray<string> =>
  [...text.matchAll(citation)].flatMap(([cited, path = "", heading]) => {
    const document = read(path)
    if (document === undefined) return [`${cited}: there is no such document`]
    return heading === undefined || anchors(document).includes(heading) ? [] : [`${cited}: there is no such heading`]
  })

const stateLine = /^ *(?:(?:\[\*\]|\w+) --> (?:\[\*\]|\w+)(?:: [^:;#"]+)?|note right of \w+: [^:;#"]+)$/
const reserved = /\b(?:end|state|direction|class|classDef|style|click|default)\b/

/** Lines of state diagrams that a renderer could take for something else: names of one word, plain labels. */
export const wrongDiagrams = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^```mermaid\nstateDiagram-v2\n([\s\S]*?)\n```$/gm)].flatMap(([, lines = ""]) =>
    lines.split("\n").filter((line) => !stateLine.test(line) || reserved.test(line.split(":")[0] ?? ""))
  )
