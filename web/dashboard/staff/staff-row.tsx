import { type StaffAccount, type StaffLink, StaffRole } from '../../../core/contract/staff.ts'
import { formatDay, formatMoment, formatSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import { ROLES } from './roles.ts'
import { StaffActions, useChangeStaff } from './staff-actions.tsx'

export const COLUMNS = ['Name', 'Role', 'Last Seen', 'Active Sessions', 'Actions'] as const

/** Nobody takes away their own rights, so those of one's own account are not there to change. */
export function StaffRow({ account, isOwn }: { account: StaffAccount; isOwn: boolean }) {
  return (
    <Row>
      <Cell label="Name" className="col-span-2 sm:col-span-4">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-ink wrap-anywhere">
          {account.name}
          {isOwn && <Badge>You</Badge>}
          {account.disabled_at && <Badge tone="bad">Disabled</Badge>}
          <LinkBadge {...account} />
          {account.factors.length > 0 && <Badge tone="good">Two-step sign-in</Badge>}
        </span>
        <span className="block text-sm text-quiet wrap-anywhere">{account.email}</span>
        <LinkDetails {...account} />
        <span className="block text-sm text-quiet">Since {formatDay(account.created_at)}</span>
      </Cell>
      <Cell label="Role">{isOwn ? ROLES[account.role].name : <RoleSelect account={account} />}</Cell>
      <Cell label="Last Seen">{account.last_seen_at ? formatSince(account.last_seen_at) : '–'}</Cell>
      <Cell label="Active Sessions">{formatCount(account.open_sessions)}</Cell>
      <Cell label="Actions" className="col-span-2 sm:col-span-4">
        {isOwn ? (
          <p className="max-w-xs text-sm text-quiet">Only another manager can change your account.</p>
        ) : (
          <StaffActions account={account} />
        )}
      </Cell>
    </Row>
  )
}

const ROLE_OPTIONS = StaffRole.options.map((value) => ({ value, label: ROLES[value].name }))

function RoleSelect({ account: { id, name, role } }: { account: StaffAccount }) {
  const change = useChangeStaff(id)
  return (
    <SavedSelect
      label={`Role of ${name}`}
      options={ROLE_OPTIONS}
      value={role}
      busy={change.isPending}
      onSave={(next) => change.mutate({ role: next })}
    />
  )
}

const NAMES: Record<StaffLink['kind'], string> = { invitation: 'Invitation', reset: 'Reset link' }

const STATES: Record<StaffLink['state'], { words: string; tone: Tone }> = {
  sending: { words: 'is being sent', tone: 'wait' },
  retrying: { words: 'not delivered yet', tone: 'wait' },
  sent: { words: 'sent', tone: 'wait' },
  failed: { words: 'could not be delivered', tone: 'bad' },
  expired: { words: 'expired', tone: 'bad' },
}

/** How far an account without a password is on its way to one; nothing for one that has it, or is disabled. */
function LinkBadge({ has_password, link, disabled_at }: StaffAccount) {
  if (has_password || disabled_at) return null
  if (!link) return <Badge tone="bad">No password yet</Badge>
  const { words, tone } = STATES[link.state]
  return <Badge tone={tone}>{`${NAMES[link.kind]} ${words}`}</Badge>
}

/** Until when the link works, or what went wrong with its e-mail. */
function LinkDetails({ has_password, link, disabled_at }: StaffAccount) {
  if (has_password || disabled_at || !link) return null
  const { state, error, expires_at } = link
  if (error) return <span className="block text-sm text-bad wrap-anywhere">{error}</span>
  if (state !== 'sent' || !expires_at) return null
  return <span className="block text-sm text-quiet">The link works until {formatMoment(expires_at)}.</span>
}
