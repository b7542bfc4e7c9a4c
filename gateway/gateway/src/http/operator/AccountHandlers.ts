/** Handles operations on the operators themselves. */
import { Effect, Redacted } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import { storedRoles } from "../../operators/contract/Operators.ts"
import * as OperatorAccount from "../../signin/decide/OperatorAccount.ts"
import * as Operators from "../../signin/Operators.ts"
import * as SecondFactors from "../../signin/SecondFactors.ts"
import { conflict, type Handlers, missing, OperatorRefusal } from "./OperatorHandler.ts"

const shown = (roles: string): string => (roles === "" ? "look" : roles)

const rowOf = (account: OperatorAccount.OperatorAccount) => ({
  name: account.name,
  roles: shown(account.roles),
  source: "operator" as const,
  tokenMadeBy: account.tokenMadeBy,
  changed: account.changedAtMs
})

const made = ({ account, token }: Operators.Made) => ({ ...rowOf(account), token: Redacted.value(token) })

const statuses = { NameTaken: 409, Unknown: 404, LastAdmin: 409, FirstIsAdmin: 409 } as const satisfies Record<
  OperatorAccount.Reason,
  OperatorRefusal["status"]
>

const refused = ({ message, reason }: OperatorAccount.AccountRefused) =>
  Effect.fail(new OperatorRefusal({ status: statuses[reason], message, detail: { reason } }))

const nameOf = (actor: Actor): string => actor.slice(actor.indexOf(":") + 1)

/** The handlers of the two-step sign-in. */
const twoStep = Effect.map(SecondFactors.make, (factors) => {
  const handlers: Pick<Handlers, "enrolOperator" | "verifyOperator" | "unenrolOperator"> = {
    enrolOperator: Effect.fnUntraced(function* (_, actor) {
      const name = nameOf(actor)
      const enrolled = yield* factors.enrol(actor, name)
      if (enrolled === "Enrolled")
        return yield* conflict(`${name} has enrolled: an admin first removes that (pay operator unenrol ${name})`)
      return { name, ...Redacted.value(enrolled) }
    }),
    verifyOperator: Effect.fnUntraced(function* ({ code }, actor) {
      const name = nameOf(actor)
      const verdict = yield* factors.judge(actor, name, Redacted.make(code, { label: "code" }))
      if (verdict === undefined) return yield* conflict("enrol first: pay operator enrol")
      return verdict === "Right" ? { name } : yield* conflict(SecondFactors.wrongCode[verdict])
    }),
    unenrolOperator: ({ name }, actor) =>
      Effect.flatMap(factors.remove(actor, name), (isDone) =>
        isDone ? Effect.succeed({ name }) : missing(`${name} has not enrolled`)
      )
  }
  return handlers
})

type Names = "listOperators" | "addOperator" | "changeOperator" | "resetOperator" | "replaceToken" | "removeOperator"

export const make = Effect.gen(function* () {
  const operators = yield* Operators.manage
  const factors = yield* twoStep
  const ofFile = (yield* Operators.Operators).map(({ name, roles = OperatorAccount.roles }) => ({
    name,
    roles: shown(OperatorAccount.joined(roles)),
    source: "file" as const
  }))
  const handlers: Pick<Handlers, Names> & typeof factors = {
    ...factors,
    listOperators: () =>
      Effect.map(operators.list, (rows) => ({
        operators: [...ofFile, ...rows.filter((row) => !OperatorAccount.isRemoved(row)).map(rowOf)]
      })),
    addOperator: ({ name, roles }, actor) =>
      operators.add(actor, name, storedRoles(roles)).pipe(Effect.map(made), Effect.catchTag("AccountRefused", refused)),
    changeOperator: ({ name, roles }, actor) =>
      operators
        .changeRoles(actor, name, storedRoles(roles))
        .pipe(Effect.map(rowOf), Effect.catchTag("AccountRefused", refused)),
    resetOperator: ({ name }, actor) =>
      operators.replaceToken(actor, name).pipe(Effect.map(made), Effect.catchTag("AccountRefused", refused)),
    replaceToken: (_, actor) =>
      operators.replaceToken(actor, nameOf(actor)).pipe(Effect.map(made), Effect.catchTag("AccountRefused", refused)),
    removeOperator: ({ name }, actor) =>
      operators.remove(actor, name).pipe(Effect.map(rowOf), Effect.catchTag("AccountRefused", refused))
  }
  return handlers
})
