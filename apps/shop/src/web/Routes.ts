/** Handlers become routes: each learns who is at the browser, and a problem becomes a page that explains it. */
import type { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { Durable } from "@pay/flows/durable"
import type { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Records } from "../Records.ts"
import type { Settings } from "../Settings.ts"
import * as Page from "./Page.ts"
import { missing, type Problem, type Visitor, withVisitor } from "./Visitor.ts"

type Services = Records | Settings | Durable | CallbackInbox | WebCustomerBrowser

export interface PageRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly visitor: Visitor
  /** Returns a part of the path: `:id`. */
  readonly part: (name: string) => string
}

/** A page, or after a form the path of one, so that a reload posts nothing again. */
export type Handler = (request: PageRequest) => Effect.Effect<Page.Page | `/${string}`, Problem, Services>

/** Handlers by method and path. */
export type Routes = Readonly<Record<`${"GET" | "POST"} /${string}`, Handler>>

/** Reads the record that the path names. Another visitor's record is missing. */
export const own =
  <A extends { readonly owner: string }, R>(find: (id: string) => Effect.Effect<A | undefined, never, R>) =>
  ({ part, visitor }: PageRequest) =>
    Effect.flatMap(find(part("id")), (entry) =>
      entry?.owner === visitor.id ? Effect.succeed(entry) : Effect.fail(missing)
    )

const failure = { status: 500, says: "Something went wrong on our side. Nothing was lost; please try again later." }

const serve = (handler: Handler) => (request: HttpServerRequest.HttpServerRequest) =>
  Effect.flatMap(HttpRouter.params, (parts) =>
    withVisitor(request, (visitor) =>
      Effect.map(handler({ request, visitor, part: (name) => parts[name] ?? "" }), (answer) =>
        typeof answer === "string"
          ? HttpServerResponse.redirect(answer, { status: 303, headers: { "cache-control": "no-store" } })
          : Page.render(answer)
      )
    )
  ).pipe(
    Effect.catchTag("Problem", (problem) => Effect.succeed(Page.problem(problem))),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a page failed", defect), Page.problem(failure)))
  )

export const layer = (routes: Routes) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Services>()
      for (const [route, handler] of Object.entries(routes)) {
        const answer = serve(handler)
        const method = route.startsWith("POST ") ? "POST" : "GET"
        const path = `/${route.slice(method.length + 2)}` as const
        yield* router.add(method, path, (request) => Effect.provideContext(answer(request), context))
      }
    })
  )
