import { useQuery } from '@tanstack/react-query'
import { listSendingPauses, type SendingId, type SendingPause } from '../../core/contract/integrations.ts'
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

/** Returns a function that says until when deliveries to an integration wait, if they do: `Paused until 5:00 PM ET`. */
export function usePausedWords(): (integration: SendingId) => string | undefined {
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
