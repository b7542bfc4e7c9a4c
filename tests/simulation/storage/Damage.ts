/**
 * Damage by a disk or a person to the files of a closed store. The next start must be refused with a reason, or find every row. A
 * table lists the exceptions with their reasons.
 */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Chance } from "@pay/crashtest/Chance"
import { Effect } from "effect"
import * as Content from "./Content.ts"
import type { ProcessEnd, StoreAtEnd } from "./Storage.ts"
import * as StoreCopy from "./StoreCopy.ts"

interface Damage {
  readonly what: string
  readonly files: ReadonlyArray<string>
  readonly damage: (path: string, chance: Chance) => void
}

const flip = (path: string, chance: Chance): void => {
  const bytes = readFileSync(path)
  const at = chance.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8))
  writeFileSync(path, bytes)
}

const cut = (path: string, chance: Chance): void => truncateSync(path, chance.below(readFileSync(path).length))

const remove = (path: string): void => rmSync(path)

const [database, log, witness] = ["gateway.db", "gateway.db-wal", "store.witness"]

const damages: readonly [Damage, ...ReadonlyArray<Damage>] = [
  { what: "a bit of the database is flipped", files: [database], damage: flip },
  { what: "a bit of the log is flipped", files: [log], damage: flip },
  { what: "a bit of the witness is flipped", files: [witness], damage: flip },
  { what: "the database is truncated", files: [database], damage: cut },
  { what: "the log is truncated", files: [log], damage: cut },
  { what: "the witness is truncated", files: [witness], damage: cut },
  { what: "the database is removed", files: [database], damage: remove },
  { what: "the log is removed", files: [log], damage: remove },
  { what: "the witness is removed", files: [witness], damage: remove },
  { what: "database and log are removed", files: [database, log], damage: remove }
]

interface Case {
  readonly damage: Damage
  readonly how: ProcessEnd
  readonly storeAtEnd: StoreAtEnd
  readonly result: Content.Content
}

/** The maximum time by which the witness may lag behind after a power cut. */
const lagNanos = 1_000_000_000n

const exceptions: ReadonlyArray<{ readonly why: string; readonly holds: (of: Case) => boolean }> = [
  {
    why: "SQLite has no checksums of its pages: after an unclean end no check can detect a changed value that is in no index, or a changed key in the only tree of its rows if the order stays the same.",
    holds: ({ damage, result, how, storeAtEnd: { contents } }) =>
      how !== "stop" &&
      damage.damage === flip &&
      damage.files[0] === database &&
      contents.some((expected) => Content.isOneRowUnindexed(expected, Content.differences(expected, result)))
  },
  {
    why: "The witness is synced once a second: it may not know the commits of the last second before a power cut, so that no check detects their loss if the log is lost too.",
    holds: ({ damage, result, how, storeAtEnd: { commits, contents, endNanos } }) => {
      const lost = Math.max(...contents.map(Content.sequence)) - Content.sequence(result)
      const firstLost = commits.at(-lost)
      return (
        how === "powerCut" &&
        damage.files.includes(log) &&
        lost > 0 &&
        firstLost !== undefined &&
        endNanos - firstLost <= lagNanos
      )
    }
  }
]

export interface Report {
  /** One line for the trace. */
  readonly line: string
  readonly problems: ReadonlyArray<string>
}

/** Damages a copy of the files of an ended process and opens it; then restores the files and opens it again. */
export const happen = (
  folder: string,
  how: ProcessEnd,
  storeAtEnd: StoreAtEnd,
  chance: Chance
): Effect.Effect<Report> =>
  StoreCopy.on(
    folder,
    Effect.fnUntraced(function* (copy) {
      const there = readdirSync(copy.folder)
      const [first, ...others] = damages.filter(({ files }) =>
        files.every((name) => isNotEmpty(join(folder, name), there))
      )
      if (first === undefined) return { line: "there is no file to damage", problems: [] }
      const damage = chance.oneOf([first, ...others])
      for (const name of damage.files) damage.damage(join(copy.folder, name), chance)
      const outcome = yield* copy.open
      if (outcome._tag === "Opened") {
        const result = outcome.content
        const missing = Content.missing(storeAtEnd.contents, result)
        if (missing.length === 0) return { line: `${damage.what}: every row is present`, problems: [] }
        const isException = exceptions.some(({ holds }) => holds({ damage, how, storeAtEnd, result }))
        return {
          line: `${damage.what}: it is not detected`,
          problems: isException ? [] : missing.map((problem) => `after a ${how} ${damage.what}: ${problem}`)
        }
      }
      copy.restore(damage.files)
      const restored = yield* copy.open
      return {
        line: `${damage.what}: refused (${outcome.why})`,
        problems: [
          ...(outcome.message === "" ? [`${damage.what}: refused without a reason`] : []),
          ...(restored._tag === "Refused"
            ? [restored.message]
            : Content.missing(storeAtEnd.contents, restored.content)
          ).map((problem) => `after a ${how} ${damage.what}, and after the file was restored: ${problem}`)
        ]
      }
    })
  )

const isNotEmpty = (path: string, there: ReadonlyArray<string>): boolean =>
  there.includes(path.slice(path.lastIndexOf("/") + 1)) && existsSync(path) && readFileSync(path).length > 0
