import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ledger, retryNow, submit, waitUntilSettled } from '../support/deliveries.ts'
import { idOf, jobsOf } from '../support/factories.ts'
import { type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

it('No mail server, or one whose answer is no SMTP: tried again later, and delivered once it is well', async () => {
  const site = await startSite()
  const api = await site.startApi()
  const nonsense = await startNonsenseServer()
  for (const [url, cause] of [
    ['smtp://127.0.0.1:1', 'unreachable'],
    [nonsense, 'server_error'],
  ] as const) {
    const worker = await site.startWorker({ SMTP_URL: url })
    await submit(api)
    await waitFor('two failed attempts', async () => (await waitingMails(site)).length === 2)
    expect((await waitingMails(site)).map(({ last_cause }) => last_cause)).toEqual([cause, cause])
    await worker.kill('SIGKILL')
    const healthy = await site.startWorker()
    await retryNow(site.db)
    await waitUntilSettled(site.db)
    await healthy.kill('SIGKILL')
  }
  expect(site.smtp.mails).toHaveLength(4)
})

it('A retry by staff supersedes an attempt that hangs', async () => {
  const site = await startSite()
  const api = await site.startApi()
  await site.startWorker()
  const { body } = await submit(api)
  await waitUntilSettled(site.db)
  const staff = await api.signIn()
  const leadId = await idOf(site.db, body)
  const retry = () => api.call('POST', `/api/leads/${leadId}/retry-sync`, {}, staff)
  const states = () => jobsOf(site.db, leadId, { name: 'sync-crm' }).orderBy('generation').pluck('state')

  site.crm.answer('hang')
  await retry()
  await waitFor('the call to hang', () => site.crm.events.length === 2)
  site.crm.answer({ status: 200 })
  await retry()
  await waitFor('the newest to be done', async () => (await states())[2] === 'done')
  expect(await states()).toEqual(['done', 'cancelled', 'done'])
  expect(await site.db('leads').first('crm_sync_status')).toEqual({ crm_sync_status: 'success' })
})

async function waitingMails({ db }: Site) {
  return (await ledger(db)).filter(
    ({ name, state, attempts }) => name === 'send-email' && state === 'waiting' && attempts > 0,
  )
}

/** Something that answers whatever connects with what is no SMTP. Returns its address. */
async function startNonsenseServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n\r\n<html>\0</html>\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
