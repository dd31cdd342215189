import { describe, expect, it } from 'vitest'
import { retry } from '../../../core/deliveries/retry-deliveries.ts'
import { countFailed } from '../../../core/deliveries/stores/failed-jobs.ts'
import * as jobs from '../../../core/deliveries/stores/jobs.ts'
import { chooseProvider } from '../../../core/leads/rules/matching.ts'
import { findCandidates } from '../../../core/leads/stores/candidates.ts'
import { createLog } from '../../../core/platform/log.ts'
import { activateProvider, decideNewEmail, signInClinic } from '../../../core/providers/change-provider.ts'
import * as clinicLinks from '../../../core/providers/stores/clinic-links.ts'
import * as clinicPeople from '../../../core/providers/stores/clinic-people.ts'
import * as providers from '../../../core/providers/stores/providers.ts'
import { createLead } from '../../support/factories.ts'
import { attempt } from '../../support/lead-jobs.ts'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useWorkerServices } from '../../support/worker-services.ts'
import { useSyncSite } from './sync.ts'

const THIEF = 'all-your-leads@thief.example'
const LOG = createLog('test', 'silent')
const STAFF = { actor: 'ada@leadwell.example' }
const worker = useWorkerServices()
const site = useSyncSite()

const many = (count: number) => Array.from({ length: count }, (_, index) => clinicPost(index + 1))
/** Changes the first posts, as somebody does who has taken over an account in WordPress. */
const redirect = (count: number, change: Record<string, unknown> = { email: THIEF }) => {
  for (let index = 0; index < count; index++) site.wordpress.posts[index] = clinicPost(index + 1, {}, change)
}
const network = async (count = 10) => {
  site.wordpress.posts.push(...many(count))
  await site.sync()
}
/** Makes an attempt at each job that waits. Returns the emails by their recipient. */
const sendAll = async () => {
  for (const id of await site.db('jobs').where({ name: 'send-email', state: 'waiting' }).pluck('id')) {
    await attempt([id], worker, LOG)
  }
  return (recipient: string) => worker.smtp.mails.filter(({ recipients }) => recipients.includes(recipient))
}
const tokenIn = (mail: { text?: string } | undefined) => /#([\w-]{43})/.exec(String(mail?.text))?.[1] as string
/** Opens the link of an email, as a clinic does. */
const open = (token: string) => signInClinic(site.db, token, { ip: '192.0.2.1', userAgent: 'test' })
const NO_SUCH_USER = { at: 'recipient', status: 550, text: '5.1.1 No such user' } as const
const isToClinic = ({ purpose }: { purpose: string }) => purpose === 'provider_changed'
const first = async () => (await site.providers())[0]

describe('a person who can write to WordPress', () => {
  it('redirects nobody by changing the address of one: its leads go on to the old one', async () => {
    await network()
    redirect(1)
    expect(await site.sync()).toMatchObject({ state: 'done', counts: { updated: 1 } })
    const { id } = await first()
    await createLead(site.db, { providerId: id })
    const to = await sendAll()
    expect(to(THIEF)).toEqual([])
    expect(to('clinic1@clinics.example').map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Please confirm the new email address of Clinic 1$/),
    )
    expect(to('clinic1@clinics.example')).toHaveLength(2)
  })

  it('redirects nobody by changing it a few clinics at a time, or to another one again', async () => {
    await network()
    for (let run = 0; run < 4; run++) {
      redirect(Math.min(10, 3 * (run + 1)), { email: `${run}.${THIEF}` })
      await site.sync()
    }
    expect((await site.providers()).map(({ email }) => email)).toEqual(
      Array.from({ length: 10 }, (_, index) => `clinic${index + 1}@clinics.example`),
    )
  })
})

