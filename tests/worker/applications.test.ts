import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { deleteApplication } from '../../core/commands/applications/delete-application.ts'
import { releaseApplication } from '../../core/commands/applications/release-application.ts'
import type { NewApplication } from '../../core/contract/applications.ts'
import { createLog, type Logger } from '../../core/platform/log.ts'
import * as jobs from '../../core/stores/jobs.ts'
import { PERSON_KEY } from '../support/env.ts'
import { applicationForm, createApplication, createLead } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import type { SmtpAnswer } from '../support/smtp-server.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const STAFF = { actor: 'staff' }
const LOG = createLog('test', 'silent')
const worker = useWorkerServices()

const newest = async (applicationId: number, purpose: string) =>
  found(await worker.db('jobs').where({ application_id: applicationId, purpose }).orderBy('generation', 'desc').first())

/** Does everything that waits. */
async function runAll(log: Logger = LOG): Promise<void> {
  const waiting = await worker.db('jobs').where('state', 'waiting').orderBy('purpose').pluck('id')
  for (const id of waiting) await attempt([id], worker, log)
}
const sent = (recipient: string) => worker.smtp.mails.find(({ recipients }) => recipients[0] === recipient)

/** Stores an application, sends its e-mails, and returns them. */
async function mailsAbout(form: NewApplication, heldReason?: 'honeypot' | 'too_fast') {
  const id = await createApplication(worker.db, { form, heldReason })
  await runAll()
  return { id, toTeam: sent(worker.env.TEAM_EMAIL), toApplicant: sent(form.email) }
}
const partsOf = (mail: ReturnType<typeof sent>) => [String(mail?.text), String(mail?.html)]

describe('the e-mail to the team', () => {
  it('says everything that was typed, and where to go on; an answer goes to the applicant', async () => {
    const form = applicationForm({ name: 'Dr. Zoë Calloway', message: 'First line\r\nSecond line' })
    const { id, toTeam } = await mailsAbout(form)

    expect(toTeam?.subject).toBe(`New provider application: ${form.practice_name} (78701)`)
    expect(toTeam?.replyTo?.value).toEqual([{ name: 'Dr. Zoë Calloway', address: form.email }])
    for (const part of partsOf(toTeam)) {
      const { name, practice_name, email, phone, zip_code } = form
      for (const fact of [name, practice_name, email, phone, zip_code, 'First line', 'https://calloway.example']) {
        expect(part).toContain(fact)
      }
      expect(part).toContain(`no. ${id}`)
      expect(part).toContain(`${worker.env.PUBLIC_URL}/admin`)
      expect(part).toContain('24-48 hours')
    }
    expect(toTeam?.text).toMatch(/First line\nSecond line/)
  })
})

describe('the e-mail to the applicant', () => {
  it('confirms the application and says what comes next', async () => {
    const form = applicationForm()
    const { toApplicant } = await mailsAbout(form)

    expect(toApplicant?.subject).toBe(`We have received your application to join ${brand.company}`)
    for (const part of partsOf(toApplicant)) {
      for (const words of [
        form.practice_name,
        'reviewed within 24-48 hours',
        'Apply online',
        'Train and get certified',
        'Offer the protocol',
      ]) {
        expect(part).toContain(words)
      }
    }
  })
})

describe('a held application', () => {
  it('is shown to the team alone, until staff release it', async () => {
    const form = applicationForm()
    const { id, toTeam, toApplicant } = await mailsAbout(form, 'honeypot')
    expect(toTeam?.subject).toBe(`Provider application ${id} is held for review`)
    for (const part of partsOf(toTeam)) expect(part).toContain('A field that people cannot see was filled in.')
    expect(toApplicant).toBeUndefined()
    expect(await newest(id, 'team')).toMatchObject({ state: 'done', result: { heldReason: 'honeypot' } })

    await releaseApplication(worker.db, id, STAFF)
    await runAll()
    expect(worker.smtp.mails).toHaveLength(2)
    expect(sent(form.email)?.text).toContain('24-48 hours')
  })

  it('is not confirmed, whatever jobs it has', async () => {
    const id = await createApplication(worker.db)
    await worker.db('provider_applications').update({ held_reason: 'too_fast' })
    await runAll()
    expect(await newest(id, 'applicant')).toMatchObject({
      state: 'cancelled',
      last_error: 'The application is held. This is sent when staff release it.',
    })
    expect(worker.smtp.mails).toHaveLength(1)
  })
})

describe('a job of an application', () => {
  it('is done once, and again under the same Message-ID when the attempt failed', async () => {
    const id = await createApplication(worker.db)
    const { id: jobId } = await newest(id, 'applicant')
    worker.smtp.answer({ status: 451, at: 'data', text: 'greylisted' })
    await attempt([jobId], worker, LOG)
    expect(await newest(id, 'applicant')).toMatchObject({ state: 'waiting', attempts: 1 })

    worker.smtp.answer('accept')
    await attempt([jobId], worker, LOG)
    await attempt([jobId], worker, LOG)
    expect(worker.smtp.mails.map(({ messageId }) => messageId)).toEqual([`<${jobId}@localhost>`])
    expect(await newest(id, 'applicant')).toMatchObject({ state: 'done', attempts: 2 })
  })

  it('is failed at once when the mail server refuses for good', async () => {
    const id = await createApplication(worker.db)
    worker.smtp.answer({ status: 550, at: 'recipient', text: 'no such mailbox' })
    await runAll()
    expect(await newest(id, 'applicant')).toMatchObject({ state: 'failed', attempts: 1 })
  })

  it('touches no lead with the same id', async () => {
    const leadId = await createLead(worker.db)
    const id = await createApplication(worker.db)
    const before = await jobs.list(worker.db, { leadId })
    expect(leadId).toBe(id)
    await attempt([(await newest(id, 'team')).id], worker, LOG)
    expect(await jobs.list(worker.db, { leadId })).toEqual(before)
  })

  it('is not recorded when the application was deleted meanwhile', async () => {
    const id = await createApplication(worker.db)
    const { id: jobId } = await newest(id, 'team')
    worker.smtp.answer(async (): Promise<SmtpAnswer> => {
      await deleteApplication(worker.db, id, { ...STAFF, personKey: PERSON_KEY }).catch(() => {})
      return 'accept'
    })
    await attempt([jobId], worker, LOG)
    expect(await worker.db('jobs')).toEqual([])
  })

  it('is a line in the log that says nothing about the applicant', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { info: (line: Record<string, unknown>) => void lines.push(line) } as unknown as Logger
    const form = { name: 'Canary', practice_name: 'Canary Clinic', email: 'canary@secret.example' }
    const id = await createApplication(worker.db, { form })
    await runAll(log)
    expect(lines).toMatchObject([
      { job: 'send-email', purpose: 'applicant', applicationId: id, attempt: 1, state: 'done' },
      { job: 'send-email', purpose: 'team', applicationId: id, attempt: 1, state: 'done' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/canary/i)
  })
})
