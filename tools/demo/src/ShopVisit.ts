/** A visitor of the sample shop without a browser: gets pages, posts their forms, and keeps the cookie. */
import * as Markup from "@pay/schema/Markup"
import { Effect, Schedule } from "effect"

export interface Page {
  readonly body: string
  readonly title: string
  readonly location: string
  /** The `Refresh` header: the seconds until the browser loads a page again, and the address of that page. */
  readonly refresh: string
  /** The hidden fields of the page's forms. */
  readonly hidden: Readonly<Record<string, string>>
}

const read = (body: string, headers: Headers): Page => ({
  body,
  location: headers.get("location") ?? "",
  refresh: headers.get("refresh") ?? "",
  title: /<h1>([^<]*)/.exec(body)?.[1] ?? "",
  hidden: Markup.form(body).hidden
})

/**
 * Makes a visitor of the shop. Paths are relative to the shop; a complete address leads to any server. `headers` are sent with
 * every request.
 */
export const make = (shop: string, headers: Readonly<Record<string, string>> = {}) => {
  let cookie = ""
  /** Sends one request: a GET, or a POST if `form` is given. Redirects are not followed. */
  const visit = (path: string, form?: Readonly<Record<string, string>>) =>
    Effect.promise(async (signal) => {
      const answer = await fetch(new URL(path, shop), {
        signal,
        redirect: "manual",
        headers: { ...headers, cookie },
        ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
      })
      cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie
      return read(await answer.text(), answer.headers)
    })
  return {
    visit,
    /** Fills in a form of the page at `path` and posts it to `to`. Returns the address of the redirect, or an empty string. */
    post: Effect.fnUntraced(function* (path: string, form: Readonly<Record<string, string>>, to = path) {
      const { hidden } = yield* visit(path)
      return (yield* visit(to, { ...hidden, ...form })).location
    }),
    /** Loads the page repeatedly until `isIt` returns true, and returns that page. */
    until: (path: string, isIt: (page: Page) => boolean) =>
      visit(path).pipe(Effect.repeat({ until: isIt, schedule: Schedule.spaced("200 millis") }))
  }
}
export type ShopVisit = ReturnType<typeof make>
