import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addChannel, changeChannel, raiseAlerts, removeChannel, testChannel } from '../../core/conditions/alerts.ts'
import type { NewAlertChannel } from '../../core/conditions/contract/alerts.ts'
import * as alerts from '../../core/conditions/stores/alerts.ts'
import { DAY, HOUR, MINUTE } from '../../core/contract/time.ts'
import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { type ChatServer, startChatServer } from '../support/chat-server.ts'
import { createLead, createProvider, jobsOf } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const worker = useWorkerServices()
let chat: ChatServer
beforeAll(async () => {
  chat = await startChatServer()
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.reset()
  worker.env.ALERT_PRIVATE_HOSTS = ['127.0.0.1']
  clock = Date.now()
})

// The time of the looks. The database has its own, so tests move this one forward alone.
let clock: number
const options = () => ({ actor: 'ada@leadwell.example', key: deriveKey(worker.env.DATA_KEY, 'alert-channel') })

/**
 * Looks for what is wrong `later` than the last time, and makes an attempt at each message. Somebody looked a minute before,
 * unless no worker ran.
 */
async function look(later = 0, { hasRun = true } = {}): Promise<number> {
  clock += later
  if (hasRun) await worker.db('network').update({ alerts_checked_at: new Date(clock - MINUTE) })
  const count = await raiseAlerts(worker.db, worker.env, new Date(clock))
  await deliver()
  return count
}

async function deliver(): Promise<void> {
  const ids = await worker.db('jobs').where({ name: 'send-alert', state: 'waiting', attempts: 0 }).pluck('id')
  await attempt(ids, worker)
}

const subjects = () => worker.smtp.mails.map(({ subject, recipients }) => `${recipients}: ${subject}`)
const channel = async (given: NewAlertChannel) =>
  addChannel(worker.db, given, { ...options(), privateHosts: ['127.0.0.1'] })
const daily = (id: number) => changeChannel(worker.db, id, { rhythm: 'daily' }, options())
const teamId = async () => {
  await alerts.ensureTeam(worker.db)
  return found(await worker.db('alert_channels').where('kind', 'team').first('id')).id
}

async function refusedClinic(name = 'Austin Clinic', refusals = 3) {
  const email = `${name.replace(/\W/g, '')}@clinics.example`
  const { id } = await createProvider(worker.db, { practice_name: name, email })
  for (let n = 0; n < refusals; n++) await mailTo(id, email, 'failed')
  return { id, email }
}

async function mailTo(providerId: number, to: string, state: 'failed' | 'done'): Promise<void> {
  const failure = state === 'failed' ? { last_error: 'The mailbox does not exist.', last_cause: 'unknown_mailbox' } : {}
  await worker.db('jobs').insert({
    ...{ name: 'send-email', purpose: 'test', subject_kind: 'provider', subject_id: providerId, state, attempts: 1 },
    ...failure,
    generation: (await worker.db('jobs').where({ subject_kind: 'provider', subject_id: providerId })).length + 1,
    result: JSON.stringify({ to }),
    finished_at: worker.db.raw('clock_timestamp()'),
    created_at: worker.db.raw('clock_timestamp()'),
  } as never)
}

