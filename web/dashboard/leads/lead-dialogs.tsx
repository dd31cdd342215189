import { type ComponentType, createContext, useContext } from 'react'
import type { Lead, ListedLead } from '../../../core/leads/contract/leads.ts'
import type { Right } from '../access.tsx'

/** A dialog on one lead. A file of this folder, `*-dialog.tsx`, exports it as `leadDialog`; all else derives from that. */
export type LeadDialog = {
  position: number
  label: (lead: Lead) => string
  right: Right
  isOffered: (lead: ListedLead) => boolean
  isInPanelOnly?: true
  key?: string
  Dialog: ComponentType<{ lead: Lead; onClose: () => void }>
}

const FILES = import.meta.glob<{ leadDialog?: LeadDialog }>('./*-dialog.tsx', { eager: true })

export const LEAD_DIALOGS = Object.values(FILES)
  .flatMap(({ leadDialog }) => leadDialog ?? [])
  .toSorted((a, b) => a.position - b.position)

export type LeadActs = {
  open: (dialog: LeadDialog, lead: Lead) => void
  remove: (lead: Lead) => void
  passedOn: (lead: Lead) => void
  resendEmail: (id: number) => void
  retryCrm: (id: number) => void
}

const Acts = createContext<LeadActs | undefined>(undefined)
export const LeadActsProvider = Acts.Provider

export function useLeadActs(): LeadActs {
  const acts = useContext(Acts)
  if (!acts) throw new Error('There is no list of leads around this.')
  return acts
}
