import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Nonce } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import { root } from "../../scripts/Workspace.ts"
import * as Bundles from "../harness/Bundles.ts"
import { database, file, Server, sql, withStore } from "./Stores.ts"

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The program `pay`, with these settings and none of the machine's. */
const pay = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<Ended>((resume) => {
    const main = Bundles.start(join(root, "apps/cli/src/main.ts"))
    const { HOME = "/", PATH = "" } = process.env
    execFile(process.execPath, [main, "store", ...args], { env: { HOME, PATH, ...env } }, (error, out, err) => {
      resume(Effect.succeed({ code: typeof error?.code === "number" ? error.code : 0, out, err }))
    })
  })

/** Its address without the password, and the password. */
const apart = (url: string) => {
  const { host, password, pathname, username } = new URL(url)
  return { address: `postgres://${username}@${host}${pathname}`, password }
}

const filled = Effect.tap(file, (path) =>
  withStore(path)(
    Effect.flatMap(Store, (store) =>
      store.commit({ guards: [], writes: [Decision.put(Nonce, { consumerKey: "m", nonce: "n", usedAtMs: 1 })] })
    )
  )
)

layer(Server.layer, { excludeTestServices: true })("pay store", (it) => {
  it.effect("moves a store and checks it without printing a password", () =>
    Effect.gen(function* () {
      const path = yield* filled
      const url = yield* database
      const { address, password } = apart(url)
      const passwordFile = join(dirname(path), "password")
      writeFileSync(passwordFile, `${password}\n`)
      const runs = [
        yield* pay(["move", "--from", path, "--to", address, "--password-file", passwordFile]),
        yield* pay(["move", "--from", path], { PAY_DATABASE_URL: url }),
        yield* pay(["check", "--json"], { PAY_DATABASE_URL: address, PAY_DATABASE_PASSWORD_FILE: passwordFile }),
        yield* pay(["check"], { PAY_DATABASE_URL: url.replace(password, `${password}-wrong`) })
      ]
      assert.deepStrictEqual(
        runs.map(({ code }) => code),
        [0, 1, 0, 3],
        JSON.stringify(runs, undefined, 1)
      )
      for (const { err, out } of runs) assert.notInclude(out + err, password)
      const [moved, again, checked] = runs
      assert.match(moved?.out ?? "", /has all 1 rows of .*each was compared \(1 copied now/)
      assert.match(moved?.err ?? "", /^marking both sides\ncopying nonces: 1 of 1 rows \(100 %\)\n(.*\n)*finishing\n$/)
      assert.include(again?.err ?? "", "This store was moved to postgres://localhost:")
      const json: unknown = JSON.parse(checked?.out ?? "")
      assert.deepInclude(json, { outcome: "answered", engine: "PostgreSQL", problems: [] })
    })
  )

  it.effect("creates the schema for a role that runs a gateway", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const url = yield* database
      const role = `role_${dirname(yield* file).replace(/\W/g, "")}`.toLowerCase()
      yield* sql(server, `CREATE ROLE ${role}`)
      const env = { PAY_DATABASE_URL: url }
      const migrated = yield* pay(["migrate", "--run-as", role], env)
      assert.match(migrated.out, /the schema is at step (\d+), \1 applied now\. The role .* may run a gateway/)
      assert.match((yield* pay(["check"], env)).out, new RegExp(`role ${role}: runs\n`))
      assert.include((yield* pay(["migrate", "--run-as", "nobody_here"], env)).err, 'role "nobody_here" does not exist')
      yield* sql(url, `DROP OWNED BY ${role}`)
      yield* sql(server, `DROP ROLE ${role}`)
    })
  )
})
