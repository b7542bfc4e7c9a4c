/** `docs/merchants/conformance-file.md`: every entry of the file, from its schema. */
import * as ProfileFile from "../src/contact/ProfileFile.ts"
import * as Settings from "../src/Settings.ts"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const objectIn = (value: Json, name: string): Json => {
  const inner = value[name]
  return isObject(inner) ? inner : {}
}

const { definitions, schema } = Settings.jsonSchema()
const profileFile = ProfileFile.jsonSchema()

const resolved = (value: Json): Json => {
  const { $ref } = value
  const name = typeof $ref === "string" ? ($ref.split("/").at(-1) ?? "") : undefined
  return name === undefined ? value : objectIn({ ...definitions, ...profileFile.definitions }, name)
}

/** Returns the entries of one part of the profile file, which are all of its first level. */
const partRows = (part: string): ReadonlyArray<Row> => {
  const own = resolved(objectIn(objectIn(resolved(profileFile.schema), "properties"), part))
  return Object.entries(objectIn(own, "properties")).map(([name, each]) => ({
    name: `${part}.${name}`,
    required: part === "observed" ? "yes" : "",
    about: isObject(each) ? String(resolved(each).description ?? "") : ""
  }))
}

interface Row {
  readonly name: string
  readonly required: string
  readonly about: string
}

const listed = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns the entries of an object. `parent` is the optional object around them; undefined: the file itself, or a required object. */
const rows = (value: Json, prefix: string, parent?: string): ReadonlyArray<Row> => {
  const required = new Set(listed(value.required))
  return Object.entries(objectIn(value, "properties")).flatMap(([name, each]): ReadonlyArray<Row> => {
    if (!isObject(each)) return []
    const own = resolved(each)
    const path = `${prefix}${name}`
    if (own.type === "object") return rows(own, `${path}.`, required.has(name) ? parent : path)
    const inParent = parent === undefined ? "yes" : `in \`${parent}\``
    return [{ name: path, required: required.has(name) ? inParent : "", about: String(own.description ?? "") }]
  })
}

/** Whether the entry is an optional one of a card, which the page lists for `cards.approved` only. */
const isOfEachCard = ({ name }: Row): boolean => /^(?:cards|threedsCards)\.(?!approved\.).*\.(?!number$)/.test(name)

const table = (all: ReadonlyArray<Row>): string =>
  [
    "| entry | required | content |",
    "|---|---|---|",
    ...all.map(({ about, name, required }) => `| \`${name}\` | ${required} | ${about} |`)
  ].join("\n")

const page = `# The file of the conformance suite

\`pay conformance --file\` reads a file with one JSON object. \`pay conformance --example\` prints the file for the sandbox, and
\`pay conformance --schema\` prints the JSON Schema for editors. If an entry is missing, the checks that need it are reported as not
checked. Unknown entries are refused. Every card can have the optional entries of \`cards.approved\`.

${table(rows(resolved(schema), "").filter((row) => !isOfEachCard(row)))}

## Words of \`capabilities\`

The gateway's header \`pay-gateway-profile\` announces most of what it does beyond the specification. These words are for the rest:

${Object.entries(Settings.words)
  .map(([word, about]) => `- \`${word}\`: ${about}`)
  .join("\n")}

## The profile file

\`pay conformance --harmless --write-profile\` writes a file with the profile of a gateway
([first contact](conformance.md#first-contact-with-a-live-provider)), which \`PAY_GATEWAY_PROFILE\` and the option \`profile\` take. Programs
read \`profile\` alone, which may also have the other settings of a [profile](client.md#another-gateway).
\`pay conformance --profile-schema\` prints the JSON Schema.

${table([...partRows("profile"), ...partRows("observed")])}
`

export default async (): Promise<Record<string, string>> => ({ "docs/merchants/conformance-file.md": page })
