import * as KeptText from "@pay/schema/KeptText"

/** A map with a largest number of entries. Beyond it the entries that were set first are dropped. */
export class Recent<A> {
  readonly #entries = new Map<string, A>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): A | undefined {
    return this.#entries.get(key)
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  set(key: string, value: A): void {
    this.#entries.delete(key)
    this.#entries.set(KeptText.of(key), value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  values(): ReadonlyArray<A> {
    return [...this.#entries.values()]
  }
}
