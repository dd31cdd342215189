import { expect, it } from 'vitest'
import { releaseApplication } from '../../core/applications/applications.ts'
import type { NewApplication } from '../../core/applications/contract/applications.ts'
import { brand } from '../../core/brand/brand.ts'
import { createLog, type Logger } from '../../core/platform/log.ts'
import { applicationForm, createApplication } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const STAFF = { actor: 'staff' }
const LOG = createLog('test', 'silent')
const worker = useWorkerServices()

const newest = async (applicationId: number, purpose: string) =>
  found(
    await worker
      .db('jobs')
      .where({ subject_kind: 'application', subject_id: applicationId, purpose })
      .orderBy('generation', 'desc')
      .first(),
  )

async function runAll(log: Logger = LOG): Promise<void> {
  const waiting = await worker.db('jobs').where('state', 'waiting').orderBy('purpose').pluck('id')
  for (const id of waiting) await attempt([id], worker, log)
}
const sent = (recipient: string) => worker.smtp.mails.find(({ recipients }) => recipients[0] === recipient)

async function mailsAbout(form: NewApplication, heldReason?: 'honeypot' | 'too_fast') {
  const id = await createApplication(worker.db, { form, heldReason })
  await runAll()
  return { id, toTeam: sent(worker.env.TEAM_EMAIL), toApplicant: sent(form.email) }
}
it('the email to the team goes with its answers to the applicant, who gets a confirmation', async () => {
  const form = applicationForm({ name: 'Dr. Zoë Calloway', message: 'First line\r\nSecond line' })
  const { toTeam, toApplicant } = await mailsAbout(form)
  expect(toTeam?.subject).toBe(`New provider application: ${form.practice_name} (78701)`)
  expect(toTeam?.replyTo?.value).toEqual([{ name: 'Dr. Zoë Calloway', address: form.email }])
  expect(toTeam?.text).toMatch(/First line\nSecond line/)
  expect(toApplicant?.subject).toBe(`We have received your application to join ${brand.company}`)
})

it('a held application is shown to the team alone, until staff release it', async () => {
  const form = applicationForm()
  const { id, toTeam, toApplicant } = await mailsAbout(form, 'honeypot')
  expect(toTeam?.subject).toBe(`Provider application ${id} is held for review`)
  expect(toApplicant).toBeUndefined()
  expect(await newest(id, 'team')).toMatchObject({ state: 'done', result: { heldReason: 'honeypot' } })

  await releaseApplication(worker.db, id, STAFF)
  await runAll()
  expect(worker.smtp.mails).toHaveLength(2)
  expect(sent(form.email)?.text).toContain('24-48 hours')
})

it('a job of an application is a line in the log that says nothing about the applicant', async () => {
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
