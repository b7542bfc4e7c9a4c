/** Random bytes for keys and nonces, fetched from the system in large pieces: one call for each would cost more than AES. */
import { randomFillSync } from "node:crypto"

export type Fill = (target: Buffer, offset: number, length: number) => void

/** Fills parts of buffers; no byte is handed out twice or left behind in the pool. */
export const make = (pool: Buffer = Buffer.alloc(16_384)): Fill => {
  let used = pool.length
  return (target, offset, length) => {
    if (used + length > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    pool.copy(target, offset, used, used + length)
    pool.fill(0, used, used + length)
    used += length
  }
}
