/** Reads the operation and the fields of a command line: `OPERATION --field value …`, optionally with `--form FILE`. */
import * as Canonical from "@pay/schema/Canonical"
import * as Digits from "@pay/schema/Digits"
import * as Loopback from "@pay/schema/Loopback"
import * as Form from "@pay/signing/Form"
import * as Profile from "@pay/transport/Profile"
import type { Command } from "../command/Command.ts"
import type { OperationFacts } from "../command/Contract.ts"
import * as Flags from "../command/Flags.ts"
import * as OperationName from "../command/OperationName.ts"
import * as Literals from "../explain/Literals.ts"
import * as PrintedFields from "../explain/PrintedFields.ts"
import * as Files from "../terminal/Files.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Credentials from "./Credentials.ts"
import * as Endpoint from "./Endpoint.ts"

export interface FieldInput {
  readonly operation: OperationFacts
  readonly given: Flags.Given
  /** The parameters as given, without `control` and `oauth_*`. An OAuth signature covers exactly these. */
  readonly parameters: ReadonlyArray<Form.Parameter>
  /** The `oauth_*` parameters of the form, which only repeat the header. */
  readonly repeated: ReadonlyArray<Form.Parameter>
  /** The trimmed values by primary name, including the login, as the operation understands them. */
  readonly texts: Readonly<Record<string, string>>
  /** The received signature, if the form or `--received` contains one. */
  readonly received: string | undefined
}

/** Names of signatures in requests, with the flag that each replaces. */
const receivedNames = [
  ["control", "received"],
  ["authorization", "received"]
] as const

/** Returns the accepted flags: the command's own, and one for each field of the operation. */
export const accepted = (operation: OperationFacts, command: Command): Flags.Accepted => ({
  flags: new Map<string, Flags.Flag>([
    ...[...operation.fields].map(([name, { about }]) => [name, { value: "TEXT", about }] as const),
    ...Object.entries(command.flags)
  ]),
  spellings: "received" in command.flags ? new Map([...operation.spellings, ...receivedNames]) : operation.spellings
})

export const read = async (topic: string, command: Command, args: ReadonlyArray<string>): Promise<FieldInput> => {
  const operation = OperationName.find(args[0], topic)
  return of(operation, `${topic} ${operation.command}`, command, args.slice(1))
}

/** Reads the fields of this operation from the arguments. `pay help PAGE` explains them. */
export const of = async (
  operation: OperationFacts,
  page: string,
  command: Command,
  args: ReadonlyArray<string>,
  /** A form that replaces the one of `--form`. */
  pasted?: string
): Promise<FieldInput> => {
  const given = Flags.parse(args, accepted(operation, command), page)
  if (given.operands.length > 0) throw new UsageError("A value stands without its --field in front of it", page)
  const flags = [...given.flags].filter(([name]) => operation.fields.has(name))
  refuseCardData(operation, command, given, flags)
  const set = new Set(flags.map(([name]) => name))
  const body = (pasted === undefined ? await readForm(given) : formOf("request", pasted)).filter(
    ([name]) => !set.has(operation.spellings.get(name) ?? name)
  )
  const parameters = [...body.filter(([name]) => name !== "control" && !name.startsWith("oauth_")), ...flags]
  const { fields, problems } = Canonical.fields(operation, parameters)
  const [problem] = problems
  if (problem !== undefined) throw new UsageError(problem.message)
  return {
    operation: withRecipe(operation, given),
    given,
    repeated: body.filter(([name]) => name.startsWith("oauth_")),
    ...withLogin(operation, parameters, fields, Credentials.setting(given, "login")),
    received: given.flags.get("received") ?? body.find(([name]) => name === "control")?.[1]
  }
}

/** Returns the operation with the recipe of `control` that the gateway's profile has for it. */
const withRecipe = (operation: OperationFacts, given: Flags.Given): OperationFacts => {
  const { signing } = operation
  const recipe = Profile.recipeOf({ recipes: Endpoint.profile(given).recipes ?? {} }, operation)
  return recipe === undefined || signing._tag !== "Control"
    ? operation
    : { ...operation, signing: { ...signing, recipe } }
}

/** Returns whether a card can be charged with this value. Expiry dates have the same kind as card numbers, but are short. */
const isCardData = (kind: string | undefined, value: string): boolean =>
  kind === "cvv" || (kind === "card" && Digits.ascii(value).replaceAll(/\D/g, "").length >= 12)

/**
 * Refuses card data in flags, because other users can read command lines, except for a sandbox on this machine. Without an
 * address, a command that sends the fields continues, because it requires the address itself; a command that only signs refuses.
 */
const refuseCardData = (
  { fields }: OperationFacts,
  { sendsFields = false }: Command,
  given: Flags.Given,
  flags: ReadonlyArray<Form.Parameter>
): void => {
  const base = Credentials.setting(given, "base-url")
  const [name] = flags.find(([name, value]) => isCardData(fields.get(name)?.kind, value)) ?? []
  if (name === undefined || (base === undefined ? sendsFields : Loopback.isOn(base))) return
  throw new UsageError(
    `--${name} is for a sandbox on this machine (PAY_BASE_URL): others can read command lines, and shells keep them. ` +
      "Nothing was sent. Give card data in a form: --form FILE, or --form - for standard input"
  )
}

const readForm = async (given: Flags.Given): Promise<ReadonlyArray<Form.Parameter>> => {
  const path = given.flags.get("form")
  if (path === undefined) return []
  return formOf("form", (await Files.read("form", path)).trim())
}

const formOf = (flag: string, text: string): ReadonlyArray<Form.Parameter> => {
  const printed = printedFields(flag, text)
  if (printed !== undefined) return printed
  const form = Form.parse(text)
  if (!form.ok) throw new UsageError(`--${flag} has no form-encoded body: ${form.reason}, at character ${form.at + 1}`)
  return form.parameters
}

/** Returns fields as a program prints them. `undefined` for a body. */
const printedFields = (flag: string, text: string): ReadonlyArray<Form.Parameter> | undefined => {
  try {
    return PrintedFields.of(text)
  } catch (error) {
    if (error instanceof Literals.NotData) throw new UsageError(`--${flag} has ${error.message}`)
    throw error
  }
}

const withLogin = (
  operation: OperationFacts,
  parameters: ReadonlyArray<Form.Parameter>,
  texts: Readonly<Record<string, string>>,
  login: string | undefined
): Pick<FieldInput, "parameters" | "texts"> =>
  login === undefined || texts.login !== undefined || operation.fields.get("login")?.required !== true
    ? { parameters, texts }
    : { parameters: [["login", login], ...parameters], texts: { ...texts, login } }

/** Returns the signature to be verified, from the form or `--received`. Fails if there is none. */
export const needReceived = ({ operation, received }: FieldInput): string => {
  if (received !== undefined) return received
  const what = operation.signing._tag === "Control" ? "the control" : "the Authorization header"
  throw new UsageError(`Give ${what} as --received TEXT`)
}