describe('a new clinic', () => {
  const addNew = async (zip = { zip_code: '10007', latitude: '40.71', longitude: '-74.01' }) => {
    await network()
    site.wordpress.posts.push(clinicPost(50, {}, { email: THIEF, ...zip }))
    await site.sync()
    return (await site.providers())[10]
  }
  const matchOf = async (zip: string) => {
    const [candidates] = await findCandidates(site.db, [{ zip }])
    return chooseProvider({ ...candidates, radiusMiles: 60 }).providerId
  }

  it('gets no lead and is shown to nobody but staff, until a manager activates it', async () => {
    const added = await addNew()
    expect(added).toMatchObject({ activation: 'waiting', status: 'f', hidden: true })
    expect(await matchOf('10007')).toBeNull()
    expect((await providers.listPublic(site.db, 'inactive', { page: 1, limit: 50 })).list).toEqual([])
    const lead = await createLead(site.db, { form: { zip_code: '10007' } })
    // Another sync changes nothing about it.
    expect((await site.sync()).counts).toMatchObject({ updated: 0, reactivated: 0, unchanged: 11 })
    await activateProvider(site.db, added.id, STAFF)
    expect(await matchOf('10007')).toBe(added.id)
    expect(await site.db('jobs').where({ name: 'match-lead', subject_id: lead, state: 'waiting' })).toHaveLength(1)
    expect((await site.sync()).counts).toMatchObject({ updated: 0, unchanged: 11 })
    await expect(activateProvider(site.db, added.id, STAFF)).rejects.toThrow('no longer waits')
  })

  it('is activated by the link in the email to its own address, which works once', async () => {
    const added = await addNew()
    const token = tokenIn((await sendAll())(THIEF)[0])
    await open(token)
    expect(await matchOf('10007')).toBe(added.id)
    await expect(open(token)).rejects.toThrow('no longer valid')
    expect(await site.db('audit_log').where('action', 'activate').pluck('actor')).toEqual(['clinic'])
  })

  it('is activated by the approval of the run that creates it, and by the first sync', async () => {
    await network()
    expect(await site.db('providers').whereNot('activation', 'activated')).toEqual([])
    site.wordpress.posts.push(...Array.from({ length: 4 }, (_, index) => clinicPost(50 + index)))
    const { id } = await site.sync()
    await site.sync({ approves: id })
    expect(await site.db('providers').where({ activation: 'activated', status: 't' })).toHaveLength(14)
  })

  it('waits as well if it comes as inactive and is made active later', async () => {
    await network()
    site.wordpress.posts.push(clinicPost(50, {}, { active: '0' }))
    await site.sync()
    expect((await site.providers())[10]).toMatchObject({ activation: 'never', status: 'f', hidden: false })
    site.wordpress.posts[10] = clinicPost(50)
    await site.sync()
    expect((await site.providers())[10]).toMatchObject({ activation: 'waiting', status: 'f', hidden: true })
    site.wordpress.posts[10] = clinicPost(50, {}, { active: '0' })
    await site.sync()
    expect((await site.providers())[10]).toMatchObject({ activation: 'never', status: 'f', hidden: false })
  })
})

describe('a change without an approval', () => {
  it('notifies the previous address and the team, with what to do', async () => {
    await network()
    redirect(1, { email: THIEF, phone: '(900) 555-0100' })
    site.wordpress.posts.push(clinicPost(50, {}, { domain: 'fifty.example' }))
    const { id } = await site.sync()
    const to = await sendAll()
    const [toClinic] = to('clinic1@clinics.example')
    for (const words of [THIEF, '(900) 555-0100', 'Not you?', worker.env.TEAM_EMAIL, `sync no. ${id}`]) {
      expect(toClinic?.text).toContain(words)
    }
    const [toTeam] = to(worker.env.TEAM_EMAIL)
    expect(toTeam?.subject).toBe('A sync changed 2 providers: please check')
    for (const words of [THIEF, 'New provider: Dr. Number 50', 'fifty.example', 'clinic50@clinics.example']) {
      expect(toTeam?.text).toContain(words)
    }
    const [toNew] = to('clinic50@clinics.example')
    expect(toNew?.subject).toBe('Please confirm that requests for Clinic 50 may come here')
    expect(worker.smtp.mails).toHaveLength(3)
  })

  it('of a place, a website or a name notifies the provider and the team', async () => {
    await network()
    redirect(1, { zip_code: '10007', latitude: '40.71', longitude: '-74.01' })
    site.wordpress.posts[1] = clinicPost(2, {}, { website: 'https://thief.example/clinic2' })
    site.wordpress.posts[2] = clinicPost(3, {}, { practice_name: 'Thief & Sons' })
    await site.sync()
    const to = await sendAll()
    expect(to('clinic1@clinics.example')[0]?.text).toMatch(/moved by 1,5\d\d miles, now zip code 10007/)
    expect(to('clinic2@clinics.example')[0]?.text).toContain('https://thief.example/clinic2')
    expect(to('clinic3@clinics.example')[0]?.text).toContain('Thief & Sons')
    expect(to(worker.env.TEAM_EMAIL)[0]?.subject).toBe('A sync changed 3 providers: please check')
  })

  it('is in the ledger of its run, and can be sent again when it failed', async () => {
    await network()
    redirect(1)
    const { id } = await site.sync()
    worker.smtp.answer((recipient) => (recipient === 'clinic1@clinics.example' ? NO_SUCH_USER : 'accept'))
    await sendAll()
    const toClinic = async () => (await jobs.list(site.db, `sync:${id}`)).filter(isToClinic)
    const [failed] = await toClinic()
    expect(failed).toMatchObject({ state: 'failed', last_cause: 'unknown_mailbox' })
    const [provider] = await providers.forStaff(site.db, await providers.list(site.db, 'active'))
    expect(provider?.new_email).toMatchObject({ email: THIEF, asked: 'failed', error: expect.any(String) })

    worker.smtp.answer('accept')
    await retry(site.db, String(failed?.id), STAFF)
    expect(await countFailed(site.db, {})).toBe(0)
    await sendAll()
    expect((await toClinic()).map(({ generation, state }) => [generation, state])).toEqual([
      [1, 'failed'],
      [2, 'done'],
    ])
  })
})

