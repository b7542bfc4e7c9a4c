/** Whether a gateway for real money would start with a configuration. Nothing is opened for writing, and nothing listens. */
import { join } from "node:path"
import * as Backup from "@pay/storage/Backup"
import * as Examination from "@pay/storage/Examination"
import * as StoreCheck from "@pay/storage/StoreCheck"
import { Effect, Result } from "effect"
import type { File } from "./ConfigFile.ts"
import * as DataFolder from "./DataFolder.ts"
import * as ProductionProcess from "./ProductionProcess.ts"
import * as ServerConfig from "./ServerConfig.ts"

/** The start that is to be judged: on an existing store, or with a new one. */
export interface Options {
  readonly isNew: boolean
}

/** Returns the problems that a message lists under its first line, or the message if it is one line. */
const listed = ({ message }: { readonly message: string }): ReadonlyArray<string> => {
  const [head = "", ...problems] = message.split("\n")
  return problems.length === 0 ? [head] : problems
}

type Stored = Pick<File, "database" | "witness"> & { readonly dataDirectory: string }

const storeProblems = ({ dataDirectory, database, witness }: Stored, { isNew }: Options) => {
  const file = join(dataDirectory, Backup.fileName)
  const witnessPath = witness ?? join(dataDirectory, database === undefined ? "store.witness" : "postgres.witness")
  if (database === undefined && isNew)
    return Effect.match(Examination.examine(file, { witness: witnessPath, absent: "insist" }), {
      onSuccess: () => [],
      onFailure: ({ message }) => [message]
    })
  return Effect.scoped(StoreCheck.run({ place: database ?? { file }, witness: witnessPath })).pipe(
    Effect.match({
      onSuccess: ({ problems, store }) => (isNew ? [`${store} has a store: start without --new`] : problems),
      onFailure: ({ message, why }) => (isNew && why === "absent" ? [] : [message])
    })
  )
}

/**
 * Returns everything for which a start would be refused. A configuration that cannot be read hides the rest. The keys and the ports
 * are tried by a start only: whether the keys open what the store has, and whether the ports are free.
 */
export const problems = Effect.fn("ProductionCheck.problems")(function* (options: Options) {
  const read = yield* Effect.result(ServerConfig.fromEnvironment)
  if (Result.isFailure(read)) return listed(read.failure)
  const file = { ...read.success, dataDirectory: read.success.dataDirectory ?? ".data/gateway" }
  const prepared = yield* Effect.result(ProductionProcess.prepare)
  const elsewhere = file.database !== undefined
  const folder = DataFolder.problem(file.dataDirectory, { ...options, production: true, elsewhere })
  return [
    ...(Result.isFailure(prepared) ? listed(prepared.failure) : []),
    ...(folder === undefined ? yield* storeProblems(file, options) : [folder])
  ]
})
