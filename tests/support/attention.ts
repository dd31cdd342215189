import { Attention } from '../../core/conditions/contract/conditions.ts'
import { HOUR } from '../../core/contract/time.ts'
import { only } from '../../core/platform/db.ts'
import { useApi, useStaff } from './api-server.ts'
import { createLead, createProvider, deliverAll } from './factories.ts'

type Failure = { cause?: string; error?: string; detail?: string; state?: string; finished_at?: string | null }

/** A time so many milliseconds before now. */
export const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** An API without a CRM, whose list of what needs attention is read, and what makes its lines. */
export function useAttention() {
  const { api, database } = useApi({
    ...{ CRM_KIND: 'none', WORDPRESS_URL: 'http://127.0.0.1:1', WORDPRESS_SYNC_CRON: '0 * * * *' },
  })
  const staff = useStaff(database)
  const get = async (query = '', headers: Record<string, string> = staff): Promise<Attention> =>
    Attention.parse((await api.call('GET', `/api/attention${query}`, undefined, headers)).body)
  const lines = async (query?: string) => (await get(query)).lines

  return {
    ...{ api, database, staff, get, lines },
    theLine: async () => only(await lines()),
    post: (path: string, body: object = {}, headers: Record<string, string> = staff) =>
      api.call('POST', path, body, headers),
    clinic: async (columns = {}) => (await createProvider(database.db, columns)).id,

    /** A lead whose deliveries have all arrived, and a clinic that has time for its answer. */
    async deliveredLead(options: Parameters<typeof createLead>[1] = {}): Promise<number> {
      const id = await createLead(database.db, options)
      await deliverAll(database.db, id)
      return id
    },

    /** Lets the deliveries of a purpose fail, as the worker would have. */
    async fail(id: number, purpose: string, { cause = 'mailbox_full', error, detail, ...job }: Failure = {}) {
      await database
        .db('jobs')
        .where({ subject_kind: 'lead', subject_id: id, purpose })
        .update({
          state: 'failed',
          finished_at: database.db.fn.now(),
          last_cause: cause,
          last_error: error ?? 'The mail server refused the email.',
          last_detail: detail ?? '552 5.2.2 mailbox full',
          ...job,
        } as object)
      await database
        .db('leads')
        .where({ id })
        .update(purpose === 'created' ? { crm_sync_status: 'failed' } : { email_status: 'failed' })
    },

    /** Puts the deadline of a clinic in the past. */
    makeLate: (id: number, by = HOUR) =>
      database
        .db('answer_clocks')
        .where('lead_id', id)
        .update({ started_at: ago(216 * HOUR), due_at: ago(by) }),
  }
}
