/** Protects routes with the password of the shop's people. Without a password in the settings the routes do not exist. */
import { Effect, Record, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Settings } from "../Settings.ts"
import { Problem } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { isSame } from "../web/Visitor.ts"

/** Returns the password of HTTP Basic (RFC 7617). The name does not matter. */
const passwordOf = (authorization = ""): string | undefined => {
  const [scheme, credentials = ""] = authorization.split(" ")
  const [, ...password] = Buffer.from(credentials, "base64").toString("utf8").split(":")
  return scheme === "Basic" ? password.join(":") : undefined
}

const protect = (handler: Routes.Handler): Routes.Handler =>
  Effect.gen(function* () {
    const { officePassword } = yield* Settings
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    if (officePassword === undefined) return yield* new Problem({ why: "missing" })
    const isRight = isSame(Redacted.value(officePassword), passwordOf(headers.authorization))
    return isRight ? yield* handler : yield* new Problem({ why: "locked" })
  })

/** {@link Routes.layer} behind the password. */
export const layer = (routes: Routes.Routes) => Routes.layer(Record.map(routes, protect))
