/** Writes help pages from the commands and the contract, for the terminal and for docs/merchants/cli.md. */

import * as CommandGroups from "../CommandGroups.ts"
import { commands } from "../Commands.ts"
import type { Command } from "../command/Command.ts"
import type { OperationFacts } from "../command/Contract.ts"
import type { FieldFacts } from "../command/ContractFacts.ts"
import * as ExitCode from "../terminal/ExitCode.ts"
import { lines } from "../terminal/Folding.ts"
import { columns, quoted } from "../terminal/Output.ts"

const paragraphs = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n\n")

const section = (title: string, body: string): string => (body === "" ? "" : `${title}:\n${body}`)

/** Returns a section for each group of commands. All first columns are equally wide. */
const groups = (all: Readonly<Record<string, Command>>): ReadonlyArray<string> => {
  const width = Math.max(...Object.keys(all).map((name) => name.length))
  return CommandGroups.all.map(({ names, title }) =>
    section(title, columns(names.map((name) => [name.padEnd(width), all[name]?.summary ?? ""])))
  )
}

/** Returns the page of `pay --help`. */
export const overview = (all: Readonly<Record<string, Command>> = commands): string =>
  paragraphs(
    "pay: the payment gateway from the command line",
    ...groups(all),
    section(
      "Settings, from the environment or from flags",
      columns([
        ["PAY_BASE_URL", "everything before /api/…"],
        ["PAY_LOGIN", "the merchant's login"],
        ["PAY_CONTROL_KEY", "the control key; as a flag only --control-key-file, since others can read command lines"],
        ["PAY_PRIVATE_KEY_FILE", "the RSA key, for OAuth RSA-SHA256"],
        ["PAY_ENDPOINT_ID", "the endpoint or endpoint group"]
      ])
    ),
    "pay profile keeps settings under a name; --profile NAME uses them.",
    section("Exit codes", columns(Object.entries(ExitCode.meanings))),
    "pay help COMMAND explains a command, pay help call lists the operations. pay --version tells the version."
  )

/** Returns the page of one command, such as `pay help call`. */
export const command = (command: Command): string =>
  paragraphs(
    command.summary,
    `Usage: ${command.usage}`,
    command.also === undefined ? "" : `Also: ${command.also.map((word) => `pay ${word}`).join(", ")}`,
    wrapped(command.about),
    command.words === undefined ? "" : section(command.words.title, columns(command.words.rows)),
    section("Flags", flags(command)),
    section("Examples", command.examples.map((example) => `  ${example}`).join("\n"))
  )

/** Returns the list of all operations, for commands that require an operation. */
export const operations = (all: ReadonlyArray<OperationFacts>): string =>
  section("Operations", columns(all.map(({ command, summary }) => [command, summary])))

const flags = (command: Command): string =>
  columns(
    Object.entries(command.flags).map(([name, { about, value }]) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      about
    ])
  )

/** Returns the page of an operation with its fields, such as `pay help call capture` and `pay help explain capture`. */
export const operation = (operation: OperationFacts, name: "call" | "sign" | "verify" | "explain" = "call"): string => {
  const fields = [...operation.fields]
  const isCall = name === "call"
  return paragraphs(
    `${operation.name}: ${operation.summary}`,
    `Usage: pay ${name} ${operation.command} --field value …`,
    isCall ? "" : section("Flags", flags(commands[name])),
    section("Required fields", rows(operation, fields, true)),
    section("Optional fields", rows(operation, fields, false)),
    section("Rules", operation.rules.map((rule) => `  ${rule}`).join("\n")),
    `POST ${operation.path}/{endpoint id}, signed by ${signedBy(operation)}`,
    isCall ? section("Example", `  ${example(operation)}`) : "",
    `Names may be shortened as long as they stay unambiguous. ${isCall ? "Other flags" : "Examples"}: pay help ${name}.`
  )
}

/** Returns the page of a flow with the fields of its first operation, such as `pay help flow sale`. */
export const flow = (name: string, operation: OperationFacts): string => {
  const fields = [...operation.fields].filter(([name]) => name !== "login")
  return paragraphs(
    `pay flow ${name}: ${operation.summary}`,
    `Usage: pay flow ${name} [--field value …] [--form FILE]`,
    wrapped(
      "On a terminal, the command asks for missing fields. Others can see card data on a command line, so it is accepted for a sandbox on this machine only: type it, or give it with --form -."
    ),
    section("Required fields", rows(operation, fields, true)),
    section("Optional fields", rows(operation, fields, false)),
    section("Rules", operation.rules.map((rule) => `  ${rule}`).join("\n")),
    section("Examples", [`  pay flow ${name}`, `  ${formExample(name, operation)}`].join("\n")),
    "Names may be shortened as long as they stay unambiguous. Other flags: pay help flow."
  )
}

/** Returns an example of a command line with a form, which is accepted without changes. */
const formExample = (name: string, { example, fields, spellings }: OperationFacts): string => {
  const order = spellings.get("client_orderid")
  const given = example.filter((field) => field !== "login" && field !== "redirect_url")
  const sample = given.map((field) => [field, field === order ? `${name}-1` : (fields.get(field)?.sample ?? "")])
  return `echo '${new URLSearchParams(sample)}' | pay flow ${name} --form -`
}

const rows = (
  operation: OperationFacts,
  fields: ReadonlyArray<readonly [string, FieldFacts]>,
  required: boolean
): string =>
  columns(
    fields
      .filter(([, field]) => field.required === required)
      .map(([name, { about }]) => [`--${name}`, [about, login(name, required), also(operation, name)].join("")])
  )

const login = (name: string, required: boolean): string =>
  name === "login" && required ? " PAY_LOGIN by default." : ""

const also = ({ spellings }: OperationFacts, name: string): string => {
  const others = [...spellings].filter(([spelling, primary]) => primary === name && spelling !== name)
  return others.length === 0 ? "" : ` Also ${others.map(([spelling]) => `--${spelling}`).join(", ")}.`
}

const signedBy = ({ signing }: OperationFacts): string =>
  signing._tag === "Control"
    ? `control over ${signing.recipe.join(", ")}`
    : `OAuth ${signing.methods.join(" or ")} over all parameters`

/** Returns an example of a command line, which is accepted without changes. The login comes from the settings. */
export const example = ({ command, example, fields }: OperationFacts): string =>
  [
    `pay call ${command}`,
    ...example.filter((name) => name !== "login").map((name) => `--${name} ${quoted(fields.get(name)?.sample ?? "")}`)
  ].join(" ")

/** Breaks a text into lines of at most 80 characters. */
const wrapped = (text: string): string => lines(text, 80).join("\n")
