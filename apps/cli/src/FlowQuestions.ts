/**
 * Asks at the terminal for what a flow still needs, one question after another until the operation takes the fields: which
 * come next, and what is wrong with an answer, its own schema says. Nothing is sent before all are shown and agreed to.
 */
import { codes } from "@pay/schema/ErrorCode"
import * as Field from "@pay/schema/Field"
import type { FieldProblem, FieldTexts, Operation } from "@pay/schema/Operation"
import * as Rule from "@pay/schema/Rule"
import { Effect, Option, Redacted, Result, Terminal } from "effect"
import * as Prompt from "effect/cli/Prompt"
import type { OperationFacts } from "./Contract.ts"
import * as Mask from "./Mask.ts"
import * as Output from "./Output.ts"

export interface Questionnaire {
  readonly operation: Operation
  readonly facts: OperationFacts
  /** What Enter alone answers. */
  readonly offered: (field: string) => string | undefined
  /** Fields that are asked for although they may be left out: they were given before. */
  readonly also: ReadonlyArray<string>
  /** Fields that are not worth showing again: the program's own. */
  readonly unshown: ReadonlyArray<string>
  /** The gateway and endpoint that would receive the request. */
  readonly destination: string
}

/** All fields, or nothing where the user stopped or did not agree. */
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
  // What is wrong is asked again before what is missing: while it is still in mind.
  const problem = problems.find((each) => !isRequired(each)) ?? problems[0]
  if (problem === undefined) return Prompt.succeed(texts)
  const answered = Prompt.flatMap(chosen(asking, texts, problem), (field) => question(asking, texts, problem, field))
  return Prompt.flatMap(answered, (next) => fill(asking, next, []))
}

const isRequired = ({ code }: FieldProblem): boolean => code === codes.parameterRequired.code

/** The field itself, or where a rule can be kept with one of several, the one that is chosen. */
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

/** One answer, taken into the fields. Without an answer the field is left out. */
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

/** With as much of the description as leaves room for an answer on a line of 80. */
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
