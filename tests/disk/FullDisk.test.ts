/**
 * A gateway on a real disk that fills up: it refuses new orders before anything of them is done, finishes those that exist with its
 * reserve, says so at `/readyz`, and takes new orders again when there is room.
 */
import { spawnSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Http from "../harness/Http.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "../system/Copies.ts"

/** Options of `unshare` with which this user may mount a disk that only the process sees. */
const mounting = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
const onOwnDisk = 'mount -t tmpfs -o size=64m,mode=0700 tmpfs "$0" && exec "$@"'

/** A gateway whose data folder is a disk of its own. The simulated bank has another disk. */
const started = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const bank = { ...GatewayProcess.bank, ...Copies.withBankOf(yield* temporaryFolder) }
  const program = join(import.meta.dirname, "../harness/processes/gateway.ts")
  const { pid, ready } = yield* ChildProcess.start({
    program: "unshare",
    args: [...mounting, "sh", "-c", onOwnDisk, folder, process.execPath, program, folder, JSON.stringify({ bank })],
    ready: (line) => (line.startsWith("http") ? line : undefined),
    onLine: () => undefined
  })
  const ballast = `/proc/${pid}/root${folder}/ballast`
  const { hostname, origin, port } = new URL(ready)
  return {
    server: NodeServer.of({ host: hostname, port: Number(port), publicBaseUrl: origin, operatorUrl: origin }),
    fill: Effect.sync(() => spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"])),
    free: Effect.sync(() => existsSync(ballast) && rmSync(ballast))
  }
})

const readyz = Effect.gen(function* () {
  const { host, port } = yield* NodeServer
  return (yield* Http.send(`http://${host}:${port}/readyz`)).text.split(":").slice(0, 2).join(":").trim()
})

const untilApproved = (order: TestMerchant.Order, type: string) =>
  Effect.repeat(TestMerchant.status(order), {
    schedule: Schedule.spaced("20 millis"),
    until: (body) => body.status === "approved" && body["transaction-type"] === type
  })

describe("a gateway whose disk is full", () => {
  it.live("refuses new orders as not happened, finishes those that exist, and recovers by itself", () =>
    Effect.gen(function* () {
      const { fill, free, server } = yield* started
      yield* Effect.gen(function* () {
        const hold = TestMerchant.nameOf(yield* TestMerchant.create("PREAUTH"))
        yield* untilApproved(hold, "preauth")
        assert.strictEqual(yield* readyz, "ready")
        yield* fill
        const accepted: Array<TestMerchant.Order> = []
        const answers = new Set<string>()
        for (let n = 0; n < 60; n += 1) {
          const reply = yield* TestMerchant.create("SALE")
          if (reply.status === 200) accepted.push(TestMerchant.nameOf(reply))
          else answers.add(`${reply.status} ${reply.body["error-code"]} again in ${reply.headers["retry-after"]} s`)
        }
        assert.deepStrictEqual([...answers], ["503 85 again in 10 s"])
        assert.strictEqual(yield* readyz, "not ready: space")
        assert.strictEqual((yield* TestMerchant.act("CAPTURE", hold)).status, 200)
        yield* untilApproved(hold, "capture")
        for (const order of accepted) yield* untilApproved(order, "sale")
        yield* free
        yield* TestGateway.untilReadiness(200)
        yield* untilApproved(TestMerchant.nameOf(yield* TestMerchant.create("SALE")), "sale")
      }).pipe(Effect.provideService(NodeServer, server))
    })
  )
})
