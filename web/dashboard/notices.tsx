import { onlineManager } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { SENDING_WORDS, type SendingPause } from '../../core/contract/integrations.ts'
import { formatDay, formatMoment, formatSoon } from '../lib/dates.ts'
import { buttonClass } from '../ui/button.tsx'
import { place, useLinkTo } from './address.ts'
import { useOptOuts } from './leads/opt-outs.tsx'
import { useSendingPauses } from './sending-pauses.ts'
import { useSettings } from './settings.ts'
import { useOpenRun, useSyncStatus } from './sync/sync-runs.ts'

/** Warns, on every tab, of clinics that have not confirmed an opt-out in time. */
export function OptOutNotice() {
  const linkTo = useLinkTo()
  const overdue = useOptOuts().data?.overdue ?? []
  const [first] = overdue
  return (
    <div role="status" className="grid gap-3 not-empty:mt-2 not-empty:mb-5">
      {first && (
        <Notice
          title="A clinic has not confirmed that it stopped contacting a person"
          link={{
            to: { search: linkTo({ tab: 'leads', lead: first.lead_id }) },
            label: 'See the lead',
          }}
        >
          {first.clinic} had to confirm by {formatDay(first.due_at)} for lead no. {first.lead_id}. Please call.
          {overdue.length > 1 && ` And ${overdue.length - 1} more.`}
        </Notice>
      )}
    </div>
  )
}

/** Warns managers that all visitors count as one address, and tells how to mend it. */
export function ProxyNotice() {
  const { data } = useSettings()
  return (
    <div role="status" className="not-empty:mt-2 not-empty:mb-5">
      {data?.proxy_ignored && (
        <Notice title="All visitors count as one address">
          Requests come through a proxy, but the setting <code>TRUST_PROXY_HOPS</code> is 0. One visitor who sends too
          many forms or wrong passwords is therefore limited together with everybody else, and consents are stored with
          the address of the proxy. Set <code>TRUST_PROXY_HOPS</code> to the number of proxies in front of Leadwell,
          usually 1, and start it again.
        </Notice>
      )}
    </div>
  )
}

/** Warns, on every tab, that the CRM has not been asked for some time what became of leads. */
export function CrmOutcomesNotice() {
  const failing = useSettings().data?.crm_outcomes_failing
  return (
    <div role="status" className="not-empty:mt-2 not-empty:mb-5">
      {failing && (
        <Notice title="Outcomes from the CRM are missing">
          They could not be read since {formatMoment(failing.since)}. {failing.error} Nothing is lost: all of them are
          read as soon as the CRM answers.
        </Notice>
      )}
    </div>
  )
}

/** Says, on every tab, that deliveries wait because sending is paused. */
export function SendingNotice() {
  const [tab] = useQueryState('tab', place.tab)
  const pauses = useSendingPauses()
  const link = tab === 'health' ? undefined : { to: { search: '?tab=health' }, label: 'See the health' }
  return (
    <div role="status" className="grid gap-3 not-empty:mt-2 not-empty:mb-5">
      {pauses.map((pause) => (
        <Notice key={pause.integration} title={pauseTitle(pause)} link={link}>
          {pause.reason.replace(/\.?$/, '.')} {SENDING_WAITS[pause.kind]}
        </Notice>
      ))}
    </div>
  )
}

/** Returns, for example, `Sending CRM calls is paused until 5:00 PM ET`. */
function pauseTitle({ integration, kind, until }: SendingPause): string {
  const what = `Sending ${SENDING_WORDS[integration].deliveries} is paused`
  return kind === 'staff' ? `${what} until ${formatSoon(until)}` : `${what}, because everything was refused`
}

const SENDING_WAITS: Record<SendingPause['kind'], string> = {
  staff: 'Nothing is lost: deliveries wait and use up no attempts.',
  breaker:
    'Nothing is lost: deliveries wait and use up no attempts. One is tried from time to time; all follow once it succeeds.',
}

/** Warns that the page may be out of date while the event stream is lost. */
export function ConnectionNotice({ isLost, onRefresh }: { isLost: boolean; onRefresh: () => void }) {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  return (
    <p
      role="status"
      className="rounded-lg not-empty:mt-2 not-empty:mb-5 not-empty:bg-wait-soft not-empty:px-4 not-empty:py-2.5 text-wait"
    >
      {!isOnline && 'You are offline. What you see may be out of date.'}
      {isOnline && isLost && (
        <>
          The connection to the server was lost. What you see may be out of date. Reconnecting...{' '}
          <button type="button" onClick={onRefresh} className="font-semibold underline underline-offset-3">
            Refresh
          </button>
        </>
      )}
    </p>
  )
}

/** Shows, on every tab, a sync that failed or needs approval. */
export function SyncNotice() {
  const { searchOf } = useOpenRun()
  const [tab] = useQueryState('tab', place.tab)
  const isThere = tab === 'providers'
  const status = useSyncStatus().data?.status
  const waiting = status?.needs_approval ?? null
  return (
    <div role="status" className="grid gap-3 not-empty:mt-2 not-empty:mb-5">
      {status?.is_overdue && (
        <Notice
          title="The providers may be out of date"
          link={isThere ? undefined : { to: { search: '?tab=providers&syncs=true' }, label: 'See the sync' }}
        >
          {status.last_success_at
            ? `The last successful sync was on ${formatMoment(status.last_success_at)}, and two scheduled syncs have been missed since then.`
            : 'No sync has succeeded yet. The schedule starts after the first one.'}
        </Notice>
      )}
      {waiting !== null && (
        <Notice
          title="A sync waits for approval"
          link={{ to: { search: searchOf(waiting) }, label: 'See what it would change' }}
        >
          It would change where leads go for many providers, or deactivate many, so it has changed nothing.
        </Notice>
      )}
    </div>
  )
}

type Props = { title: string; children: ReactNode; link?: { to: { search: string }; label: string } }

/** A warning above the tabs of the dashboard. */
function Notice({ title, children, link }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-wait bg-wait-soft px-4 py-3 text-wait">
      <div>
        <p className="font-semibold">{title}</p>
        <p>{children}</p>
      </div>
      {link && (
        <Link to={link.to} preventScrollReset className={buttonClass({ variant: 'outline', size: 'small' })}>
          {link.label}
        </Link>
      )}
    </div>
  )
}
