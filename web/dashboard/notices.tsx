import { onlineManager } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link } from 'react-router-dom'
import { conditionOf } from '../../core/conditions/contract/conditions.ts'
import { SENDING_WORDS } from '../../core/conditions/contract/integrations.ts'
import { formatSoon } from '../lib/dates.ts'
import { buttonClass } from '../ui/button.tsx'
import { useAccess, useSettings } from './access.tsx'
import { place } from './address.ts'
import { useAttention } from './attention/attention.ts'
import { useSendingPauses } from './job-labels.tsx'
import { useKnownTabs } from './tabs.tsx'

export function Notices() {
  const isManager = useAccess()('settings.manage')
  const known = useKnownTabs()
  const linkTo = (search: string, label: string) => {
    const to = new URLSearchParams(search).get('tab')
    return !(to === 'health' && tab === 'health') && known.some(({ id }) => id === to) && { search, label }
  }
  const { data: settings } = useSettings()
  const conditions = useAttention().data?.notices ?? []
  const pauses = useSendingPauses()
  const [tab] = useQueryState('tab', place.tab)
  return (
    <div role="status" className="grid gap-3 not-empty:mt-2 not-empty:mb-5">
      {isManager && settings?.proxy_ignored && (
        <Notice title="All visitors share one IP address">
          Requests come through a proxy, but the setting <code>TRUST_PROXY_HOPS</code> is 0. Rate limits therefore apply
          to all visitors together, and consents are stored with the proxy’s address. Set <code>TRUST_PROXY_HOPS</code>{' '}
          to the number of proxies in front of Leadwell, usually 1, and restart it.
        </Notice>
      )}
      {conditions.map(({ kind, title, words, search, open = 'Open', more }) => (
        <Notice key={kind} title={conditionOf(kind).label} link={linkTo(search, open)}>
          {title}: {words.replace(/\.?$/, '.')}
          {more > 0 && ` And ${more} more.`}
        </Notice>
      ))}
      {pauses.map(({ integration, kind, until, reason }) => (
        <Notice
          key={integration}
          title={`Sending ${SENDING_WORDS[integration].deliveries} is paused${kind === 'staff' ? ` until ${formatSoon(until)}` : ', because everything was refused'}`}
          link={linkTo('?tab=health', 'See the health')}
        >
          {reason.replace(/\.?$/, '.')} Nothing is lost: deliveries wait and use up no attempts.
          {kind === 'breaker' && ' We try one every few minutes and resume when it succeeds.'}
        </Notice>
      ))}
    </div>
  )
}

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

type Props = { title: string; children: ReactNode; link?: false | { search: string; label: string } }

function Notice({ title, children, link }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-wait bg-wait-soft px-4 py-3 text-wait">
      <div>
        <p className="font-semibold">{title}</p>
        <p>{children}</p>
      </div>
      {link && (
        <Link
          to={{ search: link.search }}
          preventScrollReset
          className={buttonClass({ variant: 'outline', size: 'small' })}
        >
          {link.label}
        </Link>
      )}
    </div>
  )
}

export function Red({ children }: { children: string }) {
  return (
    <>
      {children}
      <span title="Something fails" className="ml-1.5 inline-block size-2 rounded-full bg-bad align-middle" />
      <span className="sr-only">: something fails</span>
    </>
  )
}
