import { useQuery } from '@tanstack/react-query'
import { listSendingPauses, type SendingId, type SendingPause } from '../../core/conditions/contract/integrations.ts'
import type { LedgerJob } from '../../core/deliveries/contract/jobs.ts'
import { call } from '../lib/call.ts'
import { formatSoon } from '../lib/dates.ts'
import { SECOND } from '../lib/time.ts'

/** The first part of the keys of all queries about integrations. */
export const INTEGRATIONS = 'integrations'

/** Returns the present pauses of sending. Events keep them up to date, except that pauses of staff end by the clock. */
export function useSendingPauses(): SendingPause[] {
  const { data } = useQuery({
    queryKey: [INTEGRATIONS, 'pauses'],
    queryFn: () => call(listSendingPauses),
    // Only while something is paused.
    refetchInterval: ({ state }) => (state.data?.pauses.length ? 30 * SECOND : false),
  })
  return data?.pauses ?? NONE
}

const NONE: SendingPause[] = []

/**
 * Returns a function that says until when a job waits for a pause: `waits: sending is paused until 5:00 PM ET`. Undefined for a
 * job that is not held, or whose next attempt is later than the end of the pause.
 */
export function useWaitWords(): (job: Pick<LedgerJob, 'name' | 'state' | 'next_attempt_at'>) => string | undefined {
  const pauses = useSendingPauses()
  return ({ name, state, next_attempt_at }) => {
    const pause = state === 'waiting' ? pauses.find(({ integration }) => integration === SENT_TO[name]) : undefined
    if (!pause || next_attempt_at > pause.until) return undefined
    return `waits: sending is ${pausedWords(pause).replace('P', 'p')}`
  }
}

const SENT_TO: Partial<Record<LedgerJob['name'], SendingId>> = { 'sync-crm': 'crm', 'send-email': 'mail' }

/** Says until when deliveries to an integration wait, if they do: `Paused until 5:00 PM ET`. */
export type PausedWords = (integration: SendingId) => string | undefined

export function usePausedWords(): PausedWords {
  const pauses = useSendingPauses()
  return (integration) => {
    const pause = pauses.find((each) => each.integration === integration)
    return pause && pausedWords(pause)
  }
}

/** A breaker whose time has come waits for the answer to its probe. */
function pausedWords({ until }: SendingPause): string {
  return Date.parse(until) > Date.now() ? `Paused until ${formatSoon(until)}` : 'Paused until a test succeeds'
}
