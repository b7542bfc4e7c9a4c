/** A page as a browser without scripts reads it: its title, and its first form. */

export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
  /** The heading that says what the page is about. */
  readonly title: string
  /** The target of the first form. `hidden` has its hidden fields. */
  readonly action: string | undefined
  readonly hidden: Readonly<Record<string, string>>
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** Reads a page as a browser without scripts does. */
export const read = (status: number, headers: Page["headers"], body: string): Page => ({
  status,
  headers,
  body,
  title: unescaped(/<title>([^<]*)<\/title>/.exec(body)?.[1] ?? ""),
  action: unescapedOrUndefined(/<form[^>]* action="([^"]*)"/.exec(body)?.[1]),
  hidden: Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?>/g)].map(
      ([, name = "", value = ""]) => [name, unescaped(value)]
    )
  )
})
const unescapedOrUndefined = (text: string | undefined) => (text === undefined ? undefined : unescaped(text))
