/** A customer of the sample shop without a browser: buys on the gateway's page, and sees the order final. */
import { Effect, Schedule } from "effect"
import * as Play from "./Play.ts"
import { bold, green, red, row, say } from "./Telling.ts"

interface Page {
  readonly body: string
  readonly location: string | null
  readonly cookie: string
}

/** One request; nobody follows its answer. */
const visit = (url: string, form?: Readonly<Record<string, string>>, cookie = "") =>
  Effect.promise(async (signal): Promise<Page> => {
    const answer = await fetch(url, {
      signal,
      redirect: "manual",
      headers: { cookie },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    return {
      body: await answer.text(),
      location: answer.headers.get("location"),
      cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? cookie
    }
  })

const hidden = ({ body }: Page): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?>/g)].map(
      ([, name = "", value = ""]) => [name, value]
    )
  )

const titleOf = ({ body }: Page): string => /<h1>([^<]*)/.exec(body)?.[1] ?? ""

const customer = {
  email: "ada@customer.example",
  phone: "+442079460000",
  address1: "12 St Jamess Square",
  city: "London",
  zip_code: "SW1Y 4JH",
  country: "GB"
}
/** Its bank asks nothing; see docs/test-cards.md. Valid for years of the sandbox's time. */
const card = (year: number) => ({
  number: "4444020100000003",
  expiry: `12/${year + 4}`,
  code: "123",
  holder: "Ada Lovelace",
  action: "pay"
})

/** Looks until it is the page that is waited for. */
const until = (url: string, isIt: (page: Page) => boolean) =>
  visit(url).pipe(Effect.repeat({ until: isIt, schedule: Schedule.spaced("200 millis") }))

const play = Effect.fnUntraced(function* (shop: string) {
  yield* say(bold("In the shop: a watering can, paid on the gateway's page"), row("shop", shop))
  const checkout = yield* visit(`${shop}/buy/can`)
  const form = { ...hidden(checkout), ...customer, way: "hosted" }
  const { location } = yield* visit(`${shop}/buy/can`, form, checkout.cookie)
  const order = `${shop}${location}`
  yield* say(row("order", order))
  const sent = yield* until(`${order}/go`, ({ location }) => location?.includes("/pay/") === true)
  const page = sent.location ?? ""
  yield* say(row("pays at", page))
  yield* visit(page, { ...hidden(yield* visit(page)), ...card(yield* Play.year) })
  const ended = yield* until(order, ({ body }) => !body.includes("data-watch"))
  return titleOf(ended)
})

const paid = "Thank you, your order is paid"

/** What is not as expected. */
export const buy = (shop: string) =>
  play(shop).pipe(
    Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.succeed("nothing for 30 seconds") }),
    Effect.tap((title) => say(row("page", `${title === paid ? green("✓") : red("✗")} ${title}`), "")),
    Effect.map((title) => (title === paid ? [] : [`the order in the shop: ${title}`]))
  )
