import type { Db } from '../db.ts'

/** Who did what to which row. `details` never holds a visitor's name, e-mail, phone or message. */
export type AuditEntry = {
  actor: string
  action: 'retry-sync' | 'retry-email' | 'assign-provider' | 'delete'
  entity: 'lead'
  entityId: number
  details?: Record<string, unknown>
}

/** Written in the transaction of the act itself. */
export async function record(db: Db, { actor, action, entity, entityId, details = {} }: AuditEntry): Promise<void> {
  await db('audit_log').insert({
    actor,
    action,
    entity,
    entity_id: String(entityId),
    details: JSON.stringify(details),
  })
}
