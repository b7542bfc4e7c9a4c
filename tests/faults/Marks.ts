/** Secrets that can be told from everything else, and the search for them in all spellings. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

export interface Marks {
  /** Long texts: wherever their letters stand, it is them. */
  readonly long: Readonly<Record<string, string>>
  /** Few digits, which also stand in the middle of other numbers: found where they stand alone. */
  readonly short: Readonly<Record<string, string>>
}

/** What base64 writes for the text, wherever in a longer text it begins; its first and last signs depend on neighbours. */
const base64 = (text: string): ReadonlyArray<string> =>
  ["", "x", "xx"].map((before) =>
    Buffer.from(before + text)
      .toString("base64")
      .slice(before === "" ? 0 : 4)
      .slice(0, -4)
  )

const spellings = (text: string): ReadonlyArray<string> => [
  text,
  text.toLowerCase(),
  Buffer.from(text).toString("hex"),
  Buffer.from(text, "utf16le").toString("latin1"),
  ...base64(text),
  ...base64(text).map((part) => part.replaceAll("+", "-").replaceAll("/", "_"))
]

/** The parts of a UUID look like short marks now and then. */
const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The names of the marks that stand in the bytes or text. */
export const found = ({ long, short }: Marks, where: Uint8Array | string): ReadonlyArray<string> => {
  const text = typeof where === "string" ? where : Buffer.from(where).toString("latin1")
  const plain = text.replace(uuids, "")
  return [
    ...Object.entries(long).flatMap(([name, mark]) =>
      spellings(mark).some((spelling) => text.includes(spelling)) ? [name] : []
    ),
    ...Object.entries(short).flatMap(([name, mark]) =>
      new RegExp(`(?<![0-9A-Za-z])${mark}(?![0-9A-Za-z])`).test(plain) ? [name] : []
    )
  ]
}

/** In the bytes of each file, and in each cell of the database: `file: mark`. */
export const inFolder = (marks: Marks, folder: string): ReadonlyArray<string> => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const inFiles = files.flatMap(({ name }) =>
    found(marks, readFileSync(join(folder, name))).map((mark) => `${name}: ${mark}`)
  )
  const database = new DatabaseSync(join(folder, "gateway.db"), { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const inCells = tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .flatMap((row) => Object.entries(row))
      .flatMap(([column, value]) =>
        typeof value === "string" || value instanceof Uint8Array
          ? found(marks, value).map((mark) => `${name}.${column}: ${mark}`)
          : []
      )
  )
  database.close()
  return [...inFiles, ...inCells]
}
