import { assert, describe, it } from "@effect/vitest"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import * as Jobs from "../../src/kernel/Jobs.ts"

const claim = { token: "new", leaseUntilMs: 9 }
const make = (claim?: Jobs.Claim) => Jobs.make({ kind: "bank", subject: "1", merchantId: "m", nowMs: 1, claim })
const mine = Decision.leaseIs("bank:1", "mine")

describe("a decision starts the jobs that it gives to this process", () => {
  it.each([
    ["a new job under a claim", [], [Decision.append(Job, make(claim))], ["bank:1"]],
    ["a new job without a claim", [], [Decision.append(Job, make())], []],
    ["its own job under a new claim", [mine], [Decision.put(Job, make(claim))], ["bank:1"]],
    ["its own job under the lease that it has", [mine], [Decision.put(Job, make({ ...claim, token: "mine" }))], []],
    ["a job that ends", [mine], [Decision.remove(Job, ["bank:1"])], []],
    ["another entity", [], [Decision.post("account", 1)], []]
  ] as const)("%s", (_, guards, writes, started) =>
    assert.deepStrictEqual(
      Jobs.started({ guards, writes }).map(({ jobId }) => jobId),
      [...started]
    )
  )
})
