import { linkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Opening from "../src/durability/Opening.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const rows = [
  ["the same inode and time of creation", "12:500", "12:500", true],
  ["another inode", "12:500", "13:500", false],
  ["the same inode on another file system", "12:500", "12:501", false],
  ["the same inode where the time was not known", "12:", "12:500", true],
  ["the same inode where the time is not known any more", "12:500", "12:", true],
  ["another inode where no time is known", "12:", "13:", false]
] as const

describe("the file of an opening", () => {
  it.each(rows)("is recognised by %s", (_what, before, now, isSame) => {
    assert.strictEqual(Opening.isOf(`opening ${before} 1:2 77 boot 1`, now), isSame)
  })

  it.live("is the same under another name and after a change, and not after a copy", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [one, link, copy] = [join(folder, "one"), join(folder, "link"), join(folder, "copy")]
      writeFileSync(one, "1")
      const owner = Opening.make(Opening.fileOf(one), "1:2")
      linkSync(one, link)
      writeFileSync(link, "2")
      writeFileSync(copy, "2")
      assert.isTrue(Opening.isOf(owner, Opening.fileOf(link)))
      assert.isFalse(Opening.isOf(owner, Opening.fileOf(copy)))
    })
  )
})
