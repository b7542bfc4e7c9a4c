/** The sample shop in a process of its own, and a customer without a browser. */
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import * as ChildProcess from "../harness/ChildProcess.ts"
import { controlKey, endpoints, login, privateKeyPem } from "../harness/Credentials.ts"
import * as HostedPage from "../harness/HostedPage.ts"

export interface ShopProcess {
  readonly url: string
  /** `kill -9`: nothing of it runs any more when this completes. */
  readonly kill: Effect.Effect<void>
}

export const officePassword = "password-of-the-back-office"

/** A customer object for the back office, with its password. */
export const clerk = (shop: Pick<ShopProcess, "url">): Customer =>
  customer(shop, { authorization: `Basic ${Buffer.from(`office:${officePassword}`).toString("base64")}` })

interface Options {
  readonly dataDirectory: string
  /** Every process of the shop has the same port, so that customers find it again. */
  readonly port: string
  readonly gateway: string
  /** Everything that it prints. */
  readonly printed: Array<string>
}

/** Open, until it is killed or the scope ends. */
export const open = ({ dataDirectory, gateway, port, printed }: Options) =>
  Effect.map(
    ChildProcess.start({
      args: [join(import.meta.dirname, "../../apps/shop/src/main.ts")],
      env: {
        SHOP_DATA: dataDirectory,
        SHOP_PORT: port,
        SHOP_ENDPOINT_HOSTED: endpoints.usd,
        SHOP_ENDPOINT_CARD: endpoints.threedsMerchant,
        SHOP_ENDPOINT_KEPT: endpoints.usd,
        SHOP_OFFICE_PASSWORD: officePassword,
        SHOP_PRIVATE_KEY: privateKeyPem,
        PAY_BASE_URL: gateway,
        PAY_LOGIN: login,
        PAY_CONTROL_KEY: controlKey
      },
      ready: (line) => /open at (\S+)/.exec(line)?.[1],
      onLine: (line) => void printed.push(line)
    }),
    ({ kill, ready: url }): ShopProcess => ({ url, kill })
  )

export const details = {
  email: "ada@customer.example",
  phone: "+442079460000",
  address1: "12 St James's Square",
  city: "London",
  zipCode: "SW1Y 4JH",
  country: "GB"
}

/** A customer without a browser, with the cookie that the shop has set. */
export interface Customer {
  /** Returns the page of the shop at a path, or the answer to a form that is posted there. */
  readonly visit: (path: string, form?: Readonly<Record<string, string>>) => Effect.Effect<HostedPage.Page>
  /** Requests a page until it fulfils the condition. */
  readonly until: (path: string, isIt: (page: HostedPage.Page) => boolean) => Effect.Effect<HostedPage.Page>
  /** Posts a form with the hidden fields of the page at the path. Returns the address of the redirect. */
  readonly post: (path: string, form: Readonly<Record<string, string>>, to?: string) => Effect.Effect<string>
  /** Buys a product and returns the path of the order's page. */
  readonly buy: (product: string, form: Readonly<Record<string, string>>) => Effect.Effect<string>
  /** Waits on the page on which the order.s browser waits, until it is redirected, or has a form to post. */
  readonly untilRedirected: (order: string) => Effect.Effect<HostedPage.Page>
  /** Returns the path to which the order's browser comes back. */
  readonly backPath: (order: string) => Effect.Effect<string>
}

/** `headers`: what the browser sends with every request. */
export const customer = (
  { url }: Pick<ShopProcess, "url">,
  headers: Readonly<Record<string, string>> = {}
): Customer => {
  let cookie = ""
  const visit: Customer["visit"] = (path, form) =>
    HostedPage.visit(`${url}${path}`, {
      headers: { ...headers, cookie },
      ...(form === undefined ? {} : { form })
    }).pipe(
      Effect.tap((page) =>
        Effect.sync(() => {
          const cookies = page.headers["set-cookie"]
          if (cookies !== undefined) cookie = String(cookies).split(";")[0] ?? ""
        })
      )
    )
  const until: Customer["until"] = (path, isIt) =>
    visit(path).pipe(
      Effect.repeat({ until: isIt, schedule: Schedule.spaced("100 millis") }),
      Effect.timeout("60 seconds"),
      Effect.orDie
    )
  const post: Customer["post"] = Effect.fnUntraced(function* (path, form, to = path) {
    const { hidden } = yield* visit(path)
    const answer = yield* visit(to, { ...hidden, ...form })
    assert.strictEqual(answer.status, 303, answer.title)
    return String(answer.headers.location)
  })
  const goPath = Effect.fnUntraced(function* (order: string) {
    const { headers } = yield* visit(`${order}/go`)
    return new URL(String(headers.refresh).replace("0; url=", "")).pathname
  })
  return {
    visit,
    until,
    post,
    buy: (product, form) =>
      Effect.map(post(`/buy/${product}`, { ...details, ...form }), (path) => path.replace(/\/go$/, "")),
    untilRedirected: (order) =>
      Effect.flatMap(goPath(order), (path) =>
        until(path, ({ action, headers }) => headers.location !== undefined || action !== undefined)
      ),
    backPath: (order) => Effect.map(goPath(order), (path) => path.replace("/go/", "/back/"))
  }
}
