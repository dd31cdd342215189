import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { jobsCommand } from '../../../core/cli/jobs.ts'
import { type JobName, MAX_JOBS } from '../../../core/contract/jobs.ts'
import * as attempts from '../../../core/stores/attempts.ts'
import { countFailed } from '../../../core/stores/failed-jobs.ts'
import { HOUR } from '../../../core/time.ts'
import { callCommand, runCommandFile } from '../../support/commands.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createApplication, createLead, createProvider } from '../../support/factories.ts'
import { found } from '../../support/found.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

/** `npm run jobs -- …` */
const command = (args: string[], url = database.appUrl) =>
  callCommand(jobsCommand, args, { env: { DATABASE_URL: url } })

/** Fails a job of that lead as the worker does, `hours` ago; returns its id. */
async function fail(leadId: number, name: JobName, purpose: string, hours = 0): Promise<string> {
  const { id } = found(await database.db('jobs').where({ lead_id: leadId, name, purpose }).first('id'))
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
  database.db('jobs').where({ lead_id: leadId, name }).orderBy('generation').pluck('state')

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

  it('shows one job with every attempt', async () => {
    const id = await matchedLead()
    const { code, text } = await command(['show', await fail(id, 'sync-crm', 'created')])
    expect(code).toBe(0)
    for (const fact of [`lead ${id}: failed`, '40 ms', 'answer 422', 'Jordan Avery', 'Its answer above says why']) {
      expect(text).toContain(fact)
    }
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
    expect(await database.db('jobs').where({ purpose: 'visitor', lead_id: id })).toHaveLength(1)
    expect((await database.db('audit_log').orderBy('id'))[0]).toMatchObject({
      action: 'retry-failed',
      entity_id: 'all',
      details: { count: 1, name: 'sync-crm' },
    })
    expect((await command(since)).text).toBe('0 jobs will be retried now.')
  })

  it('tries again to tell the CRM of a deletion', async () => {
    await database.db('jobs').insert({
      name: 'sync-crm',
      purpose: 'deleted',
      lead_id: 4242,
      state: 'failed',
      attempts: 1,
      last_error: 'The CRM refused us.',
      last_cause: 'credentials',
      finished_at: database.db.fn.now(),
    })
    expect((await command(['list'])).text).toMatch(/sync-crm deleted +lead 4242 +attempts 1 +The CRM refused us\.$/)
    const again = ['retry', '--failed-since', '1h', '--kind', 'crm']
    expect(await command(again)).toEqual({ code: 0, text: '1 job will be retried now.' })
    expect(await generations(4242, 'sync-crm')).toEqual(['failed', 'waiting'])
  })

  it('says that there is more than it does at once', async () => {
    await database.db.raw(
      `insert into jobs (name, purpose, lead_id, state, last_error, last_cause, finished_at)
       select 'sync-crm', 'deleted', id, 'failed', 'Refused', 'refused', now() from generate_series(1, ?) id`,
      [MAX_JOBS],
    )
    const since = ['retry', '--failed-since', '1h', '--dry-run']
    const all = await command(since)
    expect(all).toMatchObject({ code: 0, text: expect.stringMatching(/\n50000 jobs would be retried\.$/) })

    await fail(await matchedLead(), 'sync-crm', 'created')
    const more = 'More have failed: these are the 50,000 oldest.'
    const most = await command(since)
    expect(most.code).toBe(1)
    expect(most.text.endsWith(`\n50000 jobs would be retried.\n${more} Run it again for the rest.`)).toBe(true)
    const { code, text } = await command(['list'])
    expect(code).toBe(0)
    expect(text.split('\n')).toHaveLength(MAX_JOBS + 1)
    expect(text.endsWith(`\n${more}`)).toBe(true)
  })

  it('says how far it came when the database fails it midway', async () => {
    const ids = [await matchedLead(), await matchedLead(), await matchedLead()]
    const failed: string[] = []
    for (const [position, id] of ids.entries()) failed.push(await fail(id, 'sync-crm', 'created', 3 - position))
    await database.db.raw(`alter table jobs add constraint broken check (lead_id <> ${ids[1]} or generation = 1)`)
    onTestFinished(() => database.db.raw('alter table jobs drop constraint if exists broken'))

    const { code, text } = await command(['retry', '--failed-since', '24h'])
    expect(code).toBe(1)
    expect(text.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${failed[1]}: .*"broken"`)),
      'It broke off there. 1 job after it: not tried.',
      '1 job will be retried now.',
    ])
    const states = await Promise.all(ids.map((id) => generations(id, 'sync-crm')))
    expect(states).toEqual([['failed', 'waiting'], ['failed'], ['failed']])
  })

  it('leaves a held application alone', async () => {
    const id = await createApplication(database.db, { heldReason: 'honeypot' })
    await database
      .db('jobs')
      .update({ state: 'failed', finished_at: database.db.fn.now(), last_error: 'Refused', last_cause: 'refused' })
    expect(await countFailed(database.db, {})).toBe(1)
    const { code, text } = await command(['retry', '--failed-since', '1h'])
    expect(code).toBe(1)
    expect(text).toMatch(/This application is held\. Release it first\.\n0 jobs will be retried now\.$/)
    expect(await database.db('jobs').where({ application_id: id })).toHaveLength(1)
  })

  it('reads and shows times in the time zone of the network', async () => {
    const jobId = await fail(await matchedLead(), 'sync-crm', 'created')
    await database.db('jobs').where({ id: jobId }).update({ finished_at: '2026-11-15T04:30:00Z' })
    const list = (since: string) =>
      callCommand(jobsCommand, ['list', '--failed-since', since], {
        env: { DATABASE_URL: database.appUrl, NETWORK_TIME_ZONE: 'America/Chicago' },
      })

    for (const since of ['2026-11-14', '2026-11-14T22:29', '2026-11-15T04:29Z']) {
      expect((await list(since)).text).toContain(`${jobId}  2026-11-14 22:30:00-06:00  `)
    }
    expect((await list('2026-11-14T22:31')).text).toBe('There are no failed deliveries left to retry.')
    expect((await list('2026-11-15')).text).toBe('There are no failed deliveries left to retry.')
  })

  it('says how it is used (0)', async () => {
    const { code, text } = await command(['--help'])
    expect(code).toBe(0)
    expect(text).toContain('npm run jobs -- retry --failed-since')
  })

  it.each([
    [[], 'npm run jobs -- list'],
    [['nonsense'], 'There is no command "nonsense".'],
    [['retry'], 'Name jobs by their ids, or by --failed-since.'],
    [['retry', 'x'], '"x" is not a job id.'],
    [['retry', '--kind', 'crm'], 'Name jobs by their ids'],
    [['retry', '--failed-since', 'yesterday'], '"yesterday" is not a time.'],
    [['retry', '--failed-since', '2026-13-20'], 'is not a time.'],
    [['retry', '--failed-since', '2026-11-20T9'], 'is not a time.'],
    [['list', '--kind', 'fax'], 'There is no kind "fax"'],
    [['show'], 'show takes one id.'],
    [['list', '--since', '1h'], "Unknown option '--since'"],
  ])('does not understand %j (2)', async (args, sentence) => {
    const { code, text } = await command(args)
    expect(code).toBe(2)
    expect(text).toContain(sentence)
  })

  it('says what it cannot do (1)', async () => {
    const nowhere = await command(['show', '00000000-0000-4000-8000-000000000000'])
    expect(nowhere).toMatchObject({ code: 1, text: expect.stringContaining('There is no job') })
    const away = await command(['list'], 'postgres://nobody:secret@127.0.0.1:1/none')
    expect(away).toMatchObject({ code: 1, text: expect.stringMatching(/^Failed: ./) })
    expect(away.text).not.toContain('secret')
  })
})
