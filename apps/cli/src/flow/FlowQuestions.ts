/**
 * Requests the missing fields of a flow from the user at the terminal, one after another, until the operation accepts the fields.
 * The operation's schema decides which field is next, and reports problems of an answer. Nothing is sent before the user has
 * confirmed all fields.
 */
import { codes } from "@pay/schema/ErrorCode"
import * as Field from "@pay/schema/Field"
import type { FieldProblem, FieldTexts, Operation } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import { Effect, Option, Redacted, Result, Terminal } from "effect"
import * as Prompt from "effect/cli/Prompt"
import type { OperationFacts } from "../command/Contract.ts"
import * as Mask from "../request/Mask.ts"
import * as Output from "../terminal/Output.ts"

export interface Questionnaire {
  readonly operation: Operation
  readonly facts: OperationFacts
  /** Returns the default value of a field, which Enter alone accepts. */
  readonly offered: (field: string) => string | undefined
  /** Optional fields that are requested nevertheless, because the user gave them before. */
  readonly also: ReadonlyArray<string>
  /** Fields that are not shown for confirmation, because the program sets them. */
  readonly unshown: ReadonlyArray<string>
  /** The gateway and endpoint that would receive the request. */
  readonly destination: string
}

/** Returns all fields, or `None` if the user stopped or did not confirm. */
export const ask = Effect.fnUntraced(
  function* (asking: Questionnaire, texts: FieldTexts) {
    const filled = yield* Prompt.run(fill(asking, texts, asking.also))
    yield* show(`\n${Output.safe(summary(asking, filled))}\n\n`)
    const agreed = yield* Prompt.run(Prompt.Confirm({ message: `Send this to ${asking.destination}?` }))
    return agreed ? Option.some(filled) : Option.none()
  },
  Effect.catchTag("QuitError", () => Effect.as(show("\n"), Option.none()))
)

const show = (text: string) => Effect.orDie(Effect.flatMap(Terminal.Terminal, ({ display }) => display(text)))

const fill = (
  asking: Questionnaire,
  texts: FieldTexts,
  [also, ...others]: ReadonlyArray<string>
): Prompt.Prompt<FieldTexts> => {
  if (also !== undefined) {
    const again = question(asking, texts, Rule.required(also), also)
    return Prompt.flatMap(again, (next) => fill(asking, next, others))
  }
  const decoded = asking.operation.decodeFields(texts)
  const problems = Result.isFailure(decoded) ? decoded.failure : []
  // A wrong field is requested again before a missing one, while the user remembers the answer.
  const problem = problems.find((each) => !isRequired(each)) ?? problems[0]
  if (problem === undefined) return Prompt.succeed(texts)
  const answered = Prompt.flatMap(chosen(asking, texts, problem), (field) => question(asking, texts, problem, field))
  return Prompt.flatMap(answered, (next) => fill(asking, next, []))
}

const isRequired = ({ code }: FieldProblem): boolean => code === codes.parameterRequired.code

/** Returns the field of the problem. If one of several fields would solve the problem, the user selects one. */
const chosen = (asking: Questionnaire, texts: FieldTexts, problem: FieldProblem): Prompt.Prompt<string> => {
  const { infos } = asking.operation
  const others = isRequired(problem) ? alternatives(asking.operation, texts, problem) : []
  return others.length < 2
    ? Prompt.succeed(problem.field)
    : Prompt.Select({
        message: "Which one",
        choices: others.map((value) => ({ title: value, value, description: infos.get(value)?.about ?? "" }))
      })
}

const alternatives = (
  { decodeFields, fields, infos }: Operation,
  texts: FieldTexts,
  { code, field }: FieldProblem
): ReadonlyArray<string> =>
  [...infos].flatMap(([name, { sample }]) => {
    const schema = fields[name]
    if (schema === undefined || !Field.isOptional(schema) || texts[name] !== undefined) return []
    const tried = decodeFields({ ...texts, [name]: sample })
    const isLeft = Result.isFailure(tried) && tried.failure.some((left) => left.code === code && left.field === field)
    return isLeft ? [] : [name]
  })

/** Requests one field and returns the fields with the answer. Without an answer the field is left out. */
const question = (
  { facts, offered, operation }: Questionnaire,
  texts: FieldTexts,
  problem: FieldProblem,
  field: string
): Prompt.Prompt<FieldTexts> => {
  const { about = "", sample = "" } = operation.infos.get(field) ?? {}
  const isSecret = Mask.value(facts, field, sample) !== sample
  const offer = offered(field)
  const before = isSecret ? undefined : texts[field]
  const hint = offer === undefined || before !== undefined ? "" : ` [${Mask.value(facts, field, offer)}]`
  const what = isRequired(problem) ? titled(field, about, hint.length) : problem.message.replace("Parameter ", "")
  const options = { message: `${what}${hint}`, ...(before === undefined ? {} : { default: before }) }
  const answer = isSecret ? Prompt.Password(options).pipe(Prompt.map(Redacted.value)) : Prompt.String(options)
  return Prompt.map(answer, (typed) => {
    const { [field]: _, ...others } = texts
    const text = typed.trim() || offer
    return text === undefined ? others : { ...others, [field]: text }
  })
}

/** Returns the question of a field, shortened so that an answer fits on a line of 80 characters. */
const titled = (field: string, about: string, hintLength: number): string => {
  const whole = `${field}: ${about.replace(/\.$/, "")}`
  const begun = `${field}: ${about.split(/[,:;.]/, 1).join("")}`
  return [whole, begun].find((title) => title.length + hintLength <= 60) ?? field
}

const summary = ({ facts, unshown }: Questionnaire, texts: FieldTexts): string =>
  Output.columns(
    [...facts.fields.keys()].flatMap((name) => {
      const text = texts[name]
      return text === undefined || unshown.includes(name) ? [] : [[name, Mask.value(facts, name, text)] as const]
    })
  )
