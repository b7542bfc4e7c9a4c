/** Text in HTML. */
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? "")

/** The name of a heading in an address, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** The text without its parts from `start` to `end`. A part without an end is left out up to the end of the text. */
export const without = (text: string, start: string, end: string): string => {
  const [first = "", ...parts] = text.split(start)
  return first + parts.map((part) => part.split(end).slice(1).join(end)).join("")
}
