/** A page as a browser without scripts reads it: its title, and its first form. */
import * as Markup from "@pay/schema/Markup"

export interface Page extends Markup.Form {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
  /** The heading that says what the page is about. */
  readonly title: string
}

/** Reads a page as a browser without scripts does. */
export const read = (status: number, headers: Page["headers"], body: string): Page => ({
  status,
  headers,
  body,
  title: Markup.unescaped(/<title>([^<]*)<\/title>/.exec(body)?.[1] ?? ""),
  ...Markup.form(body)
})
