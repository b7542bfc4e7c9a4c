/** A bank that executes every request, also a repeated one, and records every movement. */

export interface Movement {
  /** The merchant's name of the order. */
  readonly clientOrderId: string
  /** `authorize`, `capture`, `void`, `refund`, `check`, `pay`, `eligible`. */
  readonly kind: string
  readonly amountMinor: number
  readonly currency: string
  /** What the order was called when it moved: `sale`, `preauth`, `transfer` ... */
  readonly type: string
  /** Paid from the merchant's balance, not by a card. */
  readonly isFromBalance: boolean
}

export const make = () => {
  const movements: Array<Movement> = []
  return {
    move: (movement: Movement): void => {
      movements.push(movement)
    },
    movements: (clientOrderId: string): ReadonlyArray<Movement> =>
      movements.filter((movement) => movement.clientOrderId === clientOrderId),
    /** `authorize 1042`: each that was made for orders of this name, in order. */
    booked: (clientOrderId: string): ReadonlyArray<string> =>
      movements.flatMap((movement) =>
        movement.clientOrderId === clientOrderId ? `${movement.kind} ${movement.amountMinor}` : []
      )
  }
}

export type StubBank = ReturnType<typeof make>
