/** The length of a text as people and documents count it. */

/** Whether a text has more characters than this. Characters are Unicode code points, of which each has one or two UTF-16 code units. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most)
