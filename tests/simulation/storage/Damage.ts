/**
 * What a disk, or a person on the machine, does to the files of a store that is not open. Its start is then refused with the reason,
 * or everything is there; what is excluded from that stands in a table, each with its reason.
 */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Chance } from "../Chance.ts"
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
  { what: "the database is cut", files: [database], damage: cut },
  { what: "the log is cut", files: [log], damage: cut },
  { what: "the witness is cut", files: [witness], damage: cut },
  { what: "the database is gone", files: [database], damage: remove },
  { what: "the log is gone", files: [log], damage: remove },
  { what: "the witness is gone", files: [witness], damage: remove },
  { what: "database and log are gone", files: [database, log], damage: remove }
]

interface Case {
  readonly damage: Damage
  readonly how: ProcessEnd
  readonly storeAtEnd: StoreAtEnd
  readonly result: Content.Content
}

/** How long the witness may lag behind after a power cut. */
const lagNanos = 1_000_000_000n

const excluded: ReadonlyArray<{ readonly why: string; readonly holds: (of: Case) => boolean }> = [
  {
    why: "SQLite has no checksums of its pages: after an end that was not in good order no check shows that a value changed which is in no index, or a key of rows that are in its tree alone and stay in order.",
    holds: ({ damage, result, how, storeAtEnd: { contents } }) =>
      how !== "stop" &&
      damage.damage === flip &&
      damage.files[0] === database &&
      contents.some((expected) => Content.isOneRowUnindexed(expected, Content.differences(expected, result)))
  },
  {
    why: "The witness is synced once a second: what was committed in the second before a power cut may be unknown to it, and no check misses it if the log is lost besides.",
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

/** Spoils a copy of the files that a process has left, and opens them; then with the undamaged ones put back. */
export const happen = (
  folder: string,
  how: ProcessEnd,
  storeAtEnd: StoreAtEnd,
  chance: Chance
): Effect.Effect<Report> =>
  StoreCopy.on(
    folder,
    Effect.fnUntraced(function* (trial) {
      const there = readdirSync(trial.folder)
      const [first, ...others] = damages.filter(({ files }) =>
        files.every((name) => isNotEmpty(join(folder, name), there))
      )
      if (first === undefined) return { line: "there is nothing to damage", problems: [] }
      const damage = chance.oneOf([first, ...others])
      for (const name of damage.files) damage.damage(join(trial.folder, name), chance)
      const outcome = yield* trial.open
      if (outcome._tag === "Opened") {
        const result = outcome.content
        const missing = Content.missing(storeAtEnd.contents, result)
        if (missing.length === 0) return { line: `${damage.what}: everything is there`, problems: [] }
        const isExcluded = excluded.some(({ holds }) => holds({ damage, how, storeAtEnd, result }))
        return {
          line: `${damage.what}: it is not noticed`,
          problems: isExcluded ? [] : missing.map((problem) => `after a ${how} ${damage.what}: ${problem}`)
        }
      }
      trial.restore(damage.files)
      const restored = yield* trial.open
      return {
        line: `${damage.what}: refused (${outcome.why})`,
        problems: [
          ...(outcome.message === "" ? [`${damage.what}: refused without a word`] : []),
          ...(restored._tag === "Refused"
            ? [restored.message]
            : Content.missing(storeAtEnd.contents, restored.content)
          ).map((problem) => `after a ${how} ${damage.what}, and then the file was put back: ${problem}`)
        ]
      }
    })
  )

const isNotEmpty = (path: string, there: ReadonlyArray<string>): boolean =>
  there.includes(path.slice(path.lastIndexOf("/") + 1)) && existsSync(path) && readFileSync(path).length > 0
