import type { StaffAccount, StaffLink } from '../../../core/contract/staff.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const NAMES: Record<StaffLink['kind'], string> = { invitation: 'Invitation', reset: 'Reset link' }

const STATES: Record<StaffLink['state'], { words: string; tone: Tone }> = {
  sending: { words: 'is being sent', tone: 'wait' },
  retrying: { words: 'not delivered yet', tone: 'wait' },
  sent: { words: 'sent', tone: 'wait' },
  failed: { words: 'could not be delivered', tone: 'bad' },
  expired: { words: 'expired', tone: 'bad' },
}

/** How far an account without a password is on its way to one; nothing for one that has it, or is disabled. */
export function LinkBadge({ has_password, link, disabled_at }: StaffAccount) {
  if (has_password || disabled_at) return null
  if (!link) return <Badge tone="bad">No password yet</Badge>
  const { words, tone } = STATES[link.state]
  return <Badge tone={tone}>{`${NAMES[link.kind]} ${words}`}</Badge>
}

/** Until when the link works, or what went wrong with its e-mail. */
export function LinkDetails({ has_password, link, disabled_at }: StaffAccount) {
  if (has_password || disabled_at || !link) return null
  const { state, error, expires_at } = link
  if (error) return <span className="block text-sm text-bad wrap-anywhere">{error}</span>
  if (state !== 'sent' || !expires_at) return null
  return <span className="block text-sm text-quiet">The link works until {formatMoment(expires_at)}.</span>
}
