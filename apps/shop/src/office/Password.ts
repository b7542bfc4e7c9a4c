/** Protects routes with the password of the shop's people. Without a password in the settings the routes do not exist. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Effect, Record, Redacted } from "effect"
import { Settings } from "../Settings.ts"
import * as Routes from "../web/Routes.ts"
import { missing, Problem } from "../web/Visitor.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** HTTP Basic (RFC 7617); the name does not matter. */
const matches = (password: Redacted.Redacted<string>, authorization = ""): boolean => {
  const [scheme, credentials = ""] = authorization.split(" ")
  const [, ...rest] = Buffer.from(credentials, "base64").toString("utf8").split(":")
  return scheme === "Basic" && timingSafeEqual(digest(rest.join(":")), digest(Redacted.value(password)))
}

const unauthorized = new Problem({ status: 401, says: "The back office needs a password." })

const protect =
  (handler: Routes.Handler): Routes.Handler =>
  (page) =>
    Effect.flatMap(Settings, ({ officePassword }) => {
      if (officePassword === undefined) return Effect.fail(missing)
      return matches(officePassword, page.request.headers.authorization) ? handler(page) : Effect.fail(unauthorized)
    })

/** {@link Routes.layer} behind the password. */
export const layer = (routes: Routes.Routes) => Routes.layer(Record.map(routes, protect))
