/** Text that goes into XML or HTML. */

/** Characters that XML and HTML forbid are dropped; the five that mean something are written as numbers. */
export const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n\r]/gu, "").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
