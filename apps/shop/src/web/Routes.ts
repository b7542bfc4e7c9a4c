/**
 * Makes routes from handlers. A visitor is identified by a cookie that contains only a random identifier. The shop's own forms
 * contain a token made from that identifier and the shop's secret: another site can neither read nor make the token.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"
import type { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import type { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import type { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Record, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import type { Records } from "../Records.ts"
import { Settings } from "../Settings.ts"
import * as Page from "./Page.ts"

/** The visitor who sent the request. Each form of the shop contains `token`. */
export class Visitor extends Context.Service<Visitor, { readonly id: string; readonly token: string }>()(
  "@pay/shop/web/Visitor"
) {}

type Services =
  | Records
  | Settings
  | FlowEngine
  | PayClient
  | CustomerBrowser
  | CallbackInbox
  | WebCustomerBrowser
  | Visitor
  | HttpRouter.Provided

/** Returns a page, or after a form the path of a page, so that a reload does not submit the form again. */
type Handler = Effect.Effect<Page.ShopPage | `/${string}`, Page.Problem, Services>

type Routes = Readonly<Record<`${"GET" | "POST"} /${string}`, Handler>>

/** Returns whether the text has the form of an identifier made by {@link newId}. */
export const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** A random identifier that cannot be guessed. */
export const newId = Effect.sync(() => randomBytes(16).toString("base64url"))

/** Compares two texts in a time that does not depend on where they differ. */
const isSame = (secret: string, text: string | undefined): boolean =>
  text !== undefined && timingSafeEqual(hash("sha256", secret, "buffer"), hash("sha256", text, "buffer"))

/** The fields of a form. No form of the shop has more fields or longer values than these limits. */
const Form = Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(4096))).check(
  Schema.isMaxProperties(64)
)
export type Form = typeof Form.Type

/** Reads the posted form, and verifies by its token that the form is the shop's own. */
export const formValues = Effect.gen(function* () {
  const { token } = yield* Visitor
  const fields = yield* HttpServerRequest.schemaBodyUrlParams(Form)
  return isSame(token, fields.token) ? fields : yield* new Page.Problem({ why: "expired" })
}).pipe(Effect.mapError((error) => (error._tag === "Problem" ? error : new Page.Problem({ why: "unreadable" }))))

/** Reads the record that the path names. Fails if it does not exist. */
export const recordOfPath = <A, R>(find: (id: string) => Effect.Effect<A | undefined, never, R>) =>
  Effect.gen(function* () {
    const { id = "" } = yield* HttpRouter.params
    return (yield* find(id)) ?? (yield* new Page.Problem({ why: "missing" }))
  })

/** Reads the visitor's own record that the path names. Fails if it does not exist or belongs to another visitor. */
export const ownRecordOfPath = <A extends { readonly owner: string }, R>(
  find: (id: string) => Effect.Effect<A | undefined, never, R>
) =>
  Effect.gen(function* () {
    const visitor = yield* Visitor
    const entry = yield* recordOfPath(find)
    return entry.owner === visitor.id ? entry : yield* new Page.Problem({ why: "missing" })
  })

/**
 * Responds to the visitor. A new visitor gets a cookie with the response to a GET request. A form that another site posts arrives
 * without the cookie, and the response must not replace the cookie.
 */
const respond = Effect.fnUntraced(
  function* (handler: Handler) {
    const { publicUrl, secret } = yield* Settings
    const { cookies, method } = yield* HttpServerRequest.HttpServerRequest
    const secure = publicUrl.startsWith("https:")
    // With https, the prefix `__Host-` prevents other hosts of the domain from setting the cookie.
    const cookie = secure ? "__Host-visitor" : "visitor"
    const existing = cookies[cookie]
    const isNew = !isId(existing)
    const id = isNew ? yield* newId : existing
    const token = createHmac("sha256", Redacted.value(secret)).update(`form ${id}`).digest("base64url")
    const answer = yield* Effect.provideService(handler, Visitor, { id, token })
    const response =
      typeof answer === "string"
        ? HttpServerResponse.redirect(answer, { status: 303, headers: { "cache-control": "no-store" } })
        : Page.render(answer, token)
    const options = { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: "365 days" } as const
    return isNew && method === "GET" ? HttpServerResponse.setCookieUnsafe(response, cookie, id, options) : response
  },
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

/** Requires the password by HTTP Basic (RFC 7617). The user name is ignored. */
const protect = (handler: Handler): Handler =>
  Effect.gen(function* () {
    const { officePassword = Redacted.make("") } = yield* Settings
    if (Redacted.value(officePassword) === "") return yield* new Page.Problem({ why: "missing" })
    const { password } = yield* HttpApiBuilder.securityDecode(HttpApiSecurity.basic)
    const isRight = isSame(Redacted.value(officePassword), Redacted.value(password))
    return isRight ? yield* handler : yield* new Page.Problem({ why: "locked" })
  })

/** Makes the routes of the back office, which require its password. Without a password in the settings they do not exist. */
export const officeLayer = (routes: Routes) => layer(Record.map(routes, protect))
