/** `pay conformance --harmless`: the profile that it writes, its progress, and how it ends early. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as HabitGateway from "../../../tests/gateways/HabitGateway.ts"
import * as SlowGateway from "../../../tests/gateways/SlowGateway.ts"
import { type Kill, pay } from "./Pay.ts"
import { hurried } from "./QuickClock.ts"
import * as TestFiles from "./TestFiles.ts"

const folder = TestFiles.newFolder("first-contact")

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const local = "--base-url=http://127.0.0.1:1"

describe("pay conformance --harmless", () => {
  const { controlKey, endpoint, login } = HabitGateway.merchant
  const settings = { PAY_LOGIN: login, PAY_CONTROL_KEY: controlKey, PAY_ENDPOINT_ID: endpoint }

  it.live("writes a profile with which other commands speak to the gateway, and needs no test card", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* HabitGateway.start(HabitGateway.older)
      const env = { ...settings, PAY_BASE_URL: baseUrl }
      const path = join(folder, "gateway-profile.json")
      const run = yield* Effect.promise(() => pay(["conformance", "--harmless", `--write-profile=${path}`], { env }))
      assert.strictEqual(run.code, 0, run.err + run.out)
      assert.include(run.out, "none of which can move money")
      assert.include(run.out, `Programs read it by PAY_GATEWAY_PROFILE=${path}`)
      const ask = (profile: string) =>
        Effect.promise(() => pay(["doctor"], { env: { ...env, PAY_GATEWAY_PROFILE: profile } }))
      const doctor = yield* ask(path)
      assert.deepStrictEqual([doctor.code, doctor.out.includes("accepted (no such order, as it should be)")], [0, true])
      assert.strictEqual((yield* ask("paynet")).code, 1)
    })
  )

  it.live("ends with 1 at a gateway that accepts a wrong control, and names each request", () =>
    Effect.gen(function* () {
      const { baseUrl, booked } = yield* HabitGateway.start({ ...HabitGateway.announcing, believesAll: true })
      const args = ["conformance", "--harmless", `--base-url=${baseUrl}`, "--json"]
      const { code, out } = yield* Effect.promise(() => pay(args, { env: settings }))
      const { findings, outcome } = JSON.parse(out)
      assert.deepStrictEqual([code, outcome, booked.filter((each) => /sale/.test(each))], [1, "differs", []])
      assert.include(findings.join(), "sale with a signature of another key is accepted: it must be refused")
    })
  )

  it("prints the JSON Schema of the profile file", async () => {
    const { out } = await pay(["conformance", "--profile-schema"])
    expect(JSON.parse(out)).toHaveProperty("schema")
  })

  it.each([
    ["no login", [local, "--harmless"], "Give --endpoint-id"],
    [
      "a profile file without .json",
      ["--base-url=https://gateway.example", "--harmless", "--write-profile=x"],
      "ends with .json"
    ],
    [
      "a profile file without --harmless",
      [local, "--write-profile=x.json", "--file=x"],
      "--write-profile needs --harmless"
    ]
  ])("refuses %s", async (what, args, says) => {
    const env = what === "no login" ? {} : settings
    const { code, err } = await pay(["conformance", ...args], { env })
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
  })

  /** The address of a gateway that refuses everything in the same way, 15 s later on the clock that is a thousand times as fast. */
  const slow = Effect.map(
    SlowGateway.start(() => 15),
    ({ baseUrl }) => baseUrl
  )
  const args = ["conformance", "--harmless", "--time-limit=3600"]

  it.live("says every ten seconds how far it is, and ends after five minutes with what it saw", () =>
    Effect.gen(function* () {
      const env = { ...settings, PAY_BASE_URL: yield* slow }
      const { code, err, out } = yield* Effect.promise(() => pay(args, { env, clock: hurried }))
      assert.strictEqual(code, 4, out + err)
      assert.include(out, "UNFINISHED: the limit of 300 s for the run is reached; the profile has only what is certain")
      assert.match(err, /^\d+ of about \d+ harmless requests answered after \d+ s, about \d+ s left: finding the/m)
      assert.isAbove(err.split("\n").length, 3)
    })
  )

  it.live.each(["SIGINT", "SIGTERM"] as const)("ends with what it saw after %s", (signal) =>
    Effect.gen(function* () {
      const baseUrl = yield* slow
      const kept = file("kept.json", JSON.stringify({ profile: { answers: "pairs" } }))
      const untouched = readFileSync(kept, "utf8")
      const onError = (err: string, kill: Kill) => {
        if (err.includes("trying the signature")) kill(signal)
      }
      const run = (path: string) => {
        const named = [...args, `--base-url=${baseUrl}`, "--json", "--run-limit=3600", `--write-profile=${path}`]
        return Effect.promise(() => pay(named, { env: settings, clock: hurried, onError }))
      }
      const path = join(folder, `${signal}.json`)
      const { code, out } = yield* run(path)
      const { outcome, profile, unfinished } = JSON.parse(out)
      assert.deepStrictEqual([code, outcome, unfinished, profile], [4, "unfinished", "it was stopped", {}])
      assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")).profile, {})
      yield* run(kept)
      assert.strictEqual(readFileSync(kept, "utf8"), untouched)
    })
  )

  it.live("writes no profile before the dialect is found", () =>
    Effect.gen(function* () {
      const path = join(folder, "early.json")
      const named = [...args, `--base-url=${yield* slow}`, "--run-limit=20", `--write-profile=${path}`]
      const { code, out } = yield* Effect.promise(() => pay(named, { env: settings, clock: hurried }))
      assert.deepStrictEqual([code, existsSync(path)], [4, false])
      assert.include(out, `Not written: ${path}, because nothing is certain yet`)
    })
  )
})
