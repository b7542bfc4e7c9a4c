/** A first contact concludes nothing from answers that decide nothing, and ends with a report of them. */
import { assert, describe, it } from "@effect/vitest"
import * as FirstContact from "@pay/conformance/FirstContact"
import { Effect, Redacted } from "effect"
import { type Answer, before, type Fault } from "./FaultyGateway.ts"
import * as HabitGateway from "./HabitGateway.ts"

const { announcing, older } = HabitGateway
const { controlKey, endpoint, login } = HabitGateway.merchant
const merchant = { login, endpoint, controlKey: Redacted.make(controlKey) }

const contact = (baseUrl: string) => Effect.scoped(FirstContact.run({ baseUrl, merchant }))

describe("a first contact", () => {
  const json = { "content-type": "application/json", "retry-after": "0.01" }
  const busy = (status: number): Answer => ({ status, headers: json, body: '{"type":"error","error-code":"99"}' })
  const page: Answer = { status: 200, headers: { "content-type": "text/html" }, body: "<html>Blocked</html>" }
  const ends: ReadonlyArray<readonly [how: string, end: ReturnType<Fault>, says: RegExp]> = [
    ["429", busy(429), /status of an unknown order: HTTP 429, which decides nothing/],
    ["503", busy(503), /status of an unknown order: HTTP 503, which decides nothing/],
    ["a page", page, /status of an unknown order: HTTP 200, which is not of this protocol/],
    [
      "resets",
      (socket) => void socket.resetAndDestroy(),
      /status of an unknown order: no answer: the connection was reset/
    ]
  ]
  it.live.each(ends)("concludes nothing from a gateway that soon answers everything with %s", ([, end, says]) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(announcing)
      let arrived = 0
      const proxy = yield* before(baseUrl, ({ answer }) => {
        arrived += 1
        return arrived > 30 ? end : answer
      })
      const { file, findings, requests } = yield* contact(proxy)
      assert.deepStrictEqual(
        Object.values(file.observed.signatures).filter((each) => each.startsWith("accepted")),
        []
      )
      assert.isUndefined(file.profile.notFound)
      assert.match(findings.join("\n"), says)
      assert.isBelow(arrived, requests + 20 * 4)
    })
  )

  it.live("finds the path before /api/ also where every other path is refused with HTTP 200", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(older)
      const body = "type=validation-error&error-code=1&error-message=No+such+method\n"
      const proxy = yield* before(baseUrl, ({ answer }) =>
        answer.status === 404 ? { status: 200, headers: { "content-type": "text/html" }, body } : answer
      )
      const { file } = yield* contact(proxy)
      assert.deepInclude(file.profile, { pathPrefix: "/paynet", notFound: ["Order not found"] })
      assert.strictEqual(file.observed.signatures.STATUS, "accepted")
    })
  )
})
