/** Text that goes into HTML or XML. */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * Escapes text for the content or a quoted attribute of HTML or XML. Characters that both forbid are dropped; the five that mean
 * something are written as references.
 */
export const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n\r]/gu, "").replace(/[&<>"']/g, (character) => entities[character] ?? "")
