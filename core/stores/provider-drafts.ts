import { type Db, queryRows } from '../platform/db.ts'

/*
 * Drafts in WordPress of clinics that were certified here. `providers.draft_id` is the post until a sync sees it published. Then it
 * becomes the `wordpress_id`, and the clinic is synced like any other.
 */

/** The clinic that was made of an application. `postId` is its post, a draft or not. */
export async function findClinic(db: Db, applicationId: number): Promise<{ id: number; postId: number | null } | null> {
  const [row] = await queryRows<{ id: number; postId: number | null }>(
    db,
    `select providers.id, coalesce(wordpress_id, draft_id) as "postId"
     from provider_applications application join providers on providers.id = provider_id where application.id = ?`,
    [applicationId],
  )
  return row ?? null
}

/** Returns the slug of the draft of an application. It names the application, so that a later attempt finds the draft. */
export function slugOf(applicationId: number, practiceName: string): string {
  const words = practiceName
    .normalize('NFKD')
    .replace(/[\u0300-\u036f’']/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return [words, applicationId].filter(Boolean).join('-')
}

/** Records the draft of a clinic. Returns false if a sync has made another clinic of that post meanwhile. */
export async function setDraft(db: Db, providerId: number, postId: number): Promise<boolean> {
  const updated = await db('providers')
    .where({ id: providerId })
    .whereNotExists(db('providers as other').select('id').where('other.wordpress_id', postId))
    .update({ draft_id: postId })
  return updated > 0
}
