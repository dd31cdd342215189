import { type ReactNode, useState } from 'react'
import type { Lead, ListedLead } from '../../../core/contract/leads.ts'
import { MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { isHeld, type Retries } from './lead-deliveries.tsx'

export type LeadMenuProps = {
  lead: ListedLead
  retry: Retries
  canAct: boolean
  canStop: boolean
  onMatch: (lead: Lead) => void
  onRecord: (lead: Lead) => void
  onEdit?: (lead: Lead) => void
  onDelete: (lead: Lead) => void
  /** Stands before the acts. */
  children?: ReactNode
  className?: string
}

/** Every act on a lead, behind three dots. */
export function LeadMenu(props: LeadMenuProps) {
  const { lead, retry, canAct, canStop, onMatch, onRecord, onEdit, onDelete, children, className } = props
  /** Opens a dialog, which waits until the menu has closed. */
  const [next, setNext] = useState<() => void>()
  const later = (act: () => void) => setNext(() => act)
  const held = isHeld(lead)
  return (
    <MoreButton
      label={`More for ${lead.first_name} ${lead.last_name}`}
      className={className}
      onClosed={() => {
        next?.()
        setNext(undefined)
      }}
    >
      {children}
      {canStop && onEdit && <MenuItem onChoose={() => later(() => onEdit(lead))}>Edit...</MenuItem>}
      {canStop && !held && <MenuItem onChoose={() => later(() => onRecord(lead))}>Record an outcome...</MenuItem>}
      {canAct && (
        <MenuItem onChoose={() => later(() => onMatch(lead))}>
          {lead.provider_id === null ? 'Match with provider...' : 'Change clinic...'}
        </MenuItem>
      )}
      {canStop && (
        <MenuItem disabled={held} onChoose={() => retry.email(lead.id)}>
          Resend Email
        </MenuItem>
      )}
      {canAct && (
        <>
          <MenuItem disabled={held} onChoose={() => retry.crm(lead.id)}>
            Retry CRM Sync
          </MenuItem>
          <MenuSeparator />
          <MenuItem isDanger onChoose={() => onDelete(lead)}>
            Delete
          </MenuItem>
        </>
      )}
    </MoreButton>
  )
}
