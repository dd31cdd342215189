import { createContext, useContext } from 'react'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import { useAction } from '../../ui/use-action.ts'

type Action<Input, Result> = Omit<Parameters<typeof useAction<Input, Result>>[0], 'changes'>

/** Returns a mutation that changes a lead. */
export function useLeadAction<Input, Result>(action: Action<Input, Result>) {
  return useAction({ ...action, changes: 'leads' })
}

/** The acts on a lead of the list: dialogs to open, retries to start, and what follows a lead that was passed on. */
export type LeadActs = Record<'match' | 'record' | 'edit' | 'remove' | 'passedOn', (lead: Lead) => void> &
  Record<'resendEmail' | 'retryCrm', (id: number) => void>

const Acts = createContext<LeadActs | undefined>(undefined)
/** Provides the acts to the rows and the panel. Their identity must not change, because each change draws every row again. */
export const LeadActsProvider = Acts.Provider

export function useLeadActs(): LeadActs {
  const acts = useContext(Acts)
  if (!acts) throw new Error('There is no list of leads around this.')
  return acts
}
