import { type ComponentType, createContext, useContext } from 'react'
import type { Lead, ListedLead } from '../../../core/leads/contract/leads.ts'
import type { Right } from '../access.tsx'

/** A dialog on one lead. A file of this folder, `*-dialog.tsx`, exports it as `leadDialog`; all else derives from that. */
export type LeadDialog = {
  /** Its place in the menu of a lead. */
  position: number
  /** The words in the menu. */
  label: (lead: Lead) => string
  right: Right
  isOffered: (lead: ListedLead) => boolean
  /** Whether the menu of a row leaves it out. */
  isInPanelOnly?: true
  /** The key that opens it on the current row of the list. */
  key?: string
  Dialog: ComponentType<{ lead: Lead; onClose: () => void }>
}

const FILES = import.meta.glob<{ leadDialog?: LeadDialog }>('./*-dialog.tsx', { eager: true })

/** In the order of the menu. */
export const LEAD_DIALOGS = Object.values(FILES)
  .flatMap(({ leadDialog }) => leadDialog ?? [])
  .toSorted((a, b) => a.position - b.position)

/** The acts on a lead of the list: dialogs to open, retries to start, and what follows a lead that was passed on. */
export type LeadActs = {
  open: (dialog: LeadDialog, lead: Lead) => void
  remove: (lead: Lead) => void
  passedOn: (lead: Lead) => void
  resendEmail: (id: number) => void
  retryCrm: (id: number) => void
}

const Acts = createContext<LeadActs | undefined>(undefined)
/** Provides the acts to the rows and the panel. */
export const LeadActsProvider = Acts.Provider

export function useLeadActs(): LeadActs {
  const acts = useContext(Acts)
  if (!acts) throw new Error('There is no list of leads around this.')
  return acts
}
