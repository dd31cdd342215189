import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/forms.ts'
import { freePort } from '../../local/ports.ts'
import type { ApiClient } from '../support/api-client.ts'
import { compareDeliveries, EXACTLY_ONCE, halfStoredLeads, submit, waitUntilSettled } from '../support/deliveries.ts'
import { leadForm } from '../support/factories.ts'
import { seededRandom } from '../support/random.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000
const KILLS = 3
const CLIENTS = 10

it('An API that is killed in the middle of a stream of forms has every lead that it answered, has nothing by halves, and delivers it all', async () => {
  const random = seededRandom(7)
  const site = await startSite()
  const settings = { PORT: String(await freePort()) }
  let api = await site.startApi(settings)
  await site.startWorker()

  const stream = streamOfForms(api, { pause: 20 })
  for (let kill = 1; kill <= KILLS; kill++) {
    await stream.answers(CLIENTS + Math.floor(30 * random()))
    await api.kill('SIGKILL')
    api = await site.startApi(settings)
  }
  const answered = await stream.end()
  await waitUntilSettled(site.db)

  expect(answered.length).toBeGreaterThanOrEqual(KILLS * CLIENTS)
  const emails = new Map<number, string>(
    (await site.db('leads').select('reference', 'email')).map(({ reference, email }) => [Number(reference), email]),
  )
  expect(answered.filter(({ id, form }) => emails.get(id) !== form.email)).toEqual([])
  expect(await halfStoredLeads(site.db)).toEqual([])
  // A client that got no answer sends the same form again, until it gets one: still one lead for each form.
  expect(emails.size).toBe(answered.length)
  expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
})

it('An API stopped under load answers every form it took, and exits with code 0 within 20 seconds', async () => {
  const site = await startSite()
  const api = await site.startApi()
  const stream = streamOfForms(api, { repeat: false })
  await stream.answers(10 * CLIENTS)

  const stopped = performance.now()
  const ending = await api.kill('SIGTERM')
  const took = performance.now() - stopped
  const answered = await stream.end()
  console.info(`API stopped ${Math.round(took)} ms after SIGTERM, with ${answered.length} leads answered`)

  expect(ending).toEqual({ code: 0, signal: null })
  expect(took).toBeLessThan(20 * SECOND)
  expect(api.output().includes('stopped with unfinished work')).toBe(false)
  const stored = (await site.db('leads').pluck('reference')).map(Number)
  expect(answered.map(({ id }) => id).toSorted()).toEqual(stored.toSorted())
})

type Answered = { id: number; form: NewLead }

/**
 * Clients that send one form after the other, over connections that they keep, with a pause of some milliseconds. One
 * that gets no answer sends the same form with the same key again, or, without `repeat`, stops.
 */
function streamOfForms(
  api: ApiClient,
  { repeat = true, pause = 0 } = {},
): {
  /** Waits until that many more forms are answered. */
  answers(more: number): Promise<unknown>
  end(): Promise<Answered[]>
} {
  const answered: Answered[] = []
  let ended = false
  const client = async () => {
    while (!ended) {
      const form = leadForm()
      const id = await sendUntilAnswered(api, form, repeat)
      if (id === null) return
      answered.push({ id, form })
      await sleep(pause)
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    answers(more) {
      const wanted = answered.length + more
      return waitFor(`${wanted} answers`, () => answered.length >= wanted)
    },
    async end() {
      ended = true
      await running
      return answered
    },
  }
}

async function sendUntilAnswered(api: ApiClient, form: NewLead, repeat: boolean): Promise<number | null> {
  const key = randomUUID()
  for (const deadline = Date.now() + 20 * SECOND; Date.now() < deadline; await sleep(20)) {
    const answer = await submit(api, form, key).catch(() => null)
    if (answer === null && !repeat) return null
    if (answer === null) continue
    if (answer.status !== 201) throw new Error(`A form was answered with ${answer.status}`)
    return answer.body.id
  }
  throw new Error('A form was not answered for 20 seconds')
}
