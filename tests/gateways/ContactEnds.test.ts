/** A first contact concludes nothing from answers that decide nothing, and ends with a report of them. */
import { assert, describe, it } from "@effect/vitest"
import * as FirstContact from "@pay/conformance/FirstContact"
import * as ProfileFile from "@pay/conformance/ProfileFile"
import { Deferred, Effect, Redacted } from "effect"
import { type Answer, before, type Fault } from "./FaultyGateway.ts"
import * as HabitGateway from "./HabitGateway.ts"
import * as SlowGateway from "./SlowGateway.ts"

const { announcing, older, plainJson } = HabitGateway
const { controlKey, endpoint, login } = HabitGateway.merchant
const merchant = { login, endpoint, controlKey: Redacted.make(controlKey) }

const contact = (baseUrl: string, options: Partial<FirstContact.Options> = {}) =>
  Effect.scoped(FirstContact.run({ baseUrl, merchant, ...options }))

/** A contact that is stopped when so many requests have arrived, the last of which has no answer. */
const stoppedAfter = Effect.fnUntraced(function* (gateway: string, most: number) {
  const stop = yield* Deferred.make<string>()
  let arrived = 0
  const proxy = yield* before(gateway, ({ answer }) => {
    arrived += 1
    if (arrived < most) return answer
    Deferred.doneUnsafe(stop, Effect.succeed("it was stopped"))
    return () => undefined
  })
  return yield* contact(proxy, { stop: Deferred.await(stop) })
})

/** Whether each entry of the part is also one of the whole. */
const isPart = (part: object, whole: object): boolean => {
  const entries = new Map(Object.entries(whole).map(([name, value]) => [name, JSON.stringify(value)]))
  return Object.entries(part).every(([name, value]) => entries.get(name) === JSON.stringify(value))
}

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

  const stopped: ReadonlyArray<readonly [name: string, habits: HabitGateway.Habits]> = [
    ["the older dialect", older],
    ["plain JSON", plainJson],
    ["the specification", announcing]
  ]
  it.live.each(stopped)("claims only what the whole contact proves, wherever it is stopped: %s", ([, habits]) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(habits)
      const whole = yield* contact(baseUrl)
      for (const most of [3, 20, 48, 58, whole.requests - 1]) {
        const { file, findings, unfinished } = yield* stoppedAfter(baseUrl, most)
        const { observed, profile } = file
        const after = `after ${most}: ${JSON.stringify(file)}`
        assert.deepStrictEqual([unfinished, findings], ["it was stopped", []], after)
        assert.isTrue(isPart(profile, whole.file.profile), after)
        assert.isTrue(isPart(observed.signatures, whole.file.observed.signatures), after)
        const answers = Object.entries(observed.answers).filter(([name]) => !/ at .* in (json|pairs)$/.test(name))
        assert.isTrue(isPart(Object.fromEntries(answers), whole.file.observed.answers), after)
        assert.isNotEmpty(Object.keys(observed.answers), after)
        assert.include(observed.undetermined.join(), "notFound, typesErrors, recipes", after)
        assert.isUndefined(profile.notFound ?? profile.typesErrors, after)
      }
      assert.strictEqual((yield* stoppedAfter(baseUrl, 58)).file.profile.answers, whole.file.profile.answers)
    })
  )

  it.live("keeps no profile of a gateway whose dialect it has not found, and shows the answers until then", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(older)
      const { file, isPlaced } = yield* stoppedAfter(baseUrl, 3)
      assert.deepStrictEqual([isPlaced, file.profile], [false, {}])
      assert.match(Object.keys(file.observed.answers).join(), /status of an unknown order at \/api\/ in (json|pairs)/)
      assert.match(file.observed.undetermined.join(), /^answers, pathPrefix, lacks, /)
    })
  )

  it.live("asks few questions side by side, and none that decides nothing where every answer is the same", () =>
    Effect.gen(function* () {
      const { baseUrl, load } = yield* SlowGateway.start((request) => (request % 2 === 0 ? 1 : 6))
      const { file, requests } = yield* contact(baseUrl)
      assert.deepStrictEqual([load.atOnce, requests], [4, load.all])
      assert.isBelow(requests, 110)
      assert.deepStrictEqual(file.profile, { typesErrors: true })
      const slow = yield* SlowGateway.start(() => 1)
      const alone = yield* contact(slow.baseUrl, { concurrency: 1 })
      assert.deepStrictEqual([slow.load.atOnce, ProfileFile.write(alone.file)], [1, ProfileFile.write(file)])
    })
  )

  it.live("says how far it is: what it asks, and how many requests are expected", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* SlowGateway.start(() => 3)
      const reports: Array<FirstContact.Progress> = []
      const { requests } = yield* contact(baseUrl, {
        onProgress: (progress) => reports.push(progress),
        progressEvery: "2 millis"
      })
      const asks = [...new Set(reports.map((each) => each.asks))]
      assert.deepStrictEqual(asks, [
        "finding the path before /api/ and the dialect",
        "finding the operations",
        "asking for orders that do not exist",
        "trying the signature of each operation"
      ])
      assert.isTrue(reports.every(({ answered, expected }) => answered <= expected && expected >= 75 && expected < 110))
      assert.strictEqual(reports.at(-1)?.expected, requests)
    })
  )
})
