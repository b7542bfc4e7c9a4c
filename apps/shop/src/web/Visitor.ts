/**
 * Identifies the person at the browser by a cookie that contains only a random identifier. Proves that a form is the shop's own
 * by a token made from that cookie and the shop's secret. Another site can neither read nor make the token.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Context, Effect, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import { Problem } from "./Page.ts"

export class Visitor extends Context.Service<
  Visitor,
  {
    readonly id: string
    readonly isNew: boolean
    /** The value of the field `token` in each form. */
    readonly token: string
  }
>()("@pay/shop/web/Visitor") {}

/** Returns whether the text has the form of an identifier made by {@link newId}. */
export const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** A random identifier that cannot be guessed. */
export const newId = Effect.sync(() => randomBytes(16).toString("base64url"))

/** Compares in a time that does not depend on where the texts differ. */
export const isSame = (secret: string, text: string | undefined): boolean =>
  text !== undefined && timingSafeEqual(hash("sha256", secret, "buffer"), hash("sha256", text, "buffer"))

/** No form of the shop has more fields or a longer value. */
const Form = Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(4096))).check(
  Schema.isMaxProperties(64)
)
export type Form = typeof Form.Type

/** Reads the posted form, and proves that it is the shop's own. */
export const form = Effect.gen(function* () {
  const { isNew, token } = yield* Visitor
  const fields = yield* HttpServerRequest.schemaBodyUrlParams(Form)
  return isNew || !isSame(token, fields.token) ? yield* new Problem({ why: "expired" }) : fields
}).pipe(Effect.mapError((error) => (error._tag === "Problem" ? error : new Problem({ why: "unreadable" }))))

/**
 * Answers the visitor at the browser. A new visitor gets a cookie with the first page that is read: a form that another site
 * posts comes without the cookie, and the answer must not replace it.
 */
export const withVisitor = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function* () {
    const { publicUrl, secret } = yield* Settings
    const { cookies, method } = yield* HttpServerRequest.HttpServerRequest
    const secure = publicUrl.startsWith("https:")
    // With https it is a name that no other host of the domain can set.
    const cookie = secure ? "__Host-visitor" : "visitor"
    const existing = cookies[cookie]
    const isNew = !isId(existing)
    const id = isNew ? yield* newId : existing
    const token = createHmac("sha256", Redacted.value(secret)).update(`form ${id}`).digest("base64url")
    const response = yield* Effect.provideService(answer, Visitor, { id, isNew, token })
    const options = { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: "365 days" } as const
    return isNew && method === "GET" ? HttpServerResponse.setCookieUnsafe(response, cookie, id, options) : response
  })
