/**
 * Identifies the person at the browser by a cookie that contains only a random identifier. Proves that a form is the shop's own
 * by a token made from that cookie and the shop's secret. Another site can neither read nor make the token.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Data, Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"

/** What a request cannot have; the page says so. */
export class Problem extends Data.TaggedError("Problem")<{ readonly status: 400 | 403 | 404; readonly says: string }> {}

/** Also what is somebody else's: nobody learns that it is there. */
export const missing = new Problem({ status: 404, says: "We could not find what you are looking for." })

/** Returns whether the text has the form of an identifier made by {@link newId}. */
export const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** Chance that nobody guesses. */
export const newId = Effect.sync(() => randomBytes(16).toString("base64url"))

export interface Visitor {
  readonly id: string
  /** Goes into each form, as `token`. */
  readonly token: string
  /** Fields of a posted form, proven to be the shop's own. */
  readonly form: Effect.Effect<Form, Problem>
}
export type Form = Readonly<Record<string, string>>

/** No form of the shop has more fields, nor a longer value: what an issuer sends back is the longest. */
const mostFields = 64
const longestValue = 16_384

const unreadable = new Problem({ status: 400, says: "This form could not be read." })

/** The fields of a posted form, whoever posted it. */
export const fieldsOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Form, Problem> =>
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
 * Runs a handler for whoever is at the browser. Who is new gets a cookie with the first page that is asked for: what another
 * site posts here (the issuer's way back) comes without the cookie, and must not replace it.
 */
export const met = <E, R>(
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
