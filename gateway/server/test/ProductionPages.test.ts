/** The pages of a gateway for real money, which never show a test mode. */
import { assert, describe, it } from "@effect/vitest"
import { TestMode } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import { Deferred, Effect, Layer } from "effect"
import * as ProductionProcess from "../src/ProductionProcess.ts"
import * as Deployment from "./Deployment.ts"

const get = (port: number, path: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: "text/html" } })
    return { status: answer.status, body: await answer.text() }
  })

/** The test mode of a sandbox, as if its module were loaded in a production process. */
const leaked = Layer.succeed(TestMode, {
  cards: ThreeDSTestCards.cards.map(({ number }) => ({ number, outcome: "approved" as const })),
  password: ThreeDSTestCards.password
})

const pages = Effect.gen(function* () {
  const { port } = yield* NodeServer
  return [yield* get(port, "/"), yield* get(port, "/pay/nobody")]
})

describe("a gateway for real money", () => {
  it.live.each([
    ["by default", Layer.empty],
    ["even if a test mode is provided", leaked]
  ] as const)("shows no test mode and no test card on its pages, %s", ([, around]) =>
    Effect.gen(function* () {
      const report = yield* Deferred.make<Effect.Success<typeof pages>>()
      yield* Effect.forkScoped(
        Effect.provide(
          ProductionProcess.run(() => Effect.flatMap(pages, (answers) => Deferred.succeed(report, answers)), {
            isNew: true
          }),
          Layer.merge(yield* Deployment.within({}), around)
        )
      )
      const answers = yield* Deferred.await(report)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 404]
      )
      for (const { body } of answers) {
        assert.notInclude(body, "Test mode")
        assert.notMatch(body, /4444 ?\d{4}/)
      }
    })
  )
})
