/** A bank that does what it is told each time, and remembers every movement. */

interface Movement {
  /** The merchant's name of the order. */
  readonly clientOrderId: string
  /** `authorize`, `capture`, `cancel`, `refund`, `check`, `pay`, `eligible`. */
  readonly kind: string
  readonly amountMinor: number
}

export const make = () => {
  const movements: Array<Movement> = []
  return {
    move: (movement: Movement): void => {
      movements.push(movement)
    },
    /** `authorize 1042`: each that was made for orders of this name, in order. */
    booked: (clientOrderId: string): ReadonlyArray<string> =>
      movements.flatMap((movement) =>
        movement.clientOrderId === clientOrderId ? `${movement.kind} ${movement.amountMinor}` : []
      )
  }
}

export type StubBank = ReturnType<typeof make>
