/** Every flow of `@pay/flows`, found in its modules. */
import * as Flows from "@pay/flows"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"

interface NamedFlow {
  readonly name: string
  /** What it carries out. */
  readonly operation: Operation
}

const modules: ReadonlyArray<object> = Object.values(Flows)

const isNamed = (value: object): value is { readonly name: string } => "name" in value && typeof value.name === "string"

/** In the order of the modules. */
export const flows: ReadonlyArray<NamedFlow> = modules
  .flatMap((module): ReadonlyArray<unknown> => Object.values(module))
  .flatMap((value) =>
    typeof value === "object" && value !== null && "operation" in value && "idempotencyKey" in value && isNamed(value)
      ? PayApi.all.flatMap((operation) => (operation === value.operation ? [{ name: value.name, operation }] : []))
      : []
  )
