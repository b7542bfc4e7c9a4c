/** Draws the storage of a run that does not name one: in most cases memory, which is faster. */

import * as Chance from "@pay/crashtest/Chance"
import type { Effect } from "effect"
import * as SqliteFiles from "./SqliteFiles.ts"
import * as Storage from "./Storage.ts"

const sharePercent = 20

export const storage = (seed: number): Effect.Effect<Storage.Storage> =>
  Chance.make(Chance.part(seed, "storage")).percent(sharePercent) ? SqliteFiles.sqlite() : Storage.memory
