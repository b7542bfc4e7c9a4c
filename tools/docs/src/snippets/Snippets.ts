/** Writes one request in every language. */
import * as Curl from "./Curl.ts"
import type { ExampleRequest } from "./ExampleRequest.ts"
import type { Language } from "./Language.ts"
import * as Php from "./Php.ts"
import * as Python from "./Python.ts"
import * as TypeScript from "./TypeScript.ts"

export const of = (request: ExampleRequest): Readonly<Record<Language, string>> => ({
  curl: Curl.write(request),
  TypeScript: TypeScript.write(request),
  PHP: Php.write(request),
  Python: Python.write(request)
})
