/** Protects routes with the password of the shop's people. Without a password in the settings the routes do not exist. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import type * as Routes from "../web/Routes.ts"
import { missing } from "../web/Visitor.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** HTTP Basic (RFC 7617); the name does not matter. */
const matches = (password: Redacted.Redacted<string>, authorization = ""): boolean => {
  const [scheme, credentials = ""] = authorization.split(" ")
  const [, ...rest] = Buffer.from(credentials, "base64").toString("utf8").split(":")
  return scheme === "Basic" && timingSafeEqual(digest(rest.join(":")), digest(Redacted.value(password)))
}

const unauthorized = HttpServerResponse.text("The back office needs a password.", {
  status: 401,
  headers: { "www-authenticate": 'Basic realm="Foxglove back office", charset="UTF-8"', "cache-control": "no-store" }
})

export const protect = ({ handler, ...route }: Routes.Route): Routes.Route => ({
  ...route,
  handler: (page) =>
    Effect.flatMap(Settings, ({ officePassword }) => {
      if (officePassword === undefined) return Effect.fail(missing)
      const { authorization } = page.request.headers
      return matches(officePassword, authorization) ? handler(page) : Effect.succeed(unauthorized)
    })
})
