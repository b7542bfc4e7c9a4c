/** Former names of the operator interface and their new names. A request or command with a former name is refused with the new one. */

/** Former methods and paths, with the current ones. */
export const routes: Readonly<Record<string, string>> = {
  "GET /operator/parity": "GET /operator/reconciliation",
  "POST /operator/parity": "POST /operator/reconciliation",
  "GET /operator/rewrap": "GET /operator/keys/rotation",
  "POST /operator/rewrap": "POST /operator/keys/rotation"
}

/** Former parameters with their values, and what to send instead. */
export const parameters: Readonly<Record<string, string>> = {
  "GET /operator/callbacks?state=parked": "state=dead-lettered",
  "GET /operator/merchants?login=": "GET /operator/merchants/:merchant"
}

/** Former commands after `pay`, with the current ones. */
export const commands: Readonly<Record<string, string>> = {
  parity: "reconciliation",
  rewrap: "keys rotation"
}

/** Former flags of commands, with their value if only the value was renamed. */
export const flags: Readonly<Record<string, string>> = {
  "backup --parity": "--reconcile",
  "callbacks --state parked": "--state dead-lettered"
}

/** Former fields of answers, with the current ones. */
export const fields: Readonly<Record<string, string>> = {
  "reconciliation: found": "discrepancyCount",
  "reconciliation: findings": "discrepancies",
  "reconciliation: findings[].found": "discrepancies[].actual",
  "keys rotation: seen": "rows",
  "keys rotation: rewrapped": "reencrypted",
  "callbacks: state parked": "state dead-lettered"
}
