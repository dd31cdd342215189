import { type ReactNode, useState } from 'react'
import type { Lead, ListedLead } from '../../../core/contract/leads.ts'
import { isMasked } from '../../../core/contract/masking.ts'
import { telUrl } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { ReleaseHeld } from './held-lead.tsx'
import { isHeld, type Retries, type Retrying, useRetries } from './lead-deliveries.tsx'
import { isLate, PassOnLate } from './pass-on.tsx'

type Props = Omit<LeadMenuProps, 'retry' | 'children' | 'className'> & {
  retrying: Retrying
  onPassedOn: (lead: Lead) => void
}

/** The acts on an open lead in the reach of a thumb: a call, what its state asks for, and the rest behind "⋯". */
export function LeadBar(props: Props) {
  const { lead, canAct, canStop, onMatch, onRecord, onEdit, onDelete } = props
  const retry = useRetries()
  const callUrl = lead.do_not_contact || isMasked(lead.phone) ? null : telUrl(lead.phone)
  if (!canStop && callUrl === null) return null
  return (
    <div className="sticky bottom-0 z-1 -mx-4 mt-auto flex items-center gap-2 border-t border-line bg-background px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] *:min-h-11">
      {callUrl && (
        <a href={callUrl} className={`${buttonClass({ variant: 'outline', size: 'small' })} grow`}>
          Call
        </a>
      )}
      {canStop && <NextAct {...props} retry={retry} />}
      {canStop && (
        <LeadMenu
          {...{ lead, retry, canAct, canStop, onMatch, onRecord, onEdit, onDelete }}
          className="border border-edge text-ink"
        />
      )}
    </div>
  )
}

/** The one act that the state of a lead asks for. */
function NextAct({
  lead,
  retrying,
  retry,
  canAct,
  canStop,
  onMatch,
  onPassedOn,
  onRecord,
}: Props & { retry: Retries }) {
  const { clinic, crm } = lead.deliveries
  if (canAct && isHeld(lead)) {
    return (
      <Wide>
        <ReleaseHeld id={lead.id} name={`${lead.first_name} ${lead.last_name}`} reason={lead.held_reason} />
      </Wide>
    )
  }
  if (isHeld(lead)) return null
  if (canAct && lead.provider_id === null) return <Act onPress={() => onMatch(lead)}>Match...</Act>
  if (canStop && clinic?.status === 'failed') {
    return (
      <Act busy={retrying.email} onPress={() => retry.email(lead.id)}>
        Resend Email
      </Act>
    )
  }
  if (canStop && isLate(lead) && !lead.do_not_contact) {
    return (
      <Wide>
        <PassOnLate lead={lead} onPassedOn={onPassedOn} />
      </Wide>
    )
  }
  if (canAct && crm?.status === 'failed') {
    return (
      <Act busy={retrying.crm} onPress={() => retry.crm(lead.id)}>
        Retry CRM Sync
      </Act>
    )
  }
  return <Act onPress={() => onRecord(lead)}>Record an outcome...</Act>
}

type ActProps = { busy?: boolean; onPress: () => void; children: string }

function Act({ busy, onPress, children }: ActProps) {
  return (
    <Button size="small" busy={busy} onClick={onPress} className="min-w-0 grow px-2!">
      <span className="truncate">{children}</span>
    </Button>
  )
}

/** Gives a button of another part the place of the act. */
function Wide({ children }: { children: ReactNode }) {
  return <div className="grid min-w-0 grow">{children}</div>
}

type LeadMenuProps = {
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
