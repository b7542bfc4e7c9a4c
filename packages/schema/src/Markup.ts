/** The only module that escapes text for HTML and XML. It also reads the forms of pages that were written with it. */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * Escapes text for the content or a quoted attribute of HTML or XML. Control characters, which both forbid, are removed. The five
 * characters with a special meaning are written as references.
 */
export const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n\r]/gu, "").replace(/[&<>"']/g, (character) => entities[character] ?? "")

const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]))

/** Reads text that {@link escaped} wrote. */
export const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity)

/** Returns the hidden inputs of a form: one for each field. */
export const hidden = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join("\n")

/** The part of a form that a customer does not fill in. */
export interface Form {
  /**
   * The address in the form's `action`. `undefined` if the form has none, so that it is posted to its page's address, or if there
   * is no form.
   */
  readonly action: string | undefined
  readonly hidden: Readonly<Record<string, string>>
}

/**
 * Reads the first form's target and the hidden fields of a page, as a browser without scripts does.
 *
 * @example form('<form action="/pay"><input type="hidden" name="token" value="a&amp;b"></form>')
 * // { action: "/pay", hidden: { token: "a&b" } }
 */
export const form = (html: string): Form => {
  const action = /<form[^<>]* action="([^"<>]*)"/.exec(html)?.[1]
  const inputs = html.matchAll(/<input type="hidden" name="([^"<>]*)"(?: value="([^"<>]*)")?>/g)
  return {
    action: action === undefined ? undefined : unescaped(action),
    hidden: Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [unescaped(name), unescaped(value)]))
  }
}
