import { type StaffAccount, StaffRole } from '../../../core/contract/staff.ts'
import { formatDay, formatSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import { LinkBadge, LinkDetails } from './link-status.tsx'
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
