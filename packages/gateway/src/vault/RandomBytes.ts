/** Random bytes for keys and nonces, fetched from the system in large pieces: one call for each would cost more than AES. */
import { randomFillSync } from "node:crypto"

const pool = Buffer.alloc(16_384)
let used = pool.length

/** Fills `length` bytes of the target; no byte is handed out twice or left behind. */
export const fill = (target: Buffer, offset: number, length: number): void => {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  pool.copy(target, offset, used, used + length)
  pool.fill(0, used, used + length)
  used += length
}
