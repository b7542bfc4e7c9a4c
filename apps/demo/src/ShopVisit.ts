/** Somebody at the sample shop without a browser: gets pages, posts their forms, and keeps the cookie. */
import { Effect, Schedule } from "effect"

export interface Page {
  readonly body: string
  readonly title: string
  readonly location: string
  /** The `Refresh` header: when the browser looks again, and where. */
  readonly refresh: string
  /** What its forms carry along unseen. */
  readonly hidden: Readonly<Record<string, string>>
}

const read = (body: string, headers: Headers): Page => ({
  body,
  location: headers.get("location") ?? "",
  refresh: headers.get("refresh") ?? "",
  title: /<h1>([^<]*)/.exec(body)?.[1] ?? "",
  hidden: Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"<>]*)"(?: value="([^"<>]*)")?>/g)].map(
      ([, name = "", value = ""]) => [name, value]
    )
  )
})

/** At the shop, or with a whole address anywhere. `headers` go with every request. */
export const make = (shop: string, headers: Readonly<Record<string, string>> = {}) => {
  let cookie = ""
  /** One request; nobody follows its answer. */
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
    /** Fills in a form of the page and posts it, to the page itself or where that form goes; where that leads. */
    post: Effect.fnUntraced(function* (path: string, form: Readonly<Record<string, string>>, to = path) {
      const { hidden } = yield* visit(path)
      return (yield* visit(to, { ...hidden, ...form })).location
    }),
    /** Looks until it is the page that is waited for. */
    until: (path: string, isIt: (page: Page) => boolean) =>
      visit(path).pipe(Effect.repeat({ until: isIt, schedule: Schedule.spaced("200 millis") }))
  }
}
export type ShopVisit = ReturnType<typeof make>
