import { describe, expect, it } from 'vitest'
import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { sendTestEmail } from '../../core/providers/change-provider.ts'
import { createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const worker = useWorkerServices()
const STAFF = { actor: 'staff' }

async function send(providerId: number) {
  const [id] = await sendTestEmail(worker.db, providerId, STAFF)
  const changes = await attempt([found(id)], worker)
  return { id: found(id), changes, job: found(await jobs.find(worker.db, found(id))).job }
}

describe('a test email', () => {
  it('says that it is a test, and updates open records', async () => {
    const { id } = await createProvider(worker.db, { email: 'desk@clinic.example', practice_name: 'Test Practice' })
    const { job, changes } = await send(id)

    expect(job).toMatchObject({ state: 'done', recipient: 'desk@clinic.example' })
    expect(changes).toEqual({ providers: [id] })
    expect(worker.smtp.mails).toHaveLength(1)
    expect(worker.smtp.mails[0]).toMatchObject({ recipients: ['desk@clinic.example'] })
    expect(worker.smtp.mails[0]?.text).toContain('This is a test. It is not a request, and there is nothing to do.')
    expect(worker.smtp.mails[0]?.text).toContain('Hello Test Practice,')
  })

  it('that is refused is no failed delivery of the network, and can be sent again', async () => {
    const { id } = await createProvider(worker.db)
    worker.smtp.answer({ status: 550, text: 'no such user', at: 'recipient' })
    const refused = await send(id)
    expect(refused.job).toMatchObject({ state: 'failed', last_detail: expect.stringContaining('no such user') })
    expect(await countFailed(worker.db, {})).toBe(0)

    worker.smtp.reset()
    const [again] = await retry(worker.db, refused.id, STAFF)
    await attempt([found(again)], worker)
    expect(found(await jobs.find(worker.db, found(again)))).toMatchObject({
      ...{ subject: `provider:${id}`, job: { state: 'done', generation: 2 } },
    })
  })
})
