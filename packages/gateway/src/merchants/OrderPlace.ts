import type { Endpoint } from "./Directory.ts"

/** The first endpoint that takes the currency; a verification names none and is asked in the first. */
export const placeOf = (endpoints: ReadonlyArray<Endpoint>, asked: string | undefined) => {
  const endpoint = endpoints.find(({ currencies }) => asked === undefined || currencies.has(asked))
  const [first] = endpoint?.currencies ?? []
  const currency = asked ?? first
  return endpoint === undefined || currency === undefined ? undefined : { endpoint, currency }
}
