/** Escapes text for HTML, and makes the addresses of headings. */
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? "")

/** Returns the fragment identifier of a heading, by the rules of GitHub. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** Removes each part of the text from `start` to `end`. A part without an end is removed up to the end of the text. */
export const without = (text: string, start: string, end: string): string => {
  const [first = "", ...parts] = text.split(start)
  return first + parts.map((part) => part.split(end).slice(1).join(end)).join("")
}
