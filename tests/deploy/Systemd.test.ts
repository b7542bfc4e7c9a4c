/** The units of systemd: what systemd itself finds in them, and what their processes may do. No test starts them under systemd. */
import { chmodSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Kit from "./Kit.ts"

const units = readdirSync(Kit.path("systemd"))
const services = units.filter((name) => name.endsWith(".service"))
const programs = ["pay-gateway", "pay-backup", "pay-restore-test"]

/** The units in a folder, with programs that exist. `change` spoils them. */
const copied = Effect.fnUntraced(function* (change: (text: string) => string = (text) => text) {
  const folder = yield* temporaryFolder
  for (const name of programs) {
    writeFileSync(join(folder, name), "#!/bin/sh\n")
    chmodSync(join(folder, name), 0o755)
  }
  return units.map((name) => {
    const path = join(folder, name)
    writeFileSync(path, change(Kit.read(`systemd/${name}`)).replace(/\/usr\/local\/bin\/([\w-]+)/g, `"${folder}/$1"`))
    return path
  })
})

const analyze = (args: ReadonlyArray<string>) => Effect.promise(() => Kit.ran("systemd-analyze", args))

/** The greatest exposure, of 100, that `systemd-analyze security` may find. */
const mostExposed: Readonly<Record<string, number>> = {
  "pay-gateway.service": 20,
  "pay-backup.service": 10,
  "pay-restore-test.service": 10
}

describe(`systemd${Kit.unless("systemd-analyze")}`, () => {
  it.live("finds no mistake in the units", () =>
    Effect.gen(function* () {
      const verdict = yield* analyze(["verify", "--man=no", ...(yield* copied())])
      assert.deepStrictEqual(verdict ?? { code: 0, text: "" }, { code: 0, text: "" })
    })
  )

  it.live("finds a misspelt directive, so that silence means something", () =>
    Effect.gen(function* () {
      const spoiled = yield* copied((text) => text.replace("ProtectSystem=", "ProtectSistem="))
      const verdict = yield* analyze(["verify", "--man=no", ...spoiled])
      assert.match(verdict?.text ?? "ProtectSistem", /ProtectSistem/)
    })
  )

  it.live("finds processes little exposed", () =>
    Effect.gen(function* () {
      for (const path of yield* copied()) {
        const limit = mostExposed[path.split("/").at(-1) ?? ""]
        if (limit === undefined) continue
        const verdict = yield* analyze(["security", "--offline=true", `--threshold=${limit}`, "--no-pager", path])
        assert.strictEqual(verdict?.code ?? 0, 0, verdict?.text)
      }
    })
  )
})

describe("the units of systemd", () => {
  it("keep what the gateway needs of the machine, and what must not leave it", () => {
    for (const name of services) {
      const lines = new Set(Kit.read(`systemd/${name}`).split("\n"))
      for (const line of ["User=pay", "UMask=0077", "LimitCORE=0", "NoNewPrivileges=yes", "ProtectSystem=strict"])
        assert.isTrue(lines.has(line), `${name} lacks ${line}`)
      // The gateway reads boot_id and the state of the process that has its store; Node compiles while it runs.
      for (const line of lines) assert.notMatch(line, /^(?:ProcSubset=pid|MemoryDenyWriteExecute=yes)/)
    }
    assert.deepStrictEqual(Object.keys(mostExposed).sort(), [...services].sort())
  })

  it("give the gateway longer to stop than it takes", () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(Kit.read("systemd/pay-gateway.service")) ?? []
    assert.isAbove(Number(seconds), 10 + 20)
  })

  it("start by a timer what is there", () => {
    for (const timer of units.filter((name) => name.endsWith(".timer")))
      assert.include(services, timer.replace(".timer", ".service"))
  })
})
