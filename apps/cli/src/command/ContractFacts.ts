/**
 * The facts of the contract that help, flags and signatures use. The built program contains them as data, because Effect takes longer to
 * load than these commands take to run.
 */
import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { Scheme } from "@pay/schema/Scheme"

export interface FieldFacts {
  /** The description of the field, one sentence. */
  readonly about: string
  readonly sample: string
  readonly required: boolean
  /** The kind of the value. Values of the kinds `card` and `cvv` are never printed in full. */
  readonly kind: string
}

const factsOf = (operation: Operation) => ({
  command: operation.command,
  name: operation.name,
  path: operation.path,
  summary: operation.summary,
  signing: operation.signing satisfies Scheme,
  /** The fields of an example request that a gateway accepts. */
  example: Object.keys(Sample.request(operation)),
  rules: operation.rules.map(({ about }) => about),
  aliases: Object.entries(operation.aliases),
  fields: Object.entries(operation.fields).map(([name, field]): readonly [name: string, facts: FieldFacts] => {
    const { about, kind, sample } = Field.info(field)
    return [name, { about, sample, required: !Field.isOptional(field), kind }]
  })
})

/** Every operation, in the order of the specification. */
export const facts: ReadonlyArray<ReturnType<typeof factsOf>> = PayApi.all.map(factsOf)
