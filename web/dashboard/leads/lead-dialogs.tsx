import { type ComponentType, createContext, useContext } from 'react'
import type { Lead, ListedLead } from '../../../core/leads/contract/leads.ts'
import type { Right } from '../access.tsx'
import { EditLeadDialog } from './edit-lead-dialog.tsx'
import { MatchDialog } from './match-dialog.tsx'
import { StopContactDialog } from './opt-outs.tsx'
import { LeadOutcomeDialog } from './outcome-dialog.tsx'

type LeadDialog = {
  /** The words in the menu of a lead. */
  label: (lead: Lead) => string
  right: Right
  isOffered: (lead: ListedLead) => boolean
  /** Whether the menu of a row leaves it out. */
  isInPanelOnly?: true
  Dialog: ComponentType<{ lead: Lead; onClose: () => void }>
}

/** The dialogs on one lead. Its menu, the acts of rows and panel, and what the list opens derive from this. */
export const LEAD_DIALOGS = {
  edit: {
    ...{ label: () => 'Edit...', right: 'lead.work', isOffered: () => true, isInPanelOnly: true },
    Dialog: EditLeadDialog,
  },
  record: {
    ...{ label: () => 'Record an outcome...', right: 'lead.work', isOffered: (lead) => lead.held_reason === null },
    Dialog: LeadOutcomeDialog,
  },
  match: {
    label: (lead) => (lead.provider_id === null ? 'Match with provider...' : 'Change provider...'),
    ...{ right: 'lead.manage', isOffered: () => true, Dialog: MatchDialog },
  },
  stop: {
    ...{ label: () => 'Do not contact...', right: 'lead.work', isOffered: (lead) => !lead.do_not_contact },
    Dialog: StopContactDialog,
  },
} satisfies Record<string, LeadDialog>

export type LeadDialogName = keyof typeof LEAD_DIALOGS
export const LEAD_DIALOG_NAMES = Object.keys(LEAD_DIALOGS) as LeadDialogName[]
export const dialogOf = (name: LeadDialogName): LeadDialog => LEAD_DIALOGS[name]

/** The acts on a lead of the list: dialogs to open, retries to start, and what follows a lead that was passed on. */
export type LeadActs = Record<LeadDialogName | 'remove' | 'passedOn', (lead: Lead) => void> &
  Record<'resendEmail' | 'retryCrm', (id: number) => void>

const Acts = createContext<LeadActs | undefined>(undefined)
/** Provides the acts to the rows and the panel. */
export const LeadActsProvider = Acts.Provider

export function useLeadActs(): LeadActs {
  const acts = useContext(Acts)
  if (!acts) throw new Error('There is no list of leads around this.')
  return acts
}