describe('an alert', () => {
  it('goes to the team at once, says what is wrong and where, and comes once while it goes on', async () => {
    const { id } = await refusedClinic()
    expect(await look()).toBe(1)
    expect(subjects()).toEqual([
      'team@leadwell.example: The last 3 emails to Austin Clinic did not arrive. The mailbox does not exist.',
    ])
    expect(worker.smtp.mails[0]?.text).toContain(`http://localhost:3000/admin?tab=providers&provider=${id}`)
    expect(await look(MINUTE)).toBe(0)
    expect(await look(HOUR)).toBe(0)
    expect(await worker.db('alert_states')).toHaveLength(1)
  })

  it('is followed by “Recovered” once, three minutes after it was last found, and by a new alert when it comes back', async () => {
    const { id, email } = await refusedClinic()
    await look()
    await mailTo(id, email, 'done')
    expect(await look(MINUTE)).toBe(0)
    expect(await look(2 * MINUTE)).toBe(1)
    expect(await look(MINUTE)).toBe(0)
    expect(subjects().at(-1)).toContain('Recovered: The last 3 emails to Austin Clinic did not arrive.')

    for (let n = 0; n < 3; n++) await mailTo(id, email, 'failed')
    expect(await look(MINUTE)).toBe(1)
    expect(subjects()).toHaveLength(3)
  })

  it('is raised once, however many workers look in the same minute', async () => {
    await refusedClinic()
    const counts = await Promise.all([1, 2, 3].map(() => raiseAlerts(worker.db, worker.env, new Date(clock))))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    await deliver()
    expect(subjects()).toHaveLength(1)
  })

  it('names no visitor', async () => {
    await channel({ kind: 'slack', name: 'Chat', url: chat.slackUrl })
    const ids = [await createLead(worker.db), await createLead(worker.db, { heldReason: 'too_fast' })]
    await worker.db('jobs').where('name', 'match-lead').update({ state: 'done', finished_at: new Date() })
    await look()
    const text = JSON.stringify(chat.slack)
    for (const lead of await worker.db('leads').whereIn('id', ids)) {
      expect(text).toContain(`Lead ${lead.id}`)
      for (const known of [lead.first_name, lead.last_name, lead.email, lead.phone]) expect(text).not.toContain(known)
    }
  })
})

it('a daily summary is sent at its hour, with what has opened and what is over', async () => {
  clock = Math.ceil(clock / DAY) * DAY
  worker.env.NETWORK_TIME_ZONE = 'UTC'
  await daily(await teamId())
  const first = await refusedClinic('Clinic A')
  expect(await look()).toBe(0)
  await mailTo(first.id, first.email, 'done')
  await refusedClinic('Clinic B')
  expect(await look(8 * HOUR - MINUTE)).toBe(0)
  expect(await look(MINUTE)).toBe(1)
  expect(subjects()).toEqual(['team@leadwell.example: Summary: 2 alerts, 1 recovered'])
  expect(worker.smtp.mails[0]?.text).toContain('The mailbox does not exist. (over by now)')
  expect(await look(DAY)).toBe(0)
})

describe('leads that the team has to see', () => {
  /** Stores leads and makes an attempt at the email to the team about each. */
  async function arrive(count: number, heldReason: 'too_fast' | undefined = 'too_fast'): Promise<number[]> {
    const ids: number[] = []
    for (let n = 0; n < count; n++) {
      const id = await createLead(worker.db, { heldReason })
      ids.push(id)
      await attempt(await jobsOf(worker.db, id, { purpose: 'team' }).pluck('id'), worker)
    }
    return ids
  }
  const named = (id: number) =>
    worker.smtp.mails.filter(({ text }) => new RegExp(`lead=${id}\\b`).test(text ?? '')).length

  it.each(['hourly', 'daily'] as const)('are each named in one email: the first at once, others %s', async (rhythm) => {
    if (rhythm === 'daily') await daily(await teamId())
    const ids = await arrive(3)
    expect(worker.smtp.mails).toHaveLength(1)
    expect(await look()).toBe(0)
    // One is released meanwhile.
    await worker.db('leads').where('id', found(ids[1])).update({ held_reason: null })
    await look(5 * MINUTE)
    await look(DAY)
    await look(DAY)
    expect(subjects()).toContain('team@leadwell.example: Summary: 2 alerts')
    expect(ids.map(named)).toEqual([1, 1, 1])
  })
})

