/** A refused start changes nothing: when the damaged database is replaced, all commits are there. */
import { readFileSync, writeFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Image from "./Image.ts"

it.effect.each([
  ["the log", Image.names(0, 9)],
  ["the empty log", []]
] as const)("a start that is refused for a damaged database does not change %s of a killed store", ([_, sales]) =>
  Effect.gen(function* () {
    const open = yield* Image.empty
    const killed = yield* Image.on(open, Effect.andThen(Image.sell(...sales), Image.taken(open)))
    const [database, log] = [readFileSync(killed.path), readFileSync(killed.log)]
    const middle = Math.floor(database.length / 2)
    writeFileSync(killed.path, Buffer.from(database).fill(0x55, middle, middle + 4096))
    assert.match(yield* Image.opening(killed, sales), /^damaged: .* (is damaged|cannot be read): /)
    assert.isTrue(readFileSync(killed.log).equals(log))
    writeFileSync(killed.path, database)
    assert.match(yield* Image.opening(killed, sales), new RegExp(`^opens with ${sales.length} of ${sales.length}`))
  })
)
