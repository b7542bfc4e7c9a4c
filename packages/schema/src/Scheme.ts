/** How an operation is signed (docs/specification.md#control, docs/specification.md#oauth). */

/** The signature methods of OAuth: HMAC-SHA1 with the control key, RSA-SHA256 with the merchant's RSA key. */
export type Method = "HMAC-SHA1" | "RSA-SHA256"

/** Scheme A: the `control` parameter over the recipe's slots, which are wire names, `login` or `endpointId`. */
export interface Control<Slot extends string = string> {
  readonly _tag: "Control"
  readonly recipe: ReadonlyArray<Slot>
}

/** Scheme B: OAuth 1.0a. `@pay/client` signs with the first method; the gateway accepts every method of the list. */
export interface OAuth {
  readonly _tag: "OAuth"
  readonly methods: readonly [Method, ...ReadonlyArray<Method>]
}

export type Scheme<Slot extends string = string> = Control<Slot> | OAuth

/** Declares `control` with the recipe of an operation. */
export const Control = <const Slot extends string>(recipe: ReadonlyArray<Slot>): Control<Slot> => ({
  _tag: "Control",
  recipe
})

/** Declares OAuth with the accepted methods of an operation. */
export const OAuth = (...methods: OAuth["methods"]): OAuth => ({ _tag: "OAuth", methods })

/** Calls the case of the operation's scheme and returns its result. */
export const match = <A, B>(
  scheme: Scheme,
  cases: { readonly Control: (scheme: Control) => A; readonly OAuth: (scheme: OAuth) => B }
): A | B => (scheme._tag === "Control" ? cases.Control(scheme) : cases.OAuth(scheme))