describe('what is found', () => {
  const open = async () =>
    (await worker.db('alert_states').whereNull('recovered_at').orderBy('id')).map((row) => row.event)

  it('a CRM that fails three times in a row for five minutes, until it accepts one', async () => {
    const lead = await createLead(worker.db, { providerId: (await createProvider(worker.db)).id })
    const [job] = await jobsOf(worker.db, lead, { name: 'sync-crm' })
      .update({ attempts: 3, next_attempt_at: worker.db.raw(`now() + interval '1 hour'`) })
      .returning('id')
    const failed = (minutes: number) =>
      worker.db('job_attempts').insert({
        ...{ job_id: found(job).id, outcome: 'failed', cause: 'unreachable', error: 'It could not be reached.' },
        ...{ started_at: new Date(Date.now() - minutes * MINUTE), duration_ms: 10 },
      })
    for (const minutes of [11, 7]) await failed(minutes)
    await look()
    expect(await open()).toEqual([])
    await failed(6)
    await look(MINUTE)
    expect(await open()).toEqual(['sending'])
    const other = await createLead(worker.db)
    await attempt(await jobsOf(worker.db, other, { name: 'sync-crm' }).pluck('id'), worker)
    await look(3 * MINUTE)
    expect(await open()).not.toContain('sending')
  })

  it('a clinic that is late with another request, as an alert of its own', async () => {
    const { id: providerId } = await createProvider(worker.db, { practice_name: 'Austin Clinic' })
    for (const minutes of [20, 10]) {
      const lead = await createLead(worker.db, { providerId })
      const due_at = new Date(Date.now() - minutes * MINUTE)
      await worker.db('answer_clocks').where('lead_id', lead).update({ due_at })
      await look(MINUTE)
    }
    const titles = await worker.db('alert_states').orderBy('id').pluck('title')
    expect(titles).toEqual([1, 2].map((count) => expect.stringMatching(`^Austin Clinic: ${count} request`)))
  })

  it('credentials that were refused, until an attempt succeeds', async () => {
    worker.crmServer.answer({ status: 401 })
    const lead = await createLead(worker.db)
    const [job] = await jobsOf(worker.db, lead, { name: 'sync-crm' }).pluck('id')
    await attempt([found(job)], worker)
    await look()
    expect(await open()).toContain('credentials')
    expect(subjects()[0]).toContain('The CRM refuses our key or password.')
    worker.crmServer.reset()
    await worker.db('jobs').where('id', job).update({ state: 'waiting' })
    await attempt([found(job)], worker)
    await look(3 * MINUTE)
    expect(await open()).not.toContain('credentials')
  })

  it('deliveries that are due and not taken', async () => {
    await createLead(worker.db, { providerId: (await createProvider(worker.db)).id })
    await worker
      .db('jobs')
      .where('name', 'send-email')
      .update({ next_attempt_at: worker.db.raw(`now() - interval '11 minutes'`) })
    await look()
    expect(await open()).toContain('worker')
  })

  it('no lead for the business hours that staff chose', async () => {
    worker.env.CLINIC_HOURS = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((day) => [day, [['00:00', '24:00']]]),
    ) as never
    await createLead(worker.db, { providerId: (await createProvider(worker.db)).id })
    await worker.db('leads').update({ created_at: worker.db.raw(`now() - interval '7 hours'`) })
    await worker.db('jobs').update({ state: 'done', finished_at: new Date() })
    await look()
    expect(await open()).toEqual([])
    await look(70 * MINUTE)
    expect(await open()).toEqual(['no-leads'])
  })
})

