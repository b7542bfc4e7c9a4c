/** How handlers become routes: each knows who is at the browser, and what it cannot have becomes a page that says so. */
import type { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { Durable } from "@pay/flows/durable"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Wallet } from "../cards/Wallet.ts"
import * as ShopPages from "../catalogue/ShopPages.ts"
import type { Actions } from "../office/Actions.ts"
import type { Orders } from "../orders/Orders.ts"
import type { Payouts } from "../payout/Payouts.ts"
import type { Settings } from "../Settings.ts"
import type { Subscriptions } from "../subscription/Subscriptions.ts"
import * as Layout from "./Layout.ts"
import { met, type Problem, type Visitor } from "./Visitor.ts"

export type Services =
  | Orders
  | Actions
  | Wallet
  | Payouts
  | Subscriptions
  | Settings
  | Durable
  | CallbackInbox
  | PayClient

export interface PageRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly visitor: Visitor
  /** A part of the path: `:id`. */
  readonly part: (name: string) => string
}

export type Handler = (
  pageRequest: PageRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, Problem, Services>

const headers = { "cache-control": "no-store" }

/** After a form: the browser gets another page, so that a reload sends nothing again. */
export const goTo = (path: string) => HttpServerResponse.redirect(path, { status: 303, headers })

/** What a page that watches for news compares. */
export const state = (text: string) => HttpServerResponse.text(text, { headers })

const pageOf = (problem: Problem) => Layout.render(ShopPages.problem(problem))

const broken = Layout.render(
  ShopPages.problem({
    status: 500,
    says: "Something went wrong on our side. Nothing was lost; please try again in a moment."
  })
)

const serve = (handler: Handler) => (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(HttpRouter.params, (parts) =>
    met(request, (visitor) => handler({ request, visitor, part: (name) => parts[name] ?? "" }))
  ).pipe(
    Effect.catchTag("Problem", (problem) => Effect.succeed(pageOf(problem))),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a page failed", defect), broken))
  )

export interface Route {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly handler: Handler
}

export const get = (path: Route["path"], handler: Handler): Route => ({ method: "GET", path, handler })
export const post = (path: Route["path"], handler: Handler): Route => ({ method: "POST", path, handler })

export const layer = (routes: ReadonlyArray<Route>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      for (const { handler, method, path } of routes) {
        const answer = serve(handler)
        yield* router.add(method, path, (request) => Effect.provideContext(answer(request), context))
      }
    })
  )
