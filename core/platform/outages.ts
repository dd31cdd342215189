/** Why the database does not do what it was asked for, though the statement is right. */
export type DatabaseTrouble = 'away' | 'read_only' | 'full' | 'busy'

/** By SQLSTATE, or the start of it (PostgreSQL, errcodes-appendix). */
const TROUBLES: [RegExp, DatabaseTrouble][] = [
  // A demoted primary, a standby, and what managed databases do on a full disk.
  [/^25006$/, 'read_only'],
  // Too many connections, a serialization failure, a deadlock, a lock or an answer that came too late.
  [/^(53300|40001|40P01|55P03|57014)$/, 'busy'],
  // Disk, memory, and limits of the configuration.
  [/^53/, 'full'],
  // Connections, an administrator's shutdown, errors of the system below, and a role or password that is refused.
  [/^(08|57P|58|28)/, 'away'],
  [/^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOSPC)$/, 'away'],
]

/** Returns the trouble of the database that an error tells of. Returns null for a fault of ours. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string }
  const known = TROUBLES.find(([codes]) => codes.test(String(code ?? '')))
  if (known) return known[1]
  const isLost =
    name === 'KnexTimeoutError' ||
    /(^| - )(Connection terminated|timeout expired)|timeout exceeded when trying to connect|is not queryable$/.test(
      message ?? '',
    )
  return isLost ? 'away' : null
}
