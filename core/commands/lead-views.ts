import { type LeadView, type LeadViewChange, MAX_VIEWS, type NewLeadView } from '../contract/lead-views.ts'
import type { StaffRole } from '../contract/staff.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as leadViews from '../stores/lead-views.ts'
import type { Actor } from './actor.ts'

/** The one who saves or changes a view. `id` is null for the shared password. */
type Owner = Actor & { id: number | null; role: StaffRole }

/** Saves a view for its owner alone, or for all. @throws AppError `forbidden`, or `conflict` for a name that is taken */
export async function saveView(db: Db, view: NewLeadView, owner: Owner): Promise<LeadView> {
  if (view.is_shared) requireManager(owner)
  return db.transaction(async (trx) => {
    await leadViews.lock(trx, owner.id)
    if ((await leadViews.count(trx, owner.id)) >= MAX_VIEWS) {
      throw new AppError('conflict', `You have ${MAX_VIEWS} views. Delete one to save another.`)
    }
    const id = await leadViews.add(trx, owner.id, view)
    if (id === null) throw nameTaken()
    await record(trx, 'save-view', id, owner, { is_shared: view.is_shared })
    return find(trx, id, owner)
  })
}

/** Changes a view. @throws AppError `not_found`, `forbidden`, or `conflict` for a name that is taken */
export async function changeView(db: Db, id: number, change: LeadViewChange, owner: Owner): Promise<LeadView> {
  if (change.is_shared) requireManager(owner)
  return db.transaction(async (trx) => {
    await leadViews.lockOwnerOf(trx, id)
    const view = await findOwn(trx, id, owner)
    if (change.name !== undefined && (await leadViews.isNamed(trx, id, change.name))) throw nameTaken()
    const changed = { ...view, ...change }
    await leadViews.change(trx, id, changed)
    await record(trx, 'change-view', id, owner, { is_shared: changed.is_shared })
    // Not read again: a manager who takes the view of another one back from all does not see it any more.
    return changed
  })
}

/** Deletes a view. @throws AppError `not_found` or `forbidden` */
export async function deleteView(db: Db, id: number, owner: Owner): Promise<void> {
  await db.transaction(async (trx) => {
    const { is_shared } = await findOwn(trx, id, owner)
    await leadViews.remove(trx, id)
    await record(trx, 'delete-view', id, owner, { is_shared })
  })
}

/** Finds a view that its reader may change: a private one is its owner's, and one for all the managers'. */
async function findOwn(trx: Transaction, id: number, owner: Owner): Promise<LeadView> {
  const view = await find(trx, id, owner)
  if (view.is_shared) requireManager(owner)
  return view
}

async function find(trx: Transaction, id: number, owner: Owner): Promise<LeadView> {
  const view = await leadViews.find(trx, id, owner.id)
  if (!view) throw new AppError('not_found', 'There is no such view. It may have been deleted.')
  return view
}

function requireManager({ role }: Owner): void {
  if (role !== 'manager') throw new AppError('forbidden', 'Only managers can save, change or delete a view for all.')
}

/** Records an act without the name of the view, because the log is kept for years. */
async function record(
  trx: Transaction,
  action: 'save-view' | 'change-view' | 'delete-view',
  entityId: number,
  { actor }: Owner,
  details: Record<string, unknown>,
): Promise<void> {
  await auditLog.record(trx, { actor, action, entity: 'view', entityId, details })
}

const nameTaken = () => {
  const message = 'You have a view with this name. Choose another name.'
  return new AppError('conflict', message, { fields: { name: message } })
}
