import { spawn } from "node:child_process"
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Booking from "@pay/gateway/BankBooks"
import { Effect } from "effect"
import { temporaryFile } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import { approve } from "../src/Outcome.ts"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import { ask, authorize, card, followUp, inquire, textOf } from "./Inquiry.ts"

/** Opens a bank for one program, and closes it. */
const withBank = <A, E, R>(journalPath: string, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, SandboxAcquirer.layer({ journalPath }), { local: true })

const totals = Effect.flatMap(SandboxControl, ({ books }) => books.totals("1"))

const bookings = Effect.gen(function* () {
  yield* authorize()
  yield* ask("capture", followUp("1-capture-1", 400))
  yield* ask("capture", followUp("1-capture-2", 700))
  yield* ask("void", followUp("1-void-3", 600))
  yield* ask("refund", followUp("1-refund-4", 150))
})

describe("the bank's journal", () => {
  it.effect("keeps bookings over a restart, and repeats get the same answers", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const callbacks = Effect.all([
        totals,
        inquire(),
        inquire("1-capture-1"),
        inquire("1-capture-2"),
        inquire("1-refund-4")
      ])
      const before = yield* withBank(path, Effect.andThen(bookings, callbacks))
      assert.deepStrictEqual(yield* withBank(path, callbacks), before)
      assert.deepStrictEqual(yield* withBank(path, Effect.andThen(bookings, totals)), before[0])
    })
  )

  it.effect("keeps repeats, late decisions and violations over a restart", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const orders = ["1", "2"].map((orderId) => ({
        orderId,
        reference: Booking.referenceOf({ orderId, kind: "authorize", sequence: 0 })
      }))
      const [first, second] = [
        { ...orders[0], card: card("4444010600000009") },
        { ...orders[1], card: card(undefined, "217") }
      ]
      yield* withBank(path, authorize(first))
      assert.strictEqual(textOf(yield* withBank(path, authorize(first))), "Approved")
      yield* withBank(path, authorize(second))
      yield* withBank(
        path,
        Effect.flatMap(SandboxControl, (control) => control.settle("2-authorize-0", approve))
      )
      assert.strictEqual(textOf(yield* withBank(path, authorize(second))), "Approved")
      yield* withBank(path, Effect.exit(authorize({ ...first, amountMinor: 5 })))
      const { repeats, violations } = yield* withBank(
        path,
        Effect.gen(function* () {
          const { books, violations } = yield* SandboxControl
          return { repeats: (yield* books.all).map(({ repeats }) => repeats), violations: yield* violations }
        })
      )
      assert.deepStrictEqual(repeats, [0, 1])
      assert.lengthOf(violations, 1)
    })
  )

  it.effect("keeps the scenario of a test card over a restart", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withBank(path, authorize({ card: card("4444012000000001") }))
      assert.strictEqual(textOf(yield* withBank(path, ask("capture", followUp("1-capture-1", 1)))), "Declined 100")
    })
  )

  it.effect("ignores a torn last line of any length, and writes the next entry whole", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withBank(path, authorize())
      const whole = statSync(path).size
      yield* withBank(path, ask("capture", followUp("1-capture-1", 400)))
      const both = readFileSync(path)
      for (let size = whole; size < both.length; size++) {
        writeFileSync(path, both)
        truncateSync(path, size)
        assert.deepStrictEqual(
          yield* withBank(
            path,
            Effect.all([Effect.map(inquire(), textOf), Effect.map(inquire("1-capture-1"), textOf)])
          ),
          ["Approved", "NotFound"]
        )
        yield* withBank(path, ask("capture", followUp("1-capture-2", 300)))
        assert.strictEqual((yield* withBank(path, totals)).capturedMinor, 300)
      }
    })
  )

  it.effect("prevents the start if a complete line is not an entry", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withBank(path, authorize())
      appendFileSync(path, "{}\n")
      const error = yield* Effect.flip(withBank(path, totals))
      assert.include(error.message, "line 2")
    })
  )

  it.effect("prevents the start if its path cannot be opened", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(withBank(`${yield* temporaryFile}/bank.jsonl`, totals))
      assert.strictEqual(error._tag, "JournalError")
    })
  )

  it.effect("is emptied by a reset", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withBank(
        path,
        Effect.gen(function* () {
          yield* authorize()
          yield* Effect.flatMap(SandboxControl, ({ reset }) => reset)
          yield* authorize({ amountMinor: 7 })
        })
      )
      assert.strictEqual((yield* withBank(path, totals)).authorizedMinor, 7)
    })
  )

  it.effect("is readable by its owner only, and contains no card number", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withBank(path, authorize({ card: card("4444555566661111", "1234") }))
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      const text = readFileSync(path, "utf8")
      assert.notInclude(text, "55556666")
      assert.notInclude(text, "1234")
    })
  )
})

const isReference = (line: string): line is Booking.AttemptReference => line.split("-").length === 3

/** Returns what a process acknowledged before it was killed, after `count` lines. */
const burst = (path: string, prefix: string, count: number) =>
  Effect.promise(async () => {
    const program = fileURLToPath(new URL("processes/Burst.ts", import.meta.url))
    const child = spawn(process.execPath, [program, path, prefix], { stdio: ["ignore", "pipe", "inherit"] })
    const acknowledged: Array<Booking.AttemptReference> = []
    for await (const line of createInterface({ input: child.stdout })) {
      assert(isReference(line), line)
      acknowledged.push(line)
      if (acknowledged.length === count) child.kill("SIGKILL")
    }
    return acknowledged
  })

it.live("kill -9 during bookings loses no answered booking", () =>
  Effect.gen(function* () {
    const path = yield* temporaryFile
    const acknowledged: Array<Booking.AttemptReference> = []
    for (const count of [1, 40, 333, 2000]) {
      const messages = yield* burst(path, `${count}`, count)
      assert.isAtLeast(messages.length, count)
      acknowledged.push(...messages)
      const unknown = yield* withBank(
        path,
        Effect.filter(acknowledged, (reference) =>
          Effect.map(inquire(reference), (answer) => answer._tag !== "Approved")
        )
      )
      assert.deepStrictEqual(unknown, [])
    }
  })
)
