import { afterAll, afterEach, beforeEach } from 'vitest'
import type { CrmSender } from '../../worker/senders/crm-sender.ts'
import { createHubspotSender } from '../../worker/senders/hubspot.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'

export const STANDARD = [
  { field: 'first_name', property: 'firstname' },
  { field: 'last_name', property: 'lastname' },
  { field: 'phone', property: 'phone' },
  { field: 'zip_code', property: 'zip' },
] as const

/** Starts a HubSpot for the tests of a file. `sender` is new for each test; `pauses` has the pauses that it asked for. */
export async function useHubspot() {
  const hubspot = await startHubspot()
  const pauses: number[] = []

  function senderWith({ url = hubspot.url, token = HUBSPOT_TOKEN, mapping = [...STANDARD] as never }) {
    return createHubspotSender({
      url: `${url}/crm/v3/objects/contacts`,
      erasure: 'request',
      token,
      mapping,
      limit: { take: async () => {}, pause: async (ms) => void pauses.push(ms), close() {} },
    })
  }

  const crm = { hubspot, pauses, senderWith, sender: senderWith({}) as CrmSender, idOf }
  function idOf(email: string): string | undefined {
    return hubspot.contacts.get(email)?.id
  }

  beforeEach(() => {
    pauses.length = 0
    crm.sender = senderWith({})
  })
  afterEach(() => hubspot.reset())
  afterAll(() => hubspot.close())
  return crm
}
