import type { Locator, Page } from 'playwright-core'
import type { SkippedPost, SyncChange } from '../../core/contract/sync.ts'
import { countRows, type Db, only } from '../../core/platform/db.ts'
import { MINUTE, SECOND } from '../../core/time.ts'

/** Stores a run that has ended, a minute after the one before. Columns as in the table. */
export async function createSyncRun(db: Db, overrides: Record<string, unknown> = {}): Promise<number> {
  const count = await countRows(db('provider_syncs'))
  const at = Date.now() - 60 * MINUTE + count * MINUTE
  const isOpen = ['waiting', 'running'].includes(String(overrides.state))
  const { id } = only(
    await db('provider_syncs')
      .insert({
        trigger: 'staff',
        started_by: 'staff',
        state: 'done',
        created_at: new Date(at),
        started_at: new Date(at + 0.2 * SECOND),
        finished_at: isOpen ? null : new Date(at + 4.4 * SECOND),
        pages_done: 3,
        pages_total: 3,
        ...overrides,
      })
      .returning('id'),
  )
  return id
}

/** How many numbers of runs have been taken, also by those who then found a run to join. */
export async function takenNumbers(db: Db): Promise<number> {
  const { rows } = await db.raw('select last_value::integer as taken from provider_syncs_id_seq')
  return rows[0].taken
}

/** What the table keeps of changes and skipped posts. */
export const listed = (changes: SyncChange[], skipped: SkippedPost[] = []) => ({
  changes: JSON.stringify(changes),
  skipped_posts: JSON.stringify(skipped),
})

/** A provider in a diff. */
export function change(kind: SyncChange['kind'], number: number, overrides: Partial<SyncChange> = {}): SyncChange {
  return {
    kind,
    wordpress_id: 4700 + number,
    provider_id: kind === 'create' ? null : number,
    name: `Dr. Number ${number}`,
    zipCode: '78701',
    reason: kind === 'deactivate' ? 'missing' : null,
    fields: [],
    ...overrides,
  }
}

/** A run that would deactivate so many that it needs a person's word. */
export const MASS = {
  state: 'needs_approval',
  error:
    '12 providers would be deactivated at once, which is more than 5. Nothing was changed: a manager must approve it first.',
  approval_reasons: JSON.stringify([{ kind: 'deactivate', count: 12 }]),
  seen: 38,
  deactivated: 12,
  unchanged: 38,
  ...listed(
    Array.from({ length: 12 }, (_, index) =>
      change('deactivate', index + 1, { reason: index % 2 === 0 ? 'missing' : 'inactive' }),
    ),
  ),
}

export function card(page: Page): Locator {
  return page.getByRole('region', { name: 'Provider Sync' })
}

export function runs(page: Page): Locator {
  return page.getByRole('region', { name: 'Sync Runs' })
}

/** The cells of each run in the table, from top to bottom, without the labels that they have on narrow screens. */
export function runTexts(page: Page): Promise<string[][]> {
  return runs(page)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) =>
          [...cell.childNodes]
            .slice(1)
            .map(({ textContent }) => textContent)
            .join(' '),
        ),
      ),
    )
}
