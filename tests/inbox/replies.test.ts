import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { listReadFailures } from '../../core/leads/stores/outcomes.ts'
import { createLog } from '../../core/platform/log.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { readReplies } from '../../worker/outcomes.ts'
import { PERSON_KEY } from '../support/env.ts'
import { found } from '../support/found.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'
import { type Dovecot, startDovecot } from './dovecot.ts'

const { worker, runAll, matchedLead, lead, newest } = useLeadJobs()
let dovecot: Dovecot
let url: string

beforeAll(async () => {
  dovecot = await startDovecot()
})
afterAll(() => dovecot.stop())
beforeEach(() => {
  worker.env = { ...worker.env, INBOX_URL: { url: dovecot.url, address: 'replies@clinics.example' } }
  url = dovecot.url
})
afterEach(() => worker.db('crm_cursors').delete())

const read = () =>
  readReplies(url, {
    ...worker,
    log: createLog('test', 'silent'),
    context: { key: PERSON_KEY, timeZone: 'America/New_York' },
    signal: worker.stopping,
  })

/** A lead whose emails are sent, with the Message-ID of one of them. */
async function sent(purpose: string, form = {}) {
  const id = await matchedLead(form)
  await runAll(id)
  const { messageId, to } = (await newest(id, 'send-email', purpose)).result as { messageId: string; to: string }
  return { id, reply: { answers: messageId, from: to } }
}

type Message = { subject: string; answers?: string; from?: string; body: string; header?: string }

const message = ({ subject, answers, from = 'desk@granite.example', body, header = '' }: Message) =>
  `From: Front desk <${from}>
To: replies@clinics.example
Subject: ${subject}
Message-ID: <${subject.replaceAll(' ', '-')}@granite.example>
Date: Thu, 26 Nov 2026 10:00:00 -0500
${answers ? `In-Reply-To: ${answers}\nReferences: ${answers}\n` : ''}${header}Content-Type: text/plain; charset=utf-8

${body}
`

it('every email about a lead names the mailbox for replies', async () => {
  const { id } = await sent('provider')
  const { email } = await lead(id)
  const toClinic = found(worker.smtp.mails.find(({ subject }) => subject?.startsWith('New consultation request')))
  const toVisitor = found(worker.smtp.mails.find(({ recipients }) => recipients.includes(email)))
  expect(toClinic.replyTo?.value[0]?.address).toBe('replies@clinics.example')
  expect(toVisitor.replyTo?.value[0]?.address).toBe('replies@clinics.example')
})

it('an answer in the first line of a provider’s reply is recorded once, though the message is read twice', async () => {
  const { id, reply } = await sent('provider')
  const booked = message({ subject: 'Booked', ...reply, body: 'Booked.\n\nOn Thu, Nov 26, Leadwell wrote:\n> stop' })
  await dovecot.deliver(booked, booked)
  await read()
  expect(await lead(id)).toMatchObject({ outcome: 'booked' })
  expect(await worker.db('lead_outcomes').where({ lead_id: id }).select('kind', 'source')).toEqual([
    { kind: 'booked', source: 'clinic' },
  ])
  expect(await dovecot.subjects()).toMatchObject({ unread: [] })
})

it('STOP in a visitor’s reply stops contact with that mailbox, and with no phone number', async () => {
  const { id, reply } = await sent('visitor')
  await dovecot.deliver(message({ subject: 'stop', ...reply, body: 'Please stop' }))
  await read()
  const person = await lead(id)
  expect((await suppressions.ways(worker.db, PERSON_KEY, [person])).get(person)).toEqual(new Set(['email']))
})

it('everything else goes to the team, as another sender, a sentence, a reply to no email of ours, and STOP from a stranger', async () => {
  const { id, reply } = await sent('provider')
  worker.smtp.mails.length = 0
  await dovecot.deliver(
    message({ subject: 'another sender', answers: reply.answers, body: 'Booked' }),
    message({ subject: 'a sentence', ...reply, body: 'Reached voicemail <b>twice</b>, will try again.' }),
    message({ subject: 'a stranger', body: 'STOP' }),
    message({ subject: 'a guess', answers: `<${crypto.randomUUID()}@localhost>`, body: 'booked' }),
    message({ subject: 'an absence', ...reply, header: 'Auto-Submitted: auto-replied\n', body: 'booked' }),
  )
  await read()
  expect(await lead(id)).toMatchObject({ outcome: null })
  const forwarded = worker.smtp.mails.map(({ subject, recipients, replyTo, text }) => ({
    ...{ subject, recipients, replyTo: replyTo?.value[0]?.address },
    hasText: /Reached voicemail <b>twice<\/b>|STOP|booked/i.test(text ?? ''),
  }))
  const stranger = 'desk@granite.example'
  expect(forwarded).toEqual(
    [
      ['another sender', stranger],
      ['a sentence', reply.from],
      ['a stranger', stranger],
      ['a guess', stranger],
    ].map(([subject, replyTo]) => ({
      ...{ recipients: [worker.env.TEAM_EMAIL], replyTo, hasText: true },
      subject: expect.stringMatching(new RegExp(`^Reply to .+: ${subject}$`)),
    })),
  )
  expect(await dovecot.subjects()).toMatchObject({ unread: [] })
})

it('a provider that no longer has the lead changes nothing by a late reply', async () => {
  const { id, reply } = await sent('provider')
  await worker
    .db('leads')
    .where({ id })
    .update({ matched_at: new Date(Date.now() + 1000) })
  await dovecot.deliver(message({ subject: 'late', ...reply, body: 'Booked' }))
  await read()
  expect(await lead(id)).toMatchObject({ outcome: null })
  expect(worker.smtp.mails.at(-1)?.subject).toContain('late')
})

it('a message stays unread while it cannot be forwarded, holds up no other, and is forwarded later', async () => {
  const { id, reply } = await sent('provider')
  worker.smtp.answer({ status: 451 })
  await dovecot.deliver(
    message({ subject: 'forwarded later', body: 'Is there parking?' }),
    message({ subject: 'reached', ...reply, body: 'Reached' }),
  )
  await read()
  expect(await lead(id)).toMatchObject({ outcome: 'reached' })
  expect(await dovecot.subjects()).toMatchObject({ unread: ['forwarded later'] })
  expect(await worker.db('crm_cursors').first('error')).toMatchObject({ error: expect.stringContaining('mail server') })

  worker.smtp.reset()
  await worker.db('crm_cursors').update({ due_at: new Date(0) })
  await read()
  expect(await dovecot.subjects()).toMatchObject({ unread: [] })
  expect(worker.smtp.mails.at(-1)?.subject).toContain('forwarded later')
  expect(await listReadFailures(worker.db)).toEqual([])
})

it.each([
  [
    'a wrong password',
    (address: string) => address.replace(/:[^:@]+@/, ':wrong@'),
    'The mailbox of INBOX_URL rejected our user or password.',
  ],
  [
    'no server',
    (address: string) => address.replace(/:\d+\//, ':1/'),
    'The mail server of INBOX_URL could not be reached.',
  ],
  [
    'no such folder',
    (address: string) => address.replace('INBOX', 'Nowhere'),
    'The mail server of INBOX_URL could not open or change the mailbox.',
  ],
])('%s is named in a sentence', async (_, changed, sentence) => {
  url = changed(dovecot.url)
  await read()
  expect(await worker.db('crm_cursors').first('error')).toEqual({ error: sentence })
})
