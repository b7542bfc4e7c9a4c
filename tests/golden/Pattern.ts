/** What stays of a stored text when everything that differs from run to run is taken out. */

const replacements: ReadonlyArray<readonly [pattern: RegExp, by: string]> = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "UUID"],
  [/\bSHA256:[\w+/]{43}/g, "SHA256:HASH"],
  [/\bv\d+\.[\w-]{43}\b/g, "vN.HASH"],
  [/\b[0-9a-f]{32,128}\b/gi, "HEX"],
  [/\b(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}\b/g, "TOKEN"],
  [/\b(?:sandbox|second)-merchant\b/g, "MERCHANT"],
  [/\/(?:USD|EUR|JPY|KWD|GBP)\//g, "/CURRENCY/"],
  [/\d+/g, "N"]
]

export const of = (text: string): string =>
  replacements.reduce((existing, [pattern, by]) => existing.replaceAll(pattern, by), text)
