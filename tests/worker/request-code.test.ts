import { expect, it } from 'vitest'
import { sendRequestCode } from '../../core/commands/leads/answer-request.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { readRequestLink } from '../../core/rules/request-links.ts'
import * as requestCodes from '../../core/stores/request-codes.ts'
import { found } from '../support/found.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const { worker, run, runAll, newest, lead, matchedLead } = useLeadJobs()

/** Sends a clinic its e-mail and returns the content of the link in it. */
async function linkInMail(id: number) {
  await runAll(id)
  const mail = found(worker.smtp.mails.find(({ subject }) => subject?.includes('New consultation request')))
  const token = /\/r\/([\w-]+)/.exec(String(mail.text))?.[1] ?? ''
  worker.smtp.reset()
  worker.smtp.mails.length = 0
  return found(readRequestLink(deriveKey(worker.env.DATA_KEY, 'request-link'), token))
}

it('the e-mail to a clinic links to its page for the request, the code opens it, and no row holds the code', async () => {
  const id = await matchedLead()
  const link = await linkInMail(id)
  expect(link).toMatchObject({ of: 'clinic', leadId: id, providerId: (await lead(id)).provider_id })

  await sendRequestCode(worker.db, link)
  const { id: jobId } = await newest(id, 'send-email', 'request_code')
  await run(jobId)
  const [mail] = worker.smtp.mails
  const code = /^\d{6}$/m.exec(String(mail?.text))?.[0] ?? ''
  expect(code).toMatch(/^\d{6}$/)
  expect(mail?.subject).toBe(`Your code for request no. ${id}`)

  const job = await newest(id, 'send-email', 'request_code')
  expect(job.state).toBe('done')
  const rows = [job, await worker.db('job_attempts').where({ job_id: jobId }), await worker.db('request_codes')]
  expect(JSON.stringify(rows)).not.toContain(code)
  const key = deriveKey(worker.env.DATA_KEY, 'request-code')
  expect(await requestCodes.check(worker.db, link, code, key)).toBe('right')
})

it('a code that was asked for too long ago, or by a clinic that lost the request, is not sent', async () => {
  for (const change of ['job', 'lead'] as const) {
    const id = await matchedLead()
    await sendRequestCode(worker.db, await linkInMail(id))
    const { id: jobId } = await newest(id, 'send-email', 'request_code')
    if (change === 'job')
      await worker.db.raw(`update jobs set created_at = now() - interval '11 minutes' where id = ?`, [jobId])
    else
      await worker
        .db('leads')
        .where({ id })
        .update({ provider_id: (await lead(await matchedLead())).provider_id })
    await run(jobId)
    expect((await newest(id, 'send-email', 'request_code')).state).toBe('cancelled')
    expect(worker.smtp.mails).toEqual([])
  }
})
