/** Texts that are escaped for HTML, as programs do by mistake before they sign. */

/** An ampersand in HTML. */
export const AMPERSAND = "&amp;"

/** The ways in which languages escape an apostrophe, and the apostrophe itself. */
export const apostrophes = ["&#039;", "&#39;", "&#x27;", "&apos;", "'"]

/** Escapes the signs of tags, and the ampersand. */
export const escapedSigns = (text: string): string =>
  text.replaceAll("&", AMPERSAND).replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Returns a function that escapes a text, with `apostrophe` for each apostrophe. */
export const escaped =
  (apostrophe: string) =>
  (text: string): string =>
    escapedSigns(text).replaceAll('"', "&quot;").replaceAll("'", apostrophe)
