import * as drafts from '../../core/stores/provider-drafts.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import { ensureDraft } from '../sync/drafts.ts'
import type { Handler, Outcome, Task, WorkerServices } from './handler.ts'

/** Makes drafts in WordPress, each of the post of a clinic that was certified here. */
export const createDraft: Handler = (tasks, services) => tasks.map((task) => create(task, services))

async function create(task: Task, { db, env }: WorkerServices): Promise<Outcome> {
  if (task.of !== 'application') throw new NotNeeded('Drafts are made of applications only.')
  const { WORDPRESS_URL, WORDPRESS_DRAFTS, WORDPRESS_FIELDS: mapping } = env
  if (WORDPRESS_DRAFTS === 'off' || !WORDPRESS_URL) throw new NotNeeded('Drafts are switched off (WORDPRESS_DRAFTS).')
  const clinic = await drafts.findClinic(db, task.row.id)
  if (!clinic) throw new NotNeeded('The clinic is gone.')
  if (clinic.postId !== null) throw new NotNeeded('The clinic has a post already.')

  const { id, name: title, ...application } = task.row
  const fields = {
    practiceName: application.practice_name,
    zipCode: application.zip_code,
    ...{ email: application.email, phone: application.phone, website: application.website ?? null },
    // It is published when the clinic is to be shown.
    active: true,
  }
  const postId = await ensureDraft(
    { slug: drafts.slugOf(id, application.practice_name), title, fields },
    { settings: { ...env, WORDPRESS_URL }, mapping },
  )
  if (!(await drafts.setDraft(db, clinic.id, postId))) {
    const summary = `A sync has read the draft already, as another clinic. Delete the post ${postId} in WordPress, then try again.`
    throw new DeliveryError(summary, { cause: 'refused', retry: 'never' })
  }
  return { result: { postId } }
}
