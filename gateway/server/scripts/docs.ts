/** Every name of the configuration, as a document: read off the schema that the gateway checks the file with. */
import { readFileSync } from "node:fs"
import * as ConfigFile from "../src/ConfigFile.ts"
import * as ConfigTable from "../src/ConfigTable.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")
const code = (text: string): string => (text === "" ? "" : `\`${text}\``)
/** A value stands as code, words as words. */
const fallback = (text: string): string => (/[ `]/.test(text) ? text : code(text))

const rows = (): string =>
  ConfigTable.entries(ConfigFile.File)
    .map(({ about, environment = "", fallback: left, path, unit }) =>
      [code(path.join(".")), code(environment), unit, fallback(left), about].map(cell).join(" | ")
    )
    .map((row) => `| ${row} |`)
    .join("\n")

/** The first line of the template says what it is, and does not become part of the document. */
const page = (text: string): string =>
  text
    .replace(/^<!--.*-->\n\n/, "")
    .replace(
      "<!-- table -->",
      `| name | variable | unit | default | what it is for |\n|---|---|---|---|---|\n${rows()}`
    )

export default () =>
  Promise.resolve({
    "docs/operators/configuration.md": page(readFileSync(new URL("configuration.md", import.meta.url), "utf8"))
  })
