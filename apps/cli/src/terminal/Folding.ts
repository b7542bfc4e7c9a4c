/** Breaks text into lines that fit a terminal. */

/** Breaks a text into lines of at most `width` characters. A longer word has its own line. */
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
 * Breaks lines to the width of a terminal: paragraphs and the second of two columns continue below themselves. Other lines are
 * not broken, so that they can be copied.
 */
export const folded = (text: string, width: number): string =>
  text
    .split("\n")
    .map((line) => {
      const first = /^ +[^ ]+(?: [^ ]+)* {2,}/.exec(line)?.[0] ?? ""
      const remaining = width - first.length
      if (line.length <= width || remaining < 20 || (first === "" && line.startsWith(" "))) return line
      return first + lines(line.slice(first.length), remaining).join(`\n${" ".repeat(first.length)}`)
    })
    .join("\n")
