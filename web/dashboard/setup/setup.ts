import { useQuery } from '@tanstack/react-query'
import { getSetup, type Progress, type Setup, SetupStep } from '../../../core/conditions/contract/setup.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'

/** The key of the query of the setup. */
export const SETUP = 'setup'

export const isOpen = ({ state }: Progress) => state === 'waiting' || state === 'enqueued'

/** Reads what is set up. Follows tests, and the way of a test lead, until they end. */
export function useSetup() {
  return useQuery({
    queryKey: [SETUP],
    queryFn: () => call(getSetup),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? SECOND : 10 * SECOND),
  })
}

function isUnderWay({ mail, crm, wordpress, test_lead }: Setup): boolean {
  const deliveries = [mail.check, crm.check, ...(test_lead.lead?.deliveries ?? [])]
  return wordpress.is_running || deliveries.some((delivery) => delivery !== null && isOpen(delivery))
}

export type StepState = 'done' | 'skipped' | 'open'

/** Returns the state of each step. One that is done is not shown as skipped. */
export function statesOf(setup: Setup): Record<SetupStep, StepState> {
  const stateOf = (step: SetupStep): StepState => {
    if (setup[step].is_done) return 'done'
    return setup.skipped.includes(step) ? 'skipped' : 'open'
  }
  return Object.fromEntries(SetupStep.options.map((step) => [step, stateOf(step)])) as Record<SetupStep, StepState>
}
