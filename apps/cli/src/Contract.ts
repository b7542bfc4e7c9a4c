/**
 * The contract as plain data, which `npm run docs` writes from `@pay/schema`. Help, flags and signatures use it instead of the
 * schemas, because Effect takes longer to load than these commands take to run.
 */
import type { Scheme } from "@pay/schema/Scheme"
import written from "./Contract.json" with { type: "json" }

export interface FieldFacts {
  /** The description of the field, one sentence. */
  readonly about: string
  readonly sample: string
  readonly required: boolean
  /** The kind of the value. Values of the kinds `card` and `cvv` are never printed in full. */
  readonly kind: string
}

/** One operation as the file contains it. Lists are words separated by spaces. */
export interface WrittenOperation {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly acts: string
  /** The signature: `control` over the slots of the recipe, or `oauth` with its methods. */
  readonly scheme: string
  readonly over: string
  /** The fields of an example request that a gateway accepts. */
  readonly example: string
  readonly rules: string
  readonly aliases: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, FieldFacts>>
}

export interface OperationFacts {
  readonly command: string
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly signing: Scheme
  readonly fields: ReadonlyMap<string, FieldFacts>
  /** The primary name of each accepted spelling. */
  readonly spellings: ReadonlyMap<string, string>
  readonly example: ReadonlyArray<string>
  readonly rules: ReadonlyArray<string>
}

export const read = (command: string, operation: WrittenOperation): OperationFacts => ({
  command,
  name: operation.name,
  path: operation.path,
  summary: operation.summary,
  signing: signing(operation),
  fields: new Map(Object.entries(operation.fields)),
  spellings: new Map([
    ...Object.keys(operation.fields).map((name) => [name, name] as const),
    ...Object.entries(operation.aliases)
  ]),
  example: operation.example.split(" "),
  rules: operation.rules === "" ? [] : operation.rules.split("\n")
})

const signing = ({ over, scheme }: WrittenOperation): Scheme => {
  if (scheme === "control") return { _tag: "Control", recipe: over.split(" ") }
  const [first, ...others] = over.split(" ").map((method) => (method === "HMAC-SHA1" ? method : "RSA-SHA256"))
  return { _tag: "OAuth", methods: [first ?? "RSA-SHA256", ...others] }
}

const operations: Readonly<Record<string, WrittenOperation>> = written

/** Every operation, in the order of the specification. */
export const all: ReadonlyArray<OperationFacts> = Object.entries(operations).map(([command, facts]) =>
  read(command, facts)
)
