/** The flags of `pay crashtest`, its command, and its progress. */
import { describe, expect, it } from "@effect/vitest"
import type { Progress } from "@pay/crashtest/Tally"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Options from "../src/crashtest/CrashTestOptions.ts"
import * as CrashTestProgress from "../src/crashtest/CrashTestProgress.ts"

const wanted = (...args: ReadonlyArray<string>) => Options.wantedOf(Options.parse(args))

describe("pay crashtest takes", () => {
  it("what follows -- as the shop's command, with flags of its own", () =>
    expect(wanted("--seed", "7", "--", "php", "-S", "127.0.0.1:9000", "--list", "--", "x")).toMatchObject({
      seed: 7,
      command: ["php", "-S", "127.0.0.1:9000", "--list", "--", "x"]
    }))
  it("300 payments with all faults by default", () =>
    expect(wanted("--", "php")).toMatchObject({
      payments: 300,
      minutes: undefined,
      seed: undefined,
      only: undefined,
      kinds: undefined,
      overrides: {},
      variables: {}
    }))
  it.each([
    ["names of faults in any case", ["--kinds", "lostAnswer, LATECALLBACK"], { kinds: ["lostAnswer", "lateCallback"] }],
    ["a case of a run", ["--seed=7", "--case=318"], { seed: 7, only: 318 }],
    [
      "an address and patience",
      ["--url=http://127.0.0.1:1", "--patience=9"],
      { overrides: { url: "http://127.0.0.1:1", patience: "9 seconds" } }
    ],
    ["variables", ["--env", "A={url}", "--env", "B=x=y"], { variables: { A: "{url}", B: "x=y" } }]
  ])("%s", (_, args, expected) => expect(wanted(...args, "--", "php")).toMatchObject(expected))
})

describe("pay crashtest refuses", () => {
  it.each([
    ["no command", [], "Give the command that starts the shop after --"],
    ["nothing after --", ["--"], "Give the command that starts the shop after --"],
    ["a command without --", ["php", "shop.php"], "Write the command that starts the shop after --"],
    ["no payment", ["--payments", "0", "--", "php"], "--payments is a whole number from 1 to 1000000"],
    ["half a minute", ["--minutes", "0.5", "--", "php"], "--minutes is a whole number from 1 to 10000"],
    ["a seed in words", ["--seed", "seven", "--", "php"], "--seed is a whole number from 1"],
    ["a misspelt fault", ["--kinds", "lostAnswr", "--", "php"], "--kinds: did you mean lostAnswer?"],
    ["a case of no run", ["--case", "318", "--", "php"], "--case needs the seed of its run: --seed NUMBER"],
    ["no fault", ["--kinds", ",", "--", "php"], "--kinds names no fault"],
    ["an unknown fault", ["--kinds", "earthquake", "--", "php"], "pay crashtest --list shows the names"],
    ["a variable without a text", ["--env", "URL", "--", "php"], "--env is a name and a text: --env GATEWAY_URL={url}"],
    ["a flag without its value before --", ["--seed", "--", "php"], "--seed needs a value"]
  ])("%s", (_, args, message) => expect(() => wanted(...args)).toThrow(message))
})

describe("the command that repeats a case", () => {
  it.each([
    ["has seed, case and command", [], 318, "pay crashtest --seed 7 --case 318 -- php 'my shop.php'"],
    [
      "has the flags by which the shop is driven, and none of the plan",
      ["--payments=9", "--kinds=lostAnswer", "--env", "A={url}", "--env", "B=2", "--patience=3", "--report=html"],
      318,
      "pay crashtest --seed 7 --case 318 --env 'A={url}' --env B=2 --patience 3 -- php 'my shop.php'"
    ],
    [
      "repeats the whole run for a finding without a case",
      ["--payments=9", "--kinds=lostAnswer"],
      0,
      "pay crashtest --seed 7 --payments 9 --kinds lostAnswer -- php 'my shop.php'"
    ]
  ])("%s", (_, args, number, line) =>
    expect(Options.replay(Options.parse([...args, "--", "php", "my shop.php"]), 7, number)).toBe(line)
  )
})

const progress = (done: number, planned: number, findings = 0): Progress => ({
  done,
  planned,
  findings,
  phase: "starting"
})

describe("the progress of a crash test", () => {
  it.each([
    ["before its payments", progress(0, 0), { elapsedMs: 5000 }, "starting"],
    ["without an estimate at first", progress(0, 300), { elapsedMs: 5000 }, "0 of 300 payments, 0 findings"],
    [
      "with the time that is left",
      progress(100, 1000, 1),
      { elapsedMs: 5000 },
      "100 of 1,000 payments, 1 finding, about 45 s left"
    ],
    ["in minutes", progress(100, 10_000), { elapsedMs: 5000 }, "100 of 10,000 payments, 0 findings, about 8 min left"],
    [
      "up to its limit",
      progress(100, 10_000),
      { elapsedMs: 5000, limitMs: 60_000 },
      "100 of 10,000 payments, 0 findings, about 55 s left"
    ],
    ["at its end", progress(300, 300, 4), { elapsedMs: 5000 }, "300 of 300 payments, 4 findings"]
  ])("is one line: %s", (_, each, times, text) => expect(CrashTestProgress.line(each, times)).toBe(text))

  it.effect("is printed every ten seconds without a terminal", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const tell = yield* CrashTestProgress.make(undefined, (text) => lines.push(text))
      yield* TestClock.adjust("1 second")
      yield* tell({ ...progress(0, 300), phase: "payments with faults" })
      yield* TestClock.adjust("5 seconds")
      yield* tell({ ...progress(100, 300), phase: "payments with faults" })
      yield* TestClock.adjust("5 seconds")
      expect(lines).toEqual(["starting", "100 of 300 payments, 0 findings, about 18 s left"])
    })
  )

  it.effect("is one changing line on a terminal, shorter than the terminal is wide, and gone at the end", () =>
    Effect.gen(function* () {
      let text = ""
      const screen = { columns: () => 30, write: (part: string) => (text += part) }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const tell = yield* CrashTestProgress.make(screen, () => undefined)
          yield* tell({ ...progress(100, 300), phase: "payments with faults" })
          yield* TestClock.adjust("1 second")
        })
      )
      const line = "100 of 300 payments"
      expect(text.split("\r\u001b[2K")).toEqual(["", line, line, ""])
    })
  )
})