describe('a channel', () => {
  it('of email addresses gets one message each', async () => {
    await daily(await teamId())
    await channel({ kind: 'email', name: 'Owners', addresses: ['ada@leadwell.example', 'ben@leadwell.example'] })
    await refusedClinic()
    expect(await look()).toBe(2)
    expect(
      subjects()
        .map((line) => line.split(':')[0])
        .toSorted(),
    ).toEqual(['ada@leadwell.example', 'ben@leadwell.example'])
  })

  it('of a chat gets what Slack takes, with names of clinics as plain text', async () => {
    await channel({ kind: 'slack', name: 'Chat', url: chat.slackUrl })
    const { id } = await refusedClinic('A <!channel> & B|C')
    await look()
    expect(chat.rejected).toEqual([])
    const [message] = chat.slack
    expect(message?.text).toContain('A &lt;!channel&gt; &amp; B')
    expect(message?.blocks.at(-1)?.text.text).toContain(`<http://localhost:3000/admin?tab=providers&provider=${id}|`)
    expect(JSON.stringify(message?.blocks.slice(1))).not.toContain('<!channel>')
  })

  it('of a webhook gets signed messages, the same one on a retry', async () => {
    const { secret } = await channel({ kind: 'webhook', name: 'Pager', url: chat.webhookUrl })
    chat.setSecret(found(secret ?? undefined))
    chat.answer(503)
    const { id, email } = await refusedClinic()
    await look()
    expect(chat.webhooks).toEqual([])
    const job = found(
      await worker.db('jobs').where({ name: 'send-alert', state: 'waiting', last_cause: 'server_error' }).first('id'),
    )
    chat.reset()
    await attempt([job.id], worker)
    await mailTo(id, email, 'done')
    await look(3 * MINUTE)
    expect(chat.rejected).toEqual([])
    expect(chat.webhooks).toMatchObject([
      {
        id: expect.stringMatching(/^alert_[0-9a-f-]{36}$/),
        body: {
          type: 'alert.opened',
          data: {
            alerts: [{ event: 'bouncing', subject: String(id), change: 'opened', recovered_at: null }],
          },
        },
      },
      { body: { type: 'alert.recovered', data: { alerts: [{ change: 'recovered' }] } } },
    ])
  })

  it('that refuses is a failed delivery, which staff retry once the channel works', async () => {
    const { id } = await channel({ kind: 'slack', name: 'Chat', url: chat.slackUrl })
    chat.answer(404, 'no_service at /services/T1/B2/secret1234')
    await refusedClinic()
    await look()
    const failed = found(await worker.db('jobs').where({ name: 'send-alert', state: 'failed' }).first())
    expect(failed).toMatchObject({ last_cause: 'wrong_address', last_detail: 'no_service at …' })
    expect(await countFailed(worker.db, { name: 'send-alert' })).toBe(1)

    chat.reset()
    const [again] = await retry(worker.db, failed.id, { actor: 'staff' })
    await expect(retry(worker.db, failed.id, { actor: 'staff' })).rejects.toThrow('a newer run')
    await attempt([found(again)], worker)
    expect(chat.slack).toHaveLength(1)
    expect(await countFailed(worker.db, { name: 'send-alert' })).toBe(0)
    expect((await alerts.listLast(worker.db)).get(id)).toMatchObject({ state: 'done', kind: 'alert' })
  })

  it('in a private network gets nothing, wherever its name leads, unless its host is allowed', async () => {
    const { id } = await channel({ kind: 'slack', name: 'Chat', url: chat.slackUrl })
    worker.env.ALERT_PRIVATE_HOSTS = []
    await testChannel(worker.db, id, options())
    await deliver()
    expect(chat.slack).toEqual([])
    expect(await worker.db('jobs').where('name', 'send-alert').first()).toMatchObject({
      state: 'failed',
      last_error: 'The address leads into a private network, where alerts are not posted.',
    })
  })

  it('that was sealed with another data key fails permanently, and the others get the alert', async () => {
    const { id } = await channel({ kind: 'slack', name: 'Chat', url: chat.slackUrl })
    await worker
      .db('alert_channels')
      .where({ id })
      .update({ sealed: Buffer.alloc(60) })
    await refusedClinic()
    await look()
    expect(chat.slack).toEqual([])
    expect(subjects()).toHaveLength(1)
    const failed = found(await worker.db('jobs').where({ name: 'send-alert', state: 'failed' }).first('last_error'))
    expect(failed.last_error).toContain('cannot be read with this DATA_KEY')
    await removeChannel(worker.db, id, options())
  })

  it('stores no readable address and no secret', async () => {
    const { secret } = await channel({ kind: 'webhook', name: 'Pager', url: chat.webhookUrl })
    const text = JSON.stringify([await worker.db('alert_channels'), await worker.db('audit_log')])
    expect(text).not.toContain('/hooks/alerts')
    expect(text).not.toContain(found(secret ?? undefined))
  })
})
