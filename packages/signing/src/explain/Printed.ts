/** The lengths that the text of a digest can have, by the way in which it is printed. */

/** Bytes whose print is the shortest or the longest one of some way of printing. */
const extremes = [0x00, 0xff, 0x7f, 0x01, 0xfb, " ", "é", "\u{1f600}"]

interface Lengths {
  readonly least: number
  readonly most: number
}

/** The lengths that were found, by the number of bytes. A search asks for the same thousands of times. */
const byPrint = new WeakMap<(bytes: Buffer) => string, Map<number, Lengths>>()

/** Returns the least and the largest length of the print of so many bytes. */
export const lengths = (size: number, print: (bytes: Buffer) => string): Lengths => {
  const own = byPrint.get(print) ?? new Map<number, Lengths>()
  byPrint.set(print, own)
  const made = own.get(size) ?? lengthsOf(extremes.map((fill) => print(Buffer.alloc(size, fill)).length))
  own.set(size, made)
  return made
}

const lengthsOf = (all: ReadonlyArray<number>): Lengths => ({ least: Math.min(...all), most: Math.max(...all) })
