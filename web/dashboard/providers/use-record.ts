import { useQuery } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { MAX_WAIT } from '../../../core/deliveries/contract/jobs.ts'
import { getProviderRecord, sendTestEmail } from '../../../core/providers/contract/provider-record.ts'
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
  return { openId: provider ?? undefined, listSearch: linkTo({ provider: null }) }
}

/** Reads the record of a clinic. The feature `live` invalidates it. */
export function useRecord(providerId: number) {
  return useQuery({
    queryKey: ['providers', 'record', providerId],
    queryFn: () => call(getProviderRecord, { params: { providerId } }),
    staleTime: 0,
  })
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
