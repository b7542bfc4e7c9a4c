import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Scheme from "@pay/schema/Scheme"
import type { WrittenOperation } from "../src/Contract.ts"

const facts = (operation: Operation): WrittenOperation => ({
  name: operation.name,
  path: operation.path,
  summary: operation.summary,
  acts: operation.acts,
  ...Scheme.match(operation.signing, {
    Control: ({ recipe }) => ({ scheme: "control", over: recipe.join(" ") }),
    OAuth: ({ methods }) => ({ scheme: "oauth", over: methods.join(" ") })
  }),
  example: Object.keys(Sample.request(operation)).join(" "),
  rules: operation.rules.map(({ about }) => about).join("\n"),
  aliases: operation.aliases,
  fields: Object.fromEntries(
    Object.entries(operation.fields).map(([name, field]) => {
      const { about, kind, sample } = Field.info(field)
      return [name, { about, sample, required: !Field.isOptional(field), kind }]
    })
  )
})

/** The contract as the command line carries it, by command. */
export const contractFacts = (): Readonly<Record<string, WrittenOperation>> =>
  Object.fromEntries(PayApi.all.map((operation) => [operation.command, facts(operation)]))
