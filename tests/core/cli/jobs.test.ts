import { describe, expect, it } from 'vitest'
import { jobsCommand } from '../../../core/cli/jobs.ts'
import type { JobName } from '../../../core/deliveries/contract/jobs.ts'
import * as attempts from '../../../core/deliveries/stores/attempts.ts'
import { HOUR } from '../../../core/time.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { found } from '../../support/found.ts'

const database = useDatabase()

/** `npm run jobs -- …` */
const command = (args: string[], url = database.appUrl) =>
  callCommand(jobsCommand, args, { env: { DATABASE_URL: url } })

/** Fails a job of that lead as the worker does, `hours` ago; returns its id. */
async function fail(leadId: number, name: JobName, purpose: string, hours = 0): Promise<string> {
  const { id } = found(
    await database.db('jobs').where({ subject_kind: 'lead', subject_id: leadId, name, purpose }).first('id'),
  )
  const [attempt] = await attempts.begin(database.db, [id])
  const refused = { cause: 'refused', error: 'The CRM refused the lead.', detail: 'Jordan Avery is unknown' } as const
  await database.db.transaction((trx) =>
    attempts.settle(trx, {
      attempt: attempt as attempts.Attempt,
      settlement: { state: 'failed', ...refused, result: { status: 422 } },
      ms: 40,
    }),
  )
  await database
    .db('jobs')
    .where({ id })
    .update({ finished_at: database.db.raw(`now() - ? * interval '1 ms'`, [hours * HOUR]) })
  return id
}
const matchedLead = async () => createLead(database.db, { providerId: (await createProvider(database.db)).id })
const generations = (leadId: number, name: JobName) =>
  database.db('jobs').where({ subject_kind: 'lead', subject_id: leadId, name }).orderBy('generation').pluck('state')

describe('npm run jobs', () => {
  it('lists what failed, without what the other side said', async () => {
    const id = await matchedLead()
    const jobId = await fail(id, 'sync-crm', 'created')
    await fail(id, 'send-email', 'provider', 48)

    const { code, text } = await command(['list', '--failed-since', '24h'])
    expect(code).toBe(0)
    expect(text).toMatch(
      new RegExp(`^${jobId}  .* sync-crm created +lead ${id} +attempts 1 +The CRM refused the lead\\.$`),
    )
    expect((await command(['list'])).text.split('\n')).toHaveLength(2)
    expect((await command(['list', '--kind', 'match'])).text).toBe('There are no failed deliveries left to retry.')
    expect((await command(['list', '--cause', 'refused'])).text.split('\n')).toHaveLength(2)
    expect((await command(['list', '--cause', 'credentials'])).text).toMatch(/^There are no failed deliveries/)
    expect(await command(['list', '--cause', 'nonsense'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('There is no cause "nonsense". The causes: unknown_mailbox'),
    })
  })

  it('runs as the compiled file that production has', async () => {
    const jobId = await fail(await matchedLead(), 'sync-crm', 'created')
    const run = (args: string[]) => runCommandFile('core/cli/jobs', args, { env: { DATABASE_URL: database.appUrl } })
    const [shown, unknown] = await Promise.all([run(['show', jobId]), run(['nonsense'])])
    expect(shown).toEqual({ code: 0, text: expect.stringContaining(`${jobId}  sync-crm created`) })
    expect(unknown).toEqual({ code: 2, text: expect.stringContaining('node dist/core/cli/jobs.js --help') })
  })

  it('tries again what is named, once, and says what it refuses (1)', async () => {
    const id = await matchedLead()
    const jobId = await fail(id, 'sync-crm', 'created')
    expect(await command(['retry', jobId])).toEqual({ code: 0, text: '1 job will be retried now.' })
    expect(await generations(id, 'sync-crm')).toEqual(['failed', 'waiting'])
    expect(await database.db('audit_log')).toMatchObject([
      { actor: 'command line', action: 'retry-sync', entity: 'lead', entity_id: String(id) },
    ])

    const again = await command(['retry', jobId])
    expect(again.code).toBe(1)
    expect(again.text).toContain('by a newer run')
    expect(await generations(id, 'sync-crm')).toEqual(['failed', 'waiting'])
  })

  it('tries all again that failed since, of one kind, and only counts them in a dry run', async () => {
    const [id, old] = [await matchedLead(), await matchedLead()]
    await fail(id, 'sync-crm', 'created')
    await fail(id, 'send-email', 'visitor')
    await fail(old, 'sync-crm', 'created', 48)
    const since = ['retry', '--failed-since', '24h', '--kind', 'crm']

    expect((await command([...since, '--dry-run'])).text).toContain('1 job would be retried.')
    expect(await generations(id, 'sync-crm')).toEqual(['failed'])
    expect(await command(since)).toEqual({ code: 0, text: '1 job will be retried now.' })
    expect(await generations(id, 'sync-crm')).toEqual(['failed', 'waiting'])
    expect(await generations(old, 'sync-crm')).toEqual(['failed'])
    expect(await database.db('jobs').where({ purpose: 'visitor', subject_kind: 'lead', subject_id: id })).toHaveLength(
      1,
    )
    expect((await database.db('audit_log').orderBy('id'))[0]).toMatchObject({
      action: 'retry-failed',
      entity_id: 'all',
      details: { count: 1, name: 'sync-crm' },
    })
    expect((await command(since)).text).toBe('0 jobs will be retried now.')
  })

  it('says how it is used (0)', async () => {
    const { code, text } = await command(['--help'])
    expect(code).toBe(0)
    expect(text).toContain('npm run jobs -- retry --failed-since')
  })
})
