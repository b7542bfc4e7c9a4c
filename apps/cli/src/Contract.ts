/**
 * The contract as plain data, written from `@pay/schema` by `npm run docs`: what help, flags and signatures need,
 * without the schemas and so without Effect, which would take longer to load than all of it takes to run.
 */
import type { Scheme } from "@pay/schema/Scheme"
import written from "./Contract.json" with { type: "json" }

export interface FieldFacts {
  /** One sentence. */
  readonly about: string
  readonly sample: string
  readonly required: boolean
  /** `card` and `cvv` are never printed as they are. */
  readonly kind: string
}

/** One operation as it stands in the file: lists are words with a blank between them. */
export interface WrittenOperation {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly acts: string
  /** `control` over the recipe's slots, or `oauth` with its methods. */
  readonly scheme: string
  readonly over: string
  /** Fields of a request that is accepted, for the example. */
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
  /** Every accepted spelling and the primary name it stands for. */
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
