import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { VIEWING_INTERVAL, viewLead } from '../../../core/contract/events.ts'
import type { LeadDetails, ListedLead } from '../../../core/leads/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/leads/contract/outcomes.ts'
import { act } from '../../lib/call.ts'
import { formatDay, timeIn } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { Badge } from '../../ui/feedback.tsx'
import { useAccess, useMe } from '../access.tsx'
import { useLinkTo } from '../address.ts'
import { Reach, SMALL_LINK } from '../contact.tsx'
import { onViewing } from '../live/use-live.ts'
import { leadDialog as edit } from './edit-lead-dialog.tsx'
import { useLeadActs } from './lead-dialogs.tsx'
import { useFilterValues } from './lead-work.tsx'
import { requestWords } from './use-lead-action.ts'

/** Says which colleagues have the lead open, and lets theirs say that it is open here, while this page is visible. */
export function Viewers({ lead }: { lead: number }) {
  const me = useMe()?.id ?? undefined
  const colleagues = useFilterValues().data?.staff ?? []
  /** The accounts, with the time of the last news. */
  const seen = useRef(new Map<number, number>())
  const [ids, setIds] = useState<number[]>([])

  useEffect(() => {
    const say = (left = false) => {
      // What is lost is said again soon, or forgotten.
      if (me !== undefined && !document.hidden) act(viewLead, { params: { id: lead }, body: { left } }).catch(() => {})
    }
    const stop = onViewing(({ lead: of, account, left }) => {
      if (of !== lead) return
      // Another tab of the same person has left it, or a newcomer does not know yet that it is open here.
      if (account === me ? left : !left && !seen.current.has(account)) say()
      if (account === me) return
      if (left) seen.current.delete(account)
      else seen.current.set(account, Date.now())
      setIds([...seen.current.keys()])
    })
    const timer = setInterval(() => {
      say()
      for (const [account, at] of seen.current) {
        if (Date.now() - at >= 3 * VIEWING_INTERVAL) seen.current.delete(account)
      }
      setIds([...seen.current.keys()])
    }, VIEWING_INTERVAL)
    say()
    return () => {
      clearInterval(timer)
      stop()
      say(true)
    }
  }, [lead, me])

  const names = colleagues.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return (
    <p role="status" className="font-semibold text-wait empty:hidden">
      {names.length > 0 && `${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} this open`}
    </p>
  )
}

/** Shows where a person is, what time it is there (`Baltimore, MD 21201 · 2:53 PM local time`), and how to reach them. */
export function LeadWho({ lead, timeZone }: { lead: ListedLead; timeZone: LeadDetails['time_zone'] | undefined }) {
  const acts = useLeadActs()
  const can = useAccess()
  const now = useNow()
  const requests = requestWords(lead.requests)
  return (
    <div className="grid">
      {(lead.do_not_contact || requests) && (
        <p className="my-1 flex flex-wrap gap-2">
          {lead.do_not_contact && <Badge tone="bad">Do not contact</Badge>}
          {requests && <Badge>{requests}</Badge>}
        </p>
      )}
      <p className="py-0.5 text-quiet">
        {lead.place ?? 'Zip code'} <span>{lead.zip_code}</span>
        {timeZone && <span className="tabular-nums"> · {timeIn(timeZone, now)} local time</span>}
      </p>
      <Reach email={lead.email} phone={lead.phone} whose="their" />
      {can('lead.work') && (
        <button
          type="button"
          onClick={() => acts.open(edit, lead)}
          className={`${SMALL_LINK} -ml-2 justify-self-start`}
        >
          Edit...
        </button>
      )}
    </div>
  )
}

export function LeadPerson({ lead: { samePerson: others, requests } }: { lead: LeadDetails }) {
  const linkTo = useLinkTo()
  const older = requests.total - 1 - others.length
  return (
    <ul className="grid gap-2">
      {others.map(({ id, created_at, provider_id, provider_name, held_reason, outcome }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">
            <Link
              to={{ search: linkTo({ lead: id }) }}
              preventScrollReset
              className="font-semibold text-secondary underline-offset-4 hover:underline"
            >
              Request #{id}
            </Link>
            <span className="text-quiet">
              , {formatDay(created_at)},{' '}
              {provider_id === null ? 'No provider' : (provider_name ?? `Provider #${provider_id}`)}
            </span>
          </span>
          {held_reason !== null && <Badge tone="wait">Held</Badge>}
          {outcome !== null && <Badge>{OUTCOME_WORDS[outcome]}</Badge>}
        </li>
      ))}
      {older > 0 && <li className="text-quiet">And {older} older.</li>}
    </ul>
  )
}
