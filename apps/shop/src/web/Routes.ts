/**
 * Handlers become routes. A visitor is identified by a cookie that contains only a random identifier. A form is proven to be the
 * shop's own by a token made from that cookie and the shop's secret: another site can neither read nor make it.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"
import type { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { Durable } from "@pay/flows/durable"
import type { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Context, Effect, Record, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import type { Records } from "../Records.ts"
import { Settings } from "../Settings.ts"
import * as Page from "./Page.ts"

/** The person at the browser. `token` is in each form of the shop. */
export class Visitor extends Context.Service<Visitor, { readonly id: string; readonly token: string }>()(
  "@pay/shop/web/Visitor"
) {}

type Services = Records | Settings | Durable | CallbackInbox | WebCustomerBrowser | Visitor | HttpRouter.Provided

/** Gives a page, or after a form the path of one, so that a reload posts nothing again. */
type Handler = Effect.Effect<Page.Page | `/${string}`, Page.Problem, Services>

/** Handlers by method and path. */
type Routes = Readonly<Record<`${"GET" | "POST"} /${string}`, Handler>>

/** Returns whether the text has the form of an identifier made by {@link newId}. */
export const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** A random identifier that cannot be guessed. */
export const newId = Effect.sync(() => randomBytes(16).toString("base64url"))

/** Compares in a time that does not depend on where the texts differ. */
const isSame = (secret: string, text: string | undefined): boolean =>
  text !== undefined && timingSafeEqual(hash("sha256", secret, "buffer"), hash("sha256", text, "buffer"))

/** No form of the shop has more fields or a longer value. */
const Form = Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(4096))).check(
  Schema.isMaxProperties(64)
)
export type Form = typeof Form.Type

/** Reads the posted form, and proves that it is the shop's own. */
export const formValues = Effect.gen(function* () {
  const { token } = yield* Visitor
  const fields = yield* HttpServerRequest.schemaBodyUrlParams(Form)
  return isSame(token, fields.token) ? fields : yield* new Page.Problem({ why: "expired" })
}).pipe(Effect.mapError((error) => (error._tag === "Problem" ? error : new Page.Problem({ why: "unreadable" }))))

/** Reads what the path names. */
export const named = <A, R>(find: (id: string) => Effect.Effect<A | undefined, never, R>) =>
  Effect.gen(function* () {
    const { id = "" } = yield* HttpRouter.params
    return (yield* find(id)) ?? (yield* new Page.Problem({ why: "missing" }))
  })

/** Reads the record that the path names. Another visitor's record is missing. */
export const own = <A extends { readonly owner: string }, R>(
  find: (id: string) => Effect.Effect<A | undefined, never, R>
) =>
  Effect.gen(function* () {
    const visitor = yield* Visitor
    const entry = yield* named(find)
    return entry.owner === visitor.id ? entry : yield* new Page.Problem({ why: "missing" })
  })

/**
 * Answers the visitor at the browser. A new visitor gets a cookie with the first page that is read: a form that another site
 * posts comes without the cookie, and the answer must not replace it.
 */
const respond = Effect.fnUntraced(
  function* (handler: Handler) {
    const { publicUrl, secret } = yield* Settings
    const { cookies, method } = yield* HttpServerRequest.HttpServerRequest
    const secure = publicUrl.startsWith("https:")
    // With https it is a name that no other host of the domain can set.
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

/** Asks for the password by HTTP Basic (RFC 7617). The name does not matter. */
const protect = (handler: Handler): Handler =>
  Effect.gen(function* () {
    const { officePassword = Redacted.make("") } = yield* Settings
    if (Redacted.value(officePassword) === "") return yield* new Page.Problem({ why: "missing" })
    const { password } = yield* HttpApiBuilder.securityDecode(HttpApiSecurity.basic)
    const isRight = isSame(Redacted.value(officePassword), Redacted.value(password))
    return isRight ? yield* handler : yield* new Page.Problem({ why: "locked" })
  })

/** {@link layer} behind the password of the shop's people. Without a password in the settings the routes do not exist. */
export const officeLayer = (routes: Routes) => layer(Record.map(routes, protect))
