/** All authentications of the simulated 3-D Secure world, computed from its entries. */
import { type Entry, orderIdOf, type Transaction } from "./ThreeDSRecord.ts"

/** The records of one simulated 3-D Secure world, in memory. */
export class ThreeDSRecords {
  readonly #byId = new Map<string, Transaction>()
  /** Transaction ids by transaction id, by reference and by order id. An order id leads to its latest transaction. */
  readonly #names = new Map<string, string>()

  /** Applies one entry, either new or read from the journal. */
  apply(entry: Entry): void {
    if (entry._tag === "Enrolled") {
      const { _tag, ...facts } = entry
      const { reference, serverTransId } = facts
      for (const name of [serverTransId, reference, orderIdOf(facts)]) this.#names.set(name, serverTransId)
      this.#byId.set(serverTransId, {
        ...facts,
        methodSeen: false,
        request: undefined,
        wrongPasswords: 0,
        decided: undefined
      })
      return
    }
    const transaction = this.#byId.get(entry.serverTransId)
    if (transaction !== undefined) this.#byId.set(entry.serverTransId, changed(transaction, entry))
  }

  clear(): void {
    this.#byId.clear()
    this.#names.clear()
  }

  get(serverTransId: string): Transaction | undefined {
    return this.#byId.get(serverTransId)
  }

  /** Returns an authentication by transaction id or reference, or the latest one of an order. */
  find(name: string): Transaction | undefined {
    return this.get(this.#names.get(name) ?? "")
  }

  all(): ReadonlyArray<Transaction> {
    return [...this.#byId.values()]
  }
}

const changed = (transaction: Transaction, entry: Exclude<Entry, { readonly _tag: "Enrolled" }>): Transaction => {
  switch (entry._tag) {
    case "MethodSeen":
      return { ...transaction, methodSeen: true }
    case "Asked":
      return { ...transaction, request: entry.request }
    case "WrongPassword":
      return { ...transaction, wrongPasswords: transaction.wrongPasswords + 1 }
    case "Decided":
      return { ...transaction, decided: entry.decided }
  }
}
