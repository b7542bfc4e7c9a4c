/** Text on lines that fit a terminal. */

/** The words of a text on lines of at most this width; a longer word has a line of its own. */
export const lines = (text: string, width: number): ReadonlyArray<string> => {
  const done: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && longer.length > width) {
      done.push(line)
      line = word
    } else line = longer
  }
  return [...done, line]
}

/**
 * Lines that fit a terminal of this width: paragraphs and the second of two columns go on below themselves. Other lines
 * stay whole, to be copied.
 */
export const folded = (text: string, width: number): string =>
  text
    .split("\n")
    .map((line) => {
      const first = /^ +[^ ]+(?: [^ ]+)* {2,}/.exec(line)?.[0] ?? ""
      const room = width - first.length
      if (line.length <= width || room < 20 || (first === "" && line.startsWith(" "))) return line
      return first + lines(line.slice(first.length), room).join(`\n${" ".repeat(first.length)}`)
    })
    .join("\n")
