/** The demonstration merchant's own notes: which orders it made in earlier runs. One small JSON file. */
import { Effect, FileSystem, Schema } from "effect"

export const Note = Schema.Struct({ client_orderid: Schema.String, orderid: Schema.String, title: Schema.String })
export type Note = typeof Note.Type

const Notes = Schema.fromJsonString(Schema.Array(Note))

export const read = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  return (yield* files.exists(path)) ? yield* Schema.decodeEffect(Notes)(yield* files.readFileString(path)) : []
})

export const write = Effect.fnUntraced(function* (path: string, notes: ReadonlyArray<Note>) {
  const files = yield* FileSystem.FileSystem
  yield* files.writeFileString(path, yield* Schema.encodeEffect(Notes)(notes), { mode: 0o600 })
})
