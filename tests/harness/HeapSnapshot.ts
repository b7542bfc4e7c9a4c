/**
 * What a Node process keeps in memory, as V8 reports it. A process that was started with {@link options} writes a snapshot at SIGUSR2,
 * after a garbage collection.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schedule, Schema } from "effect"
import type { ChildProcess } from "./ChildProcess.ts"

/** Options of a Node process that writes its snapshots into the folder and has this much room for objects. */
export const options = (folder: string, megabytes: number) => [
  "--heapsnapshot-signal=SIGUSR2",
  `--diagnostic-dir=${folder}`,
  `--max-old-space-size=${megabytes}`
]

const Written = Schema.fromJsonString(
  Schema.Struct({
    snapshot: Schema.Struct({ meta: Schema.Struct({ node_fields: Schema.Array(Schema.String) }) }),
    nodes: Schema.Array(Schema.Int),
    strings: Schema.Array(Schema.String)
  })
)

/** Something in memory: a text by its first 1024 characters, anything else by its kind. */
export interface MemoryEntry {
  readonly name: string
  readonly bytes: number
}

/** Takes a snapshot, and returns everything of at least so many bytes. */
export const take = Effect.fnUntraced(function* (
  process: Pick<ChildProcess<string>, "signal">,
  folder: string,
  leastBytes: number
) {
  yield* process.signal("SIGUSR2")
  const written = () => readdirSync(folder).filter((file) => file.endsWith(".heapsnapshot"))
  const read = Effect.gen(function* () {
    const [file] = written()
    if (file === undefined) return yield* Effect.fail("there is no snapshot yet")
    return yield* Schema.decodeEffect(Written)(readFileSync(join(folder, file), "utf8"))
  })
  const { nodes, snapshot, strings } = yield* Effect.retry(read, Schedule.spaced("100 millis"))
  for (const file of written()) rmSync(join(folder, file))
  const { node_fields: fields } = snapshot.meta
  const [nameAt, bytesAt] = [fields.indexOf("name"), fields.indexOf("self_size")]
  const entries: Array<MemoryEntry> = []
  for (let at = 0; at < nodes.length; at += fields.length) {
    const bytes = nodes[at + bytesAt] ?? 0
    if (bytes >= leastBytes) entries.push({ name: strings[nodes[at + nameAt] ?? -1] ?? "", bytes })
  }
  return entries
})
