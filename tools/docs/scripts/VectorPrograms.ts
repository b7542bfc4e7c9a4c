/** The programs in tools/vectors/programs, and folders of vectors to run them over: correct ones, and one with a wrong vector in each file. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { facts, type VectorLanguage } from "../src/snippets/Language.ts"

const root = join(import.meta.dirname, "../../..")
const vectors = join(root, "tools/vectors")

export const programOf = (language: VectorLanguage): string =>
  readFileSync(join(vectors, `programs/Vectors.${facts[language].extension}`), "utf8")

interface Folder {
  readonly what: string
  readonly path: string
  readonly isRight: boolean
}

/** One digit of the first signature of each file is another one. */
const spoiled = [
  ["control", /"control": "./, '"control": "x'],
  ["oauth", /"signature": "./, '"signature": "*'],
  ["callbacks", /control=./, "control=x"]
] as const

const spoil = (text: string, [name]: (typeof spoiled)[number]): string => {
  const row = text.split("\n")
  const [head = "", first = "", ...rest] = row
  const column = head.split("\t").indexOf(name === "callbacks" ? "query" : name === "oauth" ? "signature" : "control")
  const cells = first.split("\t")
  cells[column] = name === "callbacks" ? (cells[column] ?? "").replace(/control=./, "control=x") : `*${cells[column]}`
  return [head, cells.join("\t"), ...rest].join("\n")
}

/** Makes the folders in one that is removed later. */
export const folders = (folder: string): ReadonlyArray<Folder> => [
  { what: "the signing vectors are accepted", path: vectors, isRight: true },
  ...spoiled.map((file) => {
    const [name, pattern, replacement] = file
    const path = join(folder, `wrong-${name}`)
    mkdirSync(path, { recursive: true })
    for (const each of ["control", "oauth", "callbacks"])
      for (const ending of ["json", "tsv"]) cpSync(join(vectors, `${each}.${ending}`), join(path, `${each}.${ending}`))
    const read = (ending: string) => readFileSync(join(path, `${name}.${ending}`), "utf8")
    writeFileSync(join(path, `${name}.json`), read("json").replace(pattern, replacement))
    writeFileSync(join(path, `${name}.tsv`), spoil(read("tsv"), file))
    return { what: `a wrong vector in ${name} is detected`, path, isRight: false }
  })
]
