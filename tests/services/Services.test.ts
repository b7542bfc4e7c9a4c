/**
 * Two shops on the packed packages, outside of the workspace. Each is killed again and again, at a gateway that is killed, too. A run of 200
 * kills takes about nine minutes for a shop on two busy cores.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Books from "./Books.ts"
import * as Killing from "./Killing.ts"
import * as KillPoints from "./KillPoints.ts"
import * as Projects from "./Projects.ts"

const shops = {
  "on Effect": { ...Projects.effect, points: KillPoints.effect, longest: 200 },
  "on Promises": { ...Projects.promise, points: KillPoints.promise, longest: 65 }
}

describe.each(Object.entries(shops))("a shop %s", (_, { install, longest, ...shop }) => {
  it.live(
    `of ${longest} lines that is killed 200 times, at a gateway that is killed, too, has the books of its bank and nothing open`,
    () =>
      Effect.gen(function* () {
        const project = yield* install
        assert.isAtMost(project.lines, longest)
        const folder = yield* temporaryFolder
        const run = yield* Killing.run({ ...shop, project, folder, kills: 200, gatewayEvery: 10 })
        const missed = [...run.hits].filter(([, count]) => count === 0)
        assert.deepStrictEqual(missed, [], "points at which it was never killed")
        assert.deepStrictEqual(run.left, [], run.lines.slice(-50).join("\n"))
        assert.isAtLeast(run.gatewayKills, 20)
        const { orders } = yield* TestGateway.quietly(run.data.gateway)(Books.assertEqual(run.data.shop))
        assert.isAtLeast(orders, 50)
      }),
    3_600_000
  )
})
