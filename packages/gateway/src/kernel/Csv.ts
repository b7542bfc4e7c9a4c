/** Lines of comma-separated values (RFC 4180). */

const special = /[",\r\n]/

const field = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One record with its line break. */
export const line = (fields: ReadonlyArray<string>): string => `${fields.map(field).join(",")}\r\n`
