import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import * as Target from "../src/postgres/Target.ts"

it("the hosts of a database URL have the port that it names, or 5432", () => {
  const target = Result.getOrThrow(Target.parse("postgres://pay@127.0.0.1:6101,localhost/pay"))
  assert.deepStrictEqual(target.hosts, [
    { name: "127.0.0.1", port: 6101 },
    { name: "localhost", port: 5432 }
  ])
})

it.each(["65536", "99999", "abc", "-1"])("a database URL is refused if its port does not exist: %s", (port) => {
  const refusal = Result.flip(Target.parse(`postgres://pay@127.0.0.1:${port}/pay`))
  assert.include(Result.getOrThrow(refusal), "a port is a whole number from 0 to 65535")
})
