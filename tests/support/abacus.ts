import { z } from 'zod'
import { SECOND } from '../../core/contract/time.ts'
import { SecureAddress } from '../../core/settings/read-settings.ts'
import { NotNeeded } from '../../worker/delivery-error.ts'
import { discard } from '../../worker/http.ts'
import { askCrm, type CrmAnswer, type CrmEvent, defineCrm, refusal } from '../../worker/senders/crm-sender.ts'
import { createRateLimit } from '../../worker/senders/rate-limit.ts'

export const abacus = defineCrm({
  kind: 'abacus',
  settings: z.object({
    ABACUS_URL: SecureAddress('https://api.abacus.example').describe('its API'),
    ABACUS_KEY: z.string().describe('its key'),
  }),
  create({ ABACUS_URL, ABACUS_KEY }, env) {
    const limit = createRateLimit(env, { name: 'abacus', calls: 600, seconds: 60 })
    const headers = { 'x-api-key': ABACUS_KEY }

    const send = async (event: CrmEvent): Promise<CrmAnswer> => {
      if (event.purpose === 'deleted') throw new NotNeeded('Abacus keeps its leads.')
      await limit.take()
      const body = JSON.stringify({ key: event.messageId, mail: event.lead.email })
      const response = await askCrm(`${ABACUS_URL}/leads`, { method: 'POST', headers, body })
      // Nothing in it is needed here, and left unread it would keep its connection.
      await discard(response)
      if (response.ok) return { status: response.status }

      const error = refusal(response)
      if (response.status === 429) await limit.pause(error.retryAfter ?? 10 * SECOND)
      throw error
    }
    const check = async () => {
      const response = await askCrm(`${ABACUS_URL}/account`, { headers })
      await discard(response)
      if (response.ok) return { status: response.status }
      throw refusal(response, { what: 'the test' })
    }
    return { concurrency: 5, send, check, close: limit.close }
  },
})
