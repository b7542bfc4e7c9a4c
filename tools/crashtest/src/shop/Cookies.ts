/** The cookies of one customer. All sites of this machine are one host. */
import type * as ShopRequests from "./ShopRequests.ts"

const most = 50

export class Cookies {
  readonly #values = new Map<string, string>()

  /** Takes what an answer sets, and deletes what it lets expire. */
  take({ headers }: Pick<ShopRequests.Answer, "headers">): void {
    const set = headers["set-cookie"] ?? []
    for (const line of typeof set === "string" ? [set] : set) {
      const [pair = ""] = line.split(";", 1)
      const name = pair.slice(0, Math.max(0, pair.indexOf("="))).trim()
      const value = pair.slice(pair.indexOf("=") + 1)
      if (name === "") continue
      if (/;\s*max-age=(?:0|-\d+)\b/i.test(line) || /;\s*expires=[^;]*\b19\d\d\b/i.test(line)) this.#values.delete(name)
      else if (this.#values.size < most) this.#values.set(name, value)
    }
  }

  /** The header with all of them. */
  get header(): Readonly<Record<string, string>> {
    return this.#values.size === 0
      ? {}
      : { cookie: [...this.#values].map(([name, value]) => `${name}=${value}`).join("; ") }
  }
}
