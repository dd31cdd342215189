import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { isMasked, telUrl } from '../../../core/contract/texts.ts'
import type { ListedLead } from '../../../core/leads/contract/leads.ts'
import { buttonClass, SmallButton } from '../../ui/button.tsx'
import { MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { useAccess } from '../access.tsx'
import { isLate, PassOnLate } from '../pass-on-dialog.tsx'
import { ReleaseHeld } from './held-lead.tsx'
import { isHeld, type Retrying } from './lead-deliveries.tsx'
import { LEAD_DIALOGS, useLeadActs } from './lead-dialogs.tsx'
import { leadDialog as match } from './match-dialog.tsx'
import { leadDialog as record } from './outcome-dialog.tsx'

type Props = { lead: ListedLead; retrying: Retrying }

export function LeadBar(props: Props) {
  const can = useAccess()
  const { lead } = props
  const callUrl = lead.do_not_contact || isMasked(lead.phone) ? null : telUrl(lead.phone)
  if (!can('lead.work') && callUrl === null) return null
  return (
    <div className="sticky bottom-0 z-1 -mx-4 mt-auto flex items-center gap-2 border-t border-line bg-background px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] *:min-h-11 [&>:not(:last-child)]:grow">
      {callUrl && (
        <a href={callUrl} className={`${buttonClass({ variant: 'outline', size: 'small' })} grow`}>
          Call
        </a>
      )}
      {can('lead.work') && <NextAct {...props} />}
      {can('lead.work') && <LeadMenu lead={lead} isInPanel className="border border-edge text-ink" />}
    </div>
  )
}

function NextAct({ lead, retrying }: Props) {
  const acts = useLeadActs()
  const can = useAccess()
  const { clinic, crm } = lead.deliveries
  const act = (label: string, onPress: () => void, busy?: boolean) => (
    <SmallButton variant="primary" busy={busy} onClick={onPress} className="min-w-0 grow px-2!">
      <span className="truncate">{label}</span>
    </SmallButton>
  )
  if (isHeld(lead)) {
    const name = `${lead.first_name} ${lead.last_name}`
    return can('lead.manage') && <ReleaseHeld id={lead.id} name={name} reason={lead.held_reason} />
  }
  if (can('lead.match') && lead.provider_id === null) return act('Match...', () => acts.open(match, lead))
  if (clinic?.status === 'failed') return act('Resend Email', () => acts.resendEmail(lead.id), retrying.email)
  if (isLate(lead) && !lead.do_not_contact) return <PassOnLate lead={lead} />
  if (can('lead.manage') && crm?.status === 'failed') {
    return act('Retry CRM Sync', () => acts.retryCrm(lead.id), retrying.crm)
  }
  return act('Record an outcome...', () => acts.open(record, lead))
}

type LeadMenuProps = {
  lead: ListedLead
  isInPanel?: boolean
  children?: ReactNode
  className?: string
}

export function LeadMenu({ lead, isInPanel, children, className }: LeadMenuProps) {
  const can = useAccess()
  const acts = useLeadActs()
  const navigate = useNavigate()
  const held = isHeld(lead)
  const [works, manages] = [can('lead.work'), can('lead.manage')]
  const seenBy = { tab: 'activity', log: 'access', entity: 'lead', rowId: String(lead.id) }
  return (
    <MoreButton label={`More for ${lead.first_name} ${lead.last_name}`} className={className}>
      {children}
      {LEAD_DIALOGS.map((dialog) => {
        const { label, right, isOffered, isInPanelOnly } = dialog
        if (!can(right) || !isOffered(lead) || (isInPanelOnly && !isInPanel)) return null
        return (
          <MenuItem key={dialog.position} onChoose={() => acts.open(dialog, lead)}>
            {label(lead)}
          </MenuItem>
        )
      })}
      {works && (
        <MenuItem disabled={held} onChoose={() => acts.resendEmail(lead.id)}>
          Resend Email
        </MenuItem>
      )}
      {manages && (
        <MenuItem disabled={held} onChoose={() => acts.retryCrm(lead.id)}>
          Retry CRM Sync
        </MenuItem>
      )}
      {manages && isInPanel && (
        <MenuItem onChoose={() => navigate({ search: `?${new URLSearchParams(seenBy)}` })}>
          Who has seen this lead
        </MenuItem>
      )}
      {manages && (
        <>
          <MenuSeparator />
          <MenuItem isDanger onChoose={() => acts.remove(lead)}>
            Delete
          </MenuItem>
        </>
      )}
    </MoreButton>
  )
}
