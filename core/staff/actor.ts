/**
 * The actor of an act, for the audit log. `actorId` is absent without an account: for the shared password and the
 * command line.
 */
export type Actor = { actor: string; actorId?: number | null }
