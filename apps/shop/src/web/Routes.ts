/** Handlers become routes: each learns who is at the browser, and a problem becomes a page that explains it. */
import type { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { Durable } from "@pay/flows/durable"
import type { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Records } from "../Records.ts"
import type { Settings } from "../Settings.ts"
import * as Page from "./Page.ts"
import { type Problem, type Visitor, withVisitor } from "./Visitor.ts"

type Services = Records | Settings | Durable | CallbackInbox | WebCustomerBrowser

export interface PageRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly visitor: Visitor
  /** Returns a part of the path: `:id`. */
  readonly part: (name: string) => string
}

type Handler = (page: PageRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, Problem, Services>

export interface Route {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly handler: Handler
}

export const get = (path: Route["path"], handler: Handler): Route => ({ method: "GET", path, handler })
export const post = (path: Route["path"], handler: Handler): Route => ({ method: "POST", path, handler })

/** After a form the browser gets another page, so that a reload posts nothing again. */
export const goTo = (path: string) =>
  HttpServerResponse.redirect(path, { status: 303, headers: { "cache-control": "no-store" } })

const failure = {
  status: 500,
  says: "Something went wrong on our side. Nothing was lost; please try again in a moment."
}

const serve = (handler: Handler) => (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(HttpRouter.params, (parts) =>
    withVisitor(request, (visitor) => handler({ request, visitor, part: (name) => parts[name] ?? "" }))
  ).pipe(
    Effect.catchTag("Problem", (problem) => Effect.succeed(Page.problem(problem))),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a page failed", defect), Page.problem(failure)))
  )

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
