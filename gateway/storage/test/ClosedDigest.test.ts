/** A file is compared with its digest from the last close, also if the witness still has a digest of an earlier run. */
import { readFileSync, writeFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Image from "./Image.ts"

/** The offset of the second of two records in the witness, which are written by turns. */
const secondRecord = 4096

/** Writes a longer record about the same commit into the second place. */
const writeEarlierRecord = (witness: string): void => {
  const text = readFileSync(witness, "latin1")
  const [, output = ""] = /^(pay witness 1 .*file=\S+) crc=/.exec(text) ?? []
  const longer = output.replace(/file=\S+/, "file=00000000-0000-4000-8000-000000000000:123456789:ffffffff")
  const line = `${longer} crc=${crc32(longer).toString(16).padStart(8, "0")}`
  assert.isAbove(longer.length, output.length)
  writeFileSync(witness, text.slice(0, secondRecord) + line.padEnd(255) + text.slice(secondRecord + 255), "latin1")
}

it.effect("a changed bit is reported after a run without a commit", () =>
  Effect.gen(function* () {
    const image = yield* Image.empty
    yield* Image.on(image, Image.sell("one"))
    yield* Image.on(image, Effect.void)
    writeEarlierRecord(image.witness)
    assert.match(yield* Image.opening(yield* Image.taken(image), ["one"]), /^opens with 1 of 1/)
    Image.flip(image.path, readFileSync(image.path).indexOf("is only ever added to"))
    assert.match(yield* Image.opening(image, ["one"]), /^changed: /)
  })
)
