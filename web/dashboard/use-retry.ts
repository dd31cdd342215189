import { useMutationState } from '@tanstack/react-query'
import type { retryApplicationEmail } from '../../core/applications/contract/applications.ts'
import { MAX_WAIT, type RetryAnswer } from '../../core/deliveries/contract/jobs.ts'
import type { retryLeadEmail, retryLeadSync } from '../../core/leads/contract/leads.ts'
import { call } from '../lib/call.ts'
import { formatSoon } from '../lib/dates.ts'
import { SECOND } from '../lib/time.ts'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'

/** The timeout of a retry, a little longer than the server waits. */
const TIMEOUT = (MAX_WAIT + 10) * SECOND

/** The badge of a delivery that this page retries. */
export const RETRYING = { label: 'Retrying...', tone: 'wait' } as const

/** The texts of the specification. */
const WORDS = {
  email: { done: 'Successfully retried email', failed: 'Failed to retry email' },
  crm: { done: 'Successfully retried CRM sync', failed: 'Failed to retry CRM sync' },
}

type Retry = {
  kind: keyof typeof WORDS
  of: 'leads' | 'applications'
  to: typeof retryLeadEmail | typeof retryLeadSync | typeof retryApplicationEmail
}

/** Returns the mutation that retries the deliveries of a row. A toast shows the result of the attempt. */
export function useRetry({ kind, of, to }: Retry) {
  return useAction({
    key: [of, 'retry', kind],
    changes: of,
    async act(id: number) {
      const { success, error, waiting } = await call(to, {
        params: { id },
        query: { wait: MAX_WAIT },
        timeout: TIMEOUT,
      })
      if (!success) throw new Error(error)
      return waiting
    },
    done(waiting) {
      if (waiting) toast(noticeOf(waiting))
      else toast({ title: 'Success', description: WORDS[kind].done })
    },
    failed: WORDS[kind].failed,
  })
}

/** Returns the ids of the rows whose deliveries this page retries now. */
export function useRetrying({ kind, of }: Pick<Retry, 'kind' | 'of'>): Set<number> {
  const ids = useMutationState({
    filters: { mutationKey: [of, 'retry', kind], status: 'pending' },
    select: ({ state }) => Number(state.variables),
  })
  return new Set(ids)
}

/** Returns the notice about a delivery that is retried later, or that no worker has come to. */
export function noticeOf({ error, next_attempt_at, is_paused }: NonNullable<RetryAnswer['waiting']>) {
  if (next_attempt_at === null) {
    return { title: 'Still waiting', description: 'No worker has come to it yet. It is sent as soon as one does.' }
  }
  return is_paused
    ? { title: 'Waiting', description: `Sending is paused until ${formatSoon(next_attempt_at)}.` }
    : { title: `Trying again at ${formatSoon(next_attempt_at)}`, description: error ?? undefined }
}
