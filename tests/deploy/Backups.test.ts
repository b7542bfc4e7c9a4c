/** The programs of the timers: a backup of a running gateway, its retention, and the restore test of the newest one. */
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Kit from "./Kit.ts"

const cli = join(import.meta.dirname, "../../apps/cli/src/main.ts")
/** The command from source, instead of an installed one. */
const real = `exec "${process.execPath}" "${cli}" "$@"`
/** A command that writes the file that it is given, and does nothing else. */
const stub = '[ "$1" = backup ] && echo > "$2"; exit 0'

/** A folder of backups, and a folder of programs with a command `pay`. */
const place = Effect.fnUntraced(function* (pay: string) {
  const folder = yield* temporaryFolder
  const programs = join(folder, "bin")
  const backups = join(folder, "backups")
  for (const each of [programs, backups]) mkdirSync(each)
  writeFileSync(join(programs, "pay"), `#!/bin/sh\n${pay}\n`)
  chmodSync(join(programs, "pay"), 0o755)
  const run = (name: string, env: Readonly<Record<string, string>> = {}) =>
    Effect.map(
      Effect.promise(() =>
        Kit.ran("/bin/sh", [Kit.path(`bin/${name}`)], {
          PATH: `${programs}:${process.env.PATH}`,
          PAY_BACKUPS: backups,
          ...env
        })
      ),
      (ended) => ended ?? { code: null, text: "there is no shell" }
    )
  return { backups, run }
})

const old = (hour: number) => `gateway-20261101T${String(hour).padStart(2, "0")}0000Z.db`

describe("pay-backup and pay-restore-test", () => {
  it.live("copy a running gateway with the programs of the machine, and find the copy whole", () =>
    Effect.gen(function* () {
      const kit = yield* Kit.installed
      yield* Kit.started(kit)
      const { backups, run } = yield* place(real)
      const made = yield* run("pay-backup", kit.environment)
      assert.strictEqual(made.code, 0, made.text)
      const copies = readdirSync(backups)
      assert.lengthOf(copies, 1)
      assert.match(copies[0] ?? "", /^gateway-\d{8}T\d{6}Z\.db$/)
      const tested = yield* run("pay-restore-test")
      assert.strictEqual(tested.code, 0, tested.text)
      assert.include(tested.text, "Nothing is wrong.")
      assert.deepStrictEqual(readdirSync(backups), copies)
      writeFileSync(join(backups, copies[0] ?? ""), Buffer.alloc(64 * 1024, 7))
      const damaged = yield* run("pay-restore-test")
      assert.notStrictEqual(damaged.code, 0, damaged.text)
      assert.deepStrictEqual(readdirSync(backups), copies)
    })
  )

  it.live("keep the newest copies, and no other file is removed", () =>
    Effect.gen(function* () {
      const { backups, run } = yield* place(stub)
      for (const name of [old(1), old(2), old(3), "gateway.db", "notes"]) writeFileSync(join(backups, name), "")
      const { code, text } = yield* run("pay-backup", { PAY_BACKUPS_KEPT: "2" })
      assert.strictEqual(code, 0, text)
      const left = readdirSync(backups)
      assert.includeMembers(left, [old(3), "gateway.db", "notes"])
      assert.lengthOf(left, 4)
    })
  )

  const kept: ReadonlyArray<readonly [what: string, pay: string, env: Readonly<Record<string, string>>, says: RegExp]> =
    [
      ["a copy that failed", "echo no copy was made >&2; exit 1", {}, /no copy was made/],
      ["a number of copies that is 0", stub, { PAY_BACKUPS_KEPT: "0" }, /must be a number above 0/],
      ["a number of copies that is none", stub, { PAY_BACKUPS_KEPT: "two" }, /must be a number above 0/]
    ]
  it.live.each(kept)("remove nothing after %s", ([, pay, env, says]) =>
    Effect.gen(function* () {
      const { backups, run } = yield* place(pay)
      const before = Array.from({ length: 60 }, (_, hour) => old(hour))
      for (const name of before) writeFileSync(join(backups, name), "")
      const { code, text } = yield* run("pay-backup", env)
      assert.notStrictEqual(code, 0)
      assert.match(text, says)
      assert.deepStrictEqual(readdirSync(backups), before)
    })
  )

  it.live("fail where there is no copy, or where the newest is too old", () =>
    Effect.gen(function* () {
      const { backups, run } = yield* place(stub)
      writeFileSync(join(backups, "gateway.db"), "")
      const none = yield* run("pay-restore-test")
      assert.deepStrictEqual([none.code, none.text.includes("There is no backup in")], [1, true])
      writeFileSync(join(backups, old(1)), "")
      assert.strictEqual((yield* run("pay-restore-test")).code, 0)
      utimesSync(join(backups, old(1)), 1_793_000_000, 1_793_000_000)
      const late = yield* run("pay-restore-test")
      assert.deepStrictEqual([late.code, late.text.includes("is older than 3 hours")], [1, true])
      assert.deepStrictEqual(readdirSync(backups), [old(1), "gateway.db"])
    })
  )
})
