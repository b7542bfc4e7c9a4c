/** The gateway's own pages as one handler: hosted forms and the browser's part of 3-D Secure. */
import { Context, Effect, Layer } from "effect"
import { AuthClock } from "../../kernel/AuthClock.ts"
import * as ProcessLease from "../../kernel/ProcessLease.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as Pages from "../Pages.ts"
import * as RequestHead from "../RequestHead.ts"
import * as BrowserInput from "./BrowserInput.ts"
import * as HomePage from "./HomePage.ts"
import * as Layout from "./Layout.ts"
import * as PayRoutes from "./PayRoutes.ts"
import * as StatePage from "./StatePage.ts"
import * as TestMode from "./TestMode.ts"
import * as ThreeDSRoutes from "./ThreeDSRoutes.ts"

const address = /^\/(pay|3ds)\/([A-Za-z0-9_-]{1,64})(\/[a-z]{1,16})?$/
const read = "GET, HEAD, OPTIONS"
const posted = "GET, HEAD, OPTIONS, POST"
/** The methods of each address. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pay: { "": posted, "/state": read },
  "3ds": { "": posted, "/state": read, "/method": posted, "/challenge": posted, "/pares": posted }
}
const pagePath = /^\/(pay|3ds)(\/|$)/

const headersOnly = (status: number, allow: string): Pages.PageAnswer => ({
  status,
  headers: { ...Layout.headers, allow },
  body: ""
})

/** Whether a browser requests the root address. Other programs are refused there as at any unknown address. */
const isBrowserAtRoot = (request: Pages.PageRequest): boolean =>
  request.path === "/" &&
  Pages.isRead(request) &&
  RequestHead.header(request, "accept").toLowerCase().includes("text/html")

export class HostedPages extends Context.Service<HostedPages, Pages.PageHandler>()("@pay/gateway/HostedPages") {
  static readonly layer = Layer.effect(
    HostedPages,
    Effect.gen(function* () {
      const pay = yield* PayRoutes.make
      const threeds = yield* ThreeDSRoutes.make
      const show = yield* Layout.renderer
      const test = yield* TestMode.visible
      const settings = yield* Settings
      const wallClock = yield* AuthClock
      const perAddress = yield* ProcessLease.sharedLimit(settings.addressRate)
      const notice = (request: Pages.PageRequest, about: Parameters<typeof StatePage.notice>[1]) =>
        show(StatePage.notice(BrowserInput.language(request), about))

      const answer = Effect.fnUntraced(function* (received: Pages.PageRequest) {
        const { path, root } = Pages.addressOf(received.path)
        const request = { ...received, path }
        const isHome = isBrowserAtRoot(request)
        if (!isHome && !pagePath.test(request.path)) return undefined
        if (perAddress.take(CustomerAddress.network(request.remoteAddress), wallClock.nowMs()) !== undefined)
          return notice(request, "crowded")
        if (isHome)
          return show(HomePage.page(BrowserInput.language(request), request.publicBaseUrl, test !== undefined))
        const [, area = "", token = "", part = ""] = address.exec(request.path) ?? []
        const allow = allowed[area]?.[part]
        if (allow === undefined) return notice(request, "missing")
        if (request.method === "OPTIONS") return headersOnly(204, allow)
        if (!allow.split(", ").includes(request.method)) return headersOnly(405, allow)
        return yield* (area === "pay" ? pay : threeds)({ ...request, root }, token, part)
      })

      return (request) => Pages.orNotice(answer(request), () => notice(request, "broken"))
    })
  )
}
