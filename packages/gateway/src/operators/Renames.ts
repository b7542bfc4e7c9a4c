/** Former names of the operator interface and their new names. A request or command with a former name is refused with the new one. */

/** Methods and paths. */
export const routes: Readonly<Record<string, string>> = {
  "GET /operator/parity": "GET /operator/reconciliation",
  "POST /operator/parity": "POST /operator/reconciliation",
  "GET /operator/rewrap": "GET /operator/keys/rotation",
  "POST /operator/rewrap": "POST /operator/keys/rotation"
}

/** Parameters with their values, and what to send instead. */
export const parameters: Readonly<Record<string, string>> = {
  "GET /operator/callbacks?state=parked": "state=dead-lettered",
  "GET /operator/merchants?login=": "GET /operator/merchants/:merchant"
}

/** Commands after `pay`. */
export const commands: Readonly<Record<string, string>> = {
  parity: "reconciliation",
  rewrap: "keys rotation"
}

/** Flags of commands, with their value where only that was renamed. */
export const flags: Readonly<Record<string, string>> = {
  "backup --parity": "--reconcile",
  "callbacks --state parked": "--state dead-lettered"
}

/** Fields of answers, which programs read. */
export const fields: Readonly<Record<string, string>> = {
  "reconciliation: found": "discrepancyCount",
  "reconciliation: findings": "discrepancies",
  "reconciliation: findings[].found": "discrepancies[].actual",
  "keys rotation: seen": "rows",
  "keys rotation: rewrapped": "reencrypted",
  "callbacks: state parked": "state dead-lettered"
}
