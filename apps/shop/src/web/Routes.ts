/** Handlers become routes. What a handler cannot answer becomes a page that explains it. */
import type { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { Durable } from "@pay/flows/durable"
import type { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Records } from "../Records.ts"
import type { Settings } from "../Settings.ts"
import * as Page from "./Page.ts"
import { Visitor, withVisitor } from "./Visitor.ts"

type Services = Records | Settings | Durable | CallbackInbox | WebCustomerBrowser | Visitor | HttpRouter.Provided

/** A page, or after a form the path of one, so that a reload posts nothing again. */
export type Handler = Effect.Effect<Page.Page | `/${string}`, Page.Problem, Services>

/** Handlers by method and path. */
export type Routes = Readonly<Record<`${"GET" | "POST"} /${string}`, Handler>>

/** Reads the record that the path names. Another visitor's record is missing. */
export const own = <A extends { readonly owner: string }, R>(
  find: (id: string) => Effect.Effect<A | undefined, never, R>
) =>
  Effect.gen(function* () {
    const { id = "" } = yield* HttpRouter.params
    const visitor = yield* Visitor
    const entry = yield* find(id)
    return entry?.owner === visitor.id ? entry : yield* new Page.Problem({ why: "missing" })
  })

const respond = (handler: Handler) =>
  Effect.gen(function* () {
    const { token } = yield* Visitor
    const answer = yield* handler
    return typeof answer === "string"
      ? HttpServerResponse.redirect(answer, { status: 303, headers: { "cache-control": "no-store" } })
      : Page.render(answer, token)
  }).pipe(
    withVisitor,
    Effect.catchTag("Problem", ({ why }) => Effect.succeed(Page.problem(why))),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a page failed", defect), Page.problem("broken")))
  )

export const layer = (routes: Routes) =>
  HttpRouter.addAll(
    Object.entries(routes).map(([route, handler]) => {
      const [method, path = ""] = route.split(" /")
      return HttpRouter.route(method === "POST" ? "POST" : "GET", `/${path}`, respond(handler))
    })
  )
