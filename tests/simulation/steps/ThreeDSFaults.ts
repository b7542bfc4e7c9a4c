/** Faults of 3-D Secure: everything that a scenario of directory server and issuer can contain. */

import type { Chance } from "@pay/crashtest/Chance"
import { Effect, Schema, SchemaAST, Struct } from "effect"
import * as ThreeDSRecord from "../../../gateway/sandbox/src/ThreeDSRecord.ts"
import { Scenario } from "../../../gateway/sandbox/src/ThreeDSScenario.ts"
import type { SimulatedSystem } from "../SimulatedSystem.ts"
import type { Step } from "./Step.ts"

/** Longer than the gateway waits for an answer (10 s), or for a report (30 s). */
const longestMs = 40_000

/** Draws a value of the schema. Each member of a union is equally likely. */
const some = (ast: SchemaAST.AST, chance: Chance): unknown => {
  if (SchemaAST.isLiteral(ast)) return ast.literal
  if (SchemaAST.isNumber(ast)) return chance.below(longestMs)
  if (SchemaAST.isUnion(ast)) {
    const member = ast.types[chance.below(ast.types.length)]
    return member === undefined ? undefined : some(member, chance)
  }
  return SchemaAST.isObjects(ast)
    ? Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [name, some(type, chance)]))
    : undefined
}

const decode = Schema.decodeUnknownSync(Scenario.mapFields(Struct.map(Schema.optionalKey)))

/** Fields that are not planned keep their defaults. */
const plan = (chance: Chance) =>
  decode(
    Object.fromEntries(
      Scenario.ast.propertySignatures.flatMap(({ name, type }) =>
        chance.percent(30) ? [[name, some(type, chance)]] : []
      )
    )
  )

/** Returns a recent authentication. */
const someTransaction = Effect.fnUntraced(function* ({ threeds }: SimulatedSystem, chance: Chance) {
  const [first, ...others] = (yield* threeds.transactions).slice(-20)
  return first === undefined ? undefined : chance.oneOf([first, ...others])
})

const planAuthentication = Effect.fnUntraced(function* (system: SimulatedSystem, chance: Chance) {
  const planned = plan(chance)
  const transaction = chance.percent(25) ? yield* someTransaction(system, chance) : undefined
  if (transaction === undefined) {
    yield* system.threeds.next(planned)
    return `the next authentication meets ${JSON.stringify(planned)}`
  }
  const orderId = ThreeDSRecord.orderIdOf(transaction)
  yield* system.threeds.forOrder(orderId, planned)
  return `the next authentication of order ${orderId} meets ${JSON.stringify(planned)}`
})

export const steps: ReadonlyArray<Step> = [
  {
    name: "threeds",
    group: "bank",
    what: "Directory server and issuer treat the next authentication in any way that a 3-D Secure scenario can describe.",
    weight: 10,
    isFault: true,
    happen: async ({ system }, chance) => system.trace.note(await system.run(planAuthentication(system, chance)))
  },
  {
    name: "lateChallengeResult",
    group: "bank",
    what: "A late or lost result of a challenge arrives from the issuer.",
    weight: 2,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      const transaction = await system.run(someTransaction(system, chance))
      if (transaction?.decided === undefined) return transitions.withdraw()
      await system.run(system.threeds.report(transaction.serverTransId))
    }
  }
]
