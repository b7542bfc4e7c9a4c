/**
 * Identifies the person at the browser by a cookie that contains only a random identifier. Proves that a form is the shop's own
 * by a token made from that cookie and the shop's secret. Another site can neither read nor make the token.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Data, Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"

/** Why a request cannot be answered, in words for the page. */
export class Problem extends Data.TaggedError("Problem")<{
  readonly status: 400 | 401 | 403 | 404
  readonly says: string
}> {}

/** Also the answer about the orders of other visitors, which does not reveal that they exist. */
export const missing = new Problem({ status: 404, says: "We could not find what you are looking for." })

/** Returns whether the text has the form of an identifier made by {@link newId}. */
export const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** A random identifier that cannot be guessed. */
export const newId = Effect.sync(() => randomBytes(16).toString("base64url"))

export interface Visitor {
  readonly id: string
  /** The value of the field `token` in each form. */
  readonly token: string
  /** Fields of a posted form, proven to be the shop's own. */
  readonly form: Effect.Effect<Form, Problem>
}
export type Form = Readonly<Record<string, string>>

/** No form of the shop has more fields or a longer value. */
const mostFields = 64
const longestValue = 4096

const unreadable = new Problem({ status: 400, says: "This form could not be read." })

/** The fields of a posted form, from whatever site. */
const fieldsOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Form, Problem> =>
  request.text.pipe(
    Effect.map((body) => [...new URLSearchParams(body)]),
    Effect.mapError(() => unreadable),
    Effect.filterOrFail(
      (fields) => fields.length <= mostFields && fields.every(([, value]) => value.length <= longestValue),
      () => unreadable
    ),
    Effect.map((fields): Form => Object.fromEntries(fields))
  )

const tokenOf = (secret: Redacted.Redacted<string>, id: string): Buffer =>
  createHmac("sha256", Redacted.value(secret)).update(`form ${id}`).digest()

const matches = (token: Buffer, text = ""): boolean => {
  const given = Buffer.from(text, "base64url")
  return given.length === token.length && timingSafeEqual(given, token)
}

/** Returns the name of the visitor's cookie. With https it is a name that no other host of the domain can set. */
const cookieOf = (publicUrl: string) => (publicUrl.startsWith("https:") ? "__Host-visitor" : "visitor")

/**
 * Runs a handler for the visitor at the browser. A new visitor gets a cookie with the first page that is read: a form that another
 * site posts comes without the cookie, and the answer must not replace it.
 */
export const withVisitor = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  handle: (visitor: Visitor) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.gen(function* () {
    const { publicUrl, secret } = yield* Settings
    const cookie = cookieOf(publicUrl)
    const existing = request.cookies[cookie]
    const id = isId(existing) ? existing : yield* newId
    const token = tokenOf(secret, id)
    const form = Effect.filterOrFail(
      fieldsOf(request),
      (fields) => isId(existing) && matches(token, fields.token),
      () => new Problem({ status: 403, says: "This form has expired. Please go back, reload the page and try again." })
    )
    const response = yield* handle({ id, token: token.toString("base64url"), form })
    return id === existing || request.method !== "GET"
      ? response
      : HttpServerResponse.setCookieUnsafe(response, cookie, id, {
          path: "/",
          httpOnly: true,
          sameSite: "lax",
          secure: publicUrl.startsWith("https:"),
          maxAge: "365 days"
        })
  })
