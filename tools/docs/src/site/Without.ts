/** Removes each part of the text from `start` to `end`. A part without an end is removed up to the end of the text. */
export const without = (text: string, start: string, end: string): string => {
  const [first = "", ...parts] = text.split(start)
  return first + parts.map((part) => part.split(end).slice(1).join(end)).join("")
}
