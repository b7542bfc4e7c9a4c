/**
 * Finds values that a file exports and no other file uses. Types and classes are not counted: the declarations of other modules may need
 * them by name.
 */

const declared = /^export (?:const|let|function\*?|async function\*?|enum)\s+(\w+)/gm
const namespace = /^export \* as (\w+)/gm
const listed = /^export \{([^}]*)\}/gm

/** The names of the values that a file exports, under which others import them. A public module may pass on values of other modules. */
const exportsOf = (text: string, isPublic: boolean): ReadonlyArray<string> => [
  ...[declared, namespace].flatMap((form) => [...text.matchAll(form)].flatMap(([, name]) => name ?? [])),
  ...(isPublic ? [] : [...text.matchAll(listed)]).flatMap(([, list = ""]) =>
    list.split(",").flatMap((each) => (/^\s*(?:type\b|$)/.test(each) ? [] : each.replace(/^.*\bas\s+/s, "").trim()))
  )
]

/** The exported values of a text that none of the texts of its importers has as a word. */
export const deadExports = (text: string, importers: ReadonlyArray<string>, isPublic = false): ReadonlyArray<string> =>
  exportsOf(text, isPublic).filter((name) => {
    const word = new RegExp(`\\b${name}\\b`)
    return !importers.some((importer) => word.test(importer))
  })
