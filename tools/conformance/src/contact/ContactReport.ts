/** The report of a first contact for people. */
import type { Contact } from "./FirstContact.ts"
import type { Observed } from "./Observation.ts"

const answerText = (answer: Observed): string => {
  if ("noAnswer" in answer) return answer.noAnswer
  const { code, contentType, dates = {}, form, http, identifiers, message, serialNumber, status, type } = answer
  const parts = [
    `HTTP ${http}`,
    form === "json" || form === "pairs" ? (type ?? `no type, ${form}`) : `${form} (${contentType})`,
    code === undefined ? "" : `code ${code}`,
    message === undefined ? "" : `"${message}"`,
    status === undefined ? "" : `status ${status}`,
    identifiers === "numbers" ? "identifiers are numbers" : "",
    ...Object.entries(dates).map(([name, date]) => `${name} ${date}`),
    serialNumber || form === "page" ? "" : "no serial-number"
  ]
  return parts.filter((part) => part !== "").join(", ")
}

const settingText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const rows = (entries: ReadonlyArray<readonly [string, string]>): string => {
  if (entries.length === 0) return "  none"
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n")
}

/** Returns the report. */
export const text = ({ baseUrl, file, findings, isPlaced, requests, unfinished }: Contact): string => {
  const { observed, profile } = file
  const settings = Object.entries(profile).map(([name, value]) => [name, settingText(value)] as const)
  const answers = Object.entries(observed.answers).map(([name, answer]) => [name, answerText(answer)] as const)
  const nothing = !isPlaced
    ? "  nothing is certain yet"
    : unfinished === undefined
      ? "  as the specification says"
      : "  until here as the specification says"
  return [
    `Gateway: ${baseUrl}, ${requests} requests, none of which can move money\nAnnounces: ${observed.announces === "" ? "nothing" : observed.announces}`,
    `Profile\n${settings.length === 0 ? nothing : rows(settings)}`,
    `Answers\n${rows(answers)}`,
    `Signatures\n${rows(Object.entries(observed.signatures))}`,
    `Not determined\n${observed.undetermined.map((each) => `  ${each}`).join("\n")}`,
    ...(findings.length === 0 ? [] : [`FINDINGS\n${findings.map((each) => `  ${each}`).join("\n")}`]),
    ...(unfinished === undefined ? [] : [`UNFINISHED: ${unfinished}; the profile has only what is certain`])
  ].join("\n\n")
}
