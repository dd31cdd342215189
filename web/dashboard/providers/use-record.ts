import { useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { MAX_WAIT } from '../../../core/contract/jobs.ts'
import { listLeads } from '../../../core/contract/leads.ts'
import { getProviderRecord, sendTestEmail } from '../../../core/contract/provider-record.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { place, useLinkTo } from '../address.ts'
import { noticeOf } from '../use-retry.ts'

/** Returns the clinic whose record is open, from the address, and the query of the link back to the list. */
export function useOpenRecord(): { openId: number | undefined; listSearch: string } {
  const [provider] = useQueryState('provider', place.provider)
  const linkTo = useLinkTo()
  return { openId: provider ?? undefined, listSearch: linkTo({ provider: null, record: null }) }
}

/** Reads the record of a clinic. The feature `live` invalidates it. */
export function useRecord(providerId: number) {
  return useQuery({
    queryKey: ['providers', 'record', providerId],
    queryFn: () => call(getProviderRecord, { params: { providerId } }),
    staleTime: 0,
  })
}

const LEADS_SHOWN = 10

/** Reads the newest requests of a clinic. */
export function useNewestLeads(providerId: number) {
  const query = { provider_id: providerId, limit: LEADS_SHOWN }
  return useQuery({ queryKey: ['leads', 'list', query], queryFn: () => call(listLeads, { query }), staleTime: 0 })
}

export const RECORD_TABS = ['requests', 'changes'] as const

/** Returns the chosen part of the record, from the address, and a function that chooses another one. */
export function useRecordTab() {
  return useQueryState(
    'record',
    parseAsStringLiteral(RECORD_TABS).withDefault('requests').withOptions({ history: 'replace' }),
  )
}

/** Returns the mutation that sends a test e-mail and waits for the answer of the mail server. */
export function useTestEmail(providerId: number, address: string) {
  return useAction({
    async act() {
      const { success, error, waiting } = await call(sendTestEmail, {
        params: { providerId },
        query: { wait: MAX_WAIT },
        timeout: (MAX_WAIT + 10) * SECOND,
      })
      if (!success) throw new Error(error)
      return waiting
    },
    done(waiting) {
      toast(
        waiting ? noticeOf(waiting) : { title: 'Success', description: `The test e-mail to ${address} was delivered` },
      )
    },
    failed: 'The test e-mail was not delivered',
    changes: 'providers',
  })
}
