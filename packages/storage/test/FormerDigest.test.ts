/** What a file was when it was closed counts, whatever an earlier opening has said of it. */
import { readFileSync, writeFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Image from "./Image.ts"

/** The witness has two places, which take turns. */
const second = 4096

/** Longer than that of the last opening, about the same commit. */
const formerly = (witness: string): void => {
  const text = readFileSync(witness, "latin1")
  const [, output = ""] = /^(pay witness 1 .*file=\S+) crc=/.exec(text) ?? []
  const longer = output.replace(/file=\S+/, "file=00000000-0000-4000-8000-000000000000:123456789:ffffffff")
  const line = `${longer} crc=${crc32(longer).toString(16).padStart(8, "0")}`
  assert.isAbove(longer.length, output.length)
  writeFileSync(witness, text.slice(0, second) + line.padEnd(255) + text.slice(second + 255), "latin1")
}

it.effect("a bit that changes after an opening without a commit is noticed", () =>
  Effect.gen(function* () {
    const image = yield* Image.empty
    yield* Image.on(image, Image.sell("one"))
    yield* Image.on(image, Effect.void)
    formerly(image.witness)
    assert.match(yield* Image.opening(yield* Image.taken(image), ["one"]), /^opens with 1 of 1/)
    Image.flip(image.path, readFileSync(image.path).indexOf("is only ever added to"))
    assert.match(yield* Image.opening(image, ["one"]), /^changed: /)
  })
)