describe('a new address', () => {
  const waiting = async () => {
    await network()
    redirect(1, { email: 'new@clinics.example' })
    await site.sync()
    const to = await sendAll()
    return { id: (await first()).id as number, token: tokenIn(to('clinic1@clinics.example')[0]) }
  }
  const audited = () =>
    site.db('audit_log').whereIn('action', ['confirm-email', 'keep-email']).select('actor', 'action')

  it('is confirmed on the pages that the link in the email to the old one opens once', async () => {
    const { id, token } = await waiting()
    expect(await clinicLinks.findSession(site.db, await open(token))).toMatchObject({
      id,
      email: 'clinic1@clinics.example',
    })
    await expect(open(token)).rejects.toThrow('no longer valid')
    expect(await first()).toMatchObject({ email: 'clinic1@clinics.example' })
    expect(await clinicPeople.findAsked(site.db, id)).toBe('new@clinics.example')
    await decideNewEmail(site.db, id, { email: 'new@clinics.example', decision: 'confirm' }, { actor: 'clinic' })
    expect(await first()).toMatchObject({ email: 'new@clinics.example', new_email: null })
    expect(await audited()).toEqual([{ actor: 'clinic', action: 'confirm-email' }])
    expect((await site.sync()).counts).toMatchObject({ updated: 0, unchanged: 10 })
  })

  it('has a link whose token is kept nowhere, and that ends after seven days', async () => {
    const { token } = await waiting()
    const { rows } = await site.db.raw(
      `select string_agg(t::text, '') as text from (
         select to_jsonb(j) t from jobs j union all select to_jsonb(a) from job_attempts a
         union all select to_jsonb(l) from one_time_tokens l) all_rows`,
    )
    expect(rows[0].text).not.toContain(token)
    await site.db('one_time_tokens').update({ expires_at: site.db.raw(`expires_at - interval '7 days'`) })
    await expect(open(token)).rejects.toThrow('no longer valid')
  })

  it('notifies the previous one when it is confirmed', async () => {
    const { id } = await waiting()
    worker.smtp.reset()
    await decideNewEmail(site.db, id, { email: 'new@clinics.example', decision: 'confirm' }, STAFF)
    const [notice] = (await sendAll())('clinic1@clinics.example')
    for (const words of ['Another address replaces this one', 'new@clinics.example', 'our team']) {
      expect(notice?.text).toContain(words)
    }
  })

  it('is confirmed by a manager, but only the one that they saw', async () => {
    const { id } = await waiting()
    const seen = { email: 'new@clinics.example', decision: 'confirm' } as const
    await expect(decideNewEmail(site.db, id, { ...seen, email: THIEF }, STAFF)).rejects.toThrow('no longer waits')
    await decideNewEmail(site.db, id, seen, STAFF)
    expect(await first()).toMatchObject({ email: 'new@clinics.example', new_email: null })
    expect(await audited()).toEqual([{ actor: STAFF.actor, action: 'confirm-email' }])
  })

  it('is not asked for again where a manager keeps the old one', async () => {
    const { id } = await waiting()
    await decideNewEmail(site.db, id, { email: 'new@clinics.example', decision: 'keep' }, STAFF)
    expect(await clinicPeople.findAsked(site.db, id)).toBeNull()
    expect((await site.sync()).counts.updated).toBe(0)
    expect(await first()).toMatchObject({ email: 'clinic1@clinics.example', new_email_declined: true })
    expect(await audited()).toEqual([{ actor: STAFF.actor, action: 'keep-email' }])
  })

  it('waits no more once WordPress says the old one again', async () => {
    await waiting()
    site.wordpress.posts[0] = clinicPost(1)
    await site.sync()
    expect(await first()).toMatchObject({ email: 'clinic1@clinics.example', new_email: null })
  })

  it('is confirmed by the approval of a manager who saw it, and no other is', async () => {
    await network()
    redirect(4, { email: 'new@clinics.example' })
    const refused = await site.sync()
    redirect(1)
    expect((await site.sync({ approves: refused.id })).state).toBe('done')
    const addresses = (await site.providers()).slice(0, 4).map(({ email, new_email }) => new_email ?? email)
    expect(addresses).toEqual([THIEF, ...Array(3).fill('new@clinics.example')])
    expect(await first()).toMatchObject({ email: 'clinic1@clinics.example', new_email: THIEF })
    const notified = (await site.db('jobs').where('purpose', 'provider_changed')).length
    expect(notified).toBe(1)
  })

  it('is approved by no flag of the command line', async () => {
    await network()
    redirect(4)
    expect((await site.sync({ approves: 'all' })).state).toBe('needs_approval')
  })
})
