/** A request that the user has pasted, in whatever form. */
export interface PastedRequest {
  readonly method: string
  /** The absolute address, or only path and query if the text names no host. */
  readonly url: string
  /** Whether the text says that the address is one of http or https. Otherwise `url` has https, which may be wrong. */
  readonly isSchemeKnown: boolean
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}
