/** Text in HTML. */
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? "")

/** The name of a heading in an address, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")
