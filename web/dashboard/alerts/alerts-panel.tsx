import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { ALERT_EVENTS, type Alerts, changeAlertSettings, type OpenAlert } from '../../../core/contract/alerts.ts'
import { act } from '../../lib/call.ts'
import { formatSince } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { MINUTE } from '../../lib/time.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AddChannelDialog } from './add-channel-dialog.tsx'
import { ALERTS, useAlerts } from './alerts.ts'
import { ChannelRow } from './channel-row.tsx'
import { RulesTable } from './rules-table.tsx'

/** In milliseconds: a worker looks once a minute. */
const LATE = 5 * MINUTE

/** Shows the tab in which managers see what is wrong now, and choose who is told of it, and when. */
export function AlertsPanel() {
  const { data, error, isFetching, refetch } = useAlerts()
  const [isAdding, setAdding] = useState(false)
  const id = useId()
  return (
    <div className="grid gap-4 text-sm">
      <LoadError fallback="Failed to load the alerts" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-40" />}
      {data && (
        <>
          <CheckedNotice {...data} />
          <OpenAlerts {...data} />
          <section
            aria-labelledby={`${id}-channels`}
            className="overflow-hidden rounded-lg border border-line bg-background"
          >
            <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2.5">
              <h2 id={`${id}-channels`} className="text-base font-semibold text-ink">
                Channels
              </h2>
              <Button size="small" className="min-h-11 rounded-lg lg:min-h-8" onClick={() => setAdding(true)}>
                Add a channel
              </Button>
            </div>
            <ul className="divide-y divide-line">
              {data.channels.map((channel) => (
                <ChannelRow key={channel.id} channel={channel} />
              ))}
            </ul>
            {data.channels.every(({ kind }) => kind === 'team' || kind === 'email') && (
              <p className="border-t border-line bg-wait-soft px-4 py-2.5 text-wait">
                Every channel is an e-mail. If the mail server fails, its alert cannot arrive either: add a chat or a
                webhook as well.
              </p>
            )}
          </section>
          <section
            aria-labelledby={`${id}-rules`}
            className="overflow-hidden rounded-lg border border-line bg-background"
          >
            <div className="border-b border-line px-4 py-2.5">
              <h2 id={`${id}-rules`} className="text-base font-semibold text-ink">
                What is told, and when
              </h2>
              <p className="mt-0.5 text-quiet">
                An alert comes once while it goes on, and once more as “Recovered” when it is over. Hourly and daily
                alerts come together in one summary.
              </p>
            </div>
            <RulesTable channels={data.channels} labelledBy={`${id}-rules`} />
            <NoLeadHours hours={data.no_lead_hours} />
          </section>
        </>
      )}
      {isAdding && <AddChannelDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

/** Says when nothing looks for alerts: then none can come. */
function CheckedNotice({ checked_at }: Alerts) {
  if (checked_at !== null && Date.now() - Date.parse(checked_at) < LATE) return null
  return (
    <Alert title="No worker looks for alerts">
      {checked_at === null ? 'None has looked yet.' : `One last looked ${formatSince(checked_at)}.`} While no worker
      runs, nothing is delivered, and no alert can be sent. An alert follows when one runs again.
    </Alert>
  )
}

function OpenAlerts({ open, total, checked_at }: Alerts) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-lg border border-line bg-background">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-2.5">
        <h2 id={id} className="text-base font-semibold text-ink">
          Wrong now <span className="font-normal text-quiet tabular-nums">{formatCount(total)}</span>
        </h2>
        {checked_at && <p className="text-quiet">Looked {formatSince(checked_at)}</p>}
      </div>
      {open.length === 0 ? (
        <p className="px-4 py-6 text-center text-quiet">
          {checked_at ? 'Nothing is wrong that an alert could tell.' : 'A worker looks once a minute.'}
        </p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto">
          {open.map((alert) => (
            <OpenAlertRow key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {total > open.length && (
        <p className="border-t border-line px-4 py-2 text-quiet">And {formatCount(total - open.length)} older ones.</p>
      )}
    </section>
  )
}

function OpenAlertRow({ alert: { event, title, path, opened_at } }: { alert: OpenAlert }) {
  return (
    <li className="grid items-center gap-x-3 gap-y-1 px-4 py-2 sm:grid-cols-[10rem_1fr_auto]">
      <span>
        <Badge tone={ALERT_EVENTS[event].tellsEnd ? 'bad' : 'wait'}>{ALERT_EVENTS[event].label}</Badge>
      </span>
      <Link
        to={path}
        className="min-h-11 content-center text-ink wrap-anywhere hover:text-secondary hover:underline lg:min-h-7"
      >
        {title}
      </Link>
      <span className="text-quiet tabular-nums">{formatSince(opened_at)}</span>
    </li>
  )
}

const HOURS = [2, 4, 6, 8, 12, 16, 24, 40, 80]

function NoLeadHours({ hours }: { hours: number }) {
  const saving = useAction({
    act: (no_lead_hours: number) => act(changeAlertSettings, { body: { no_lead_hours } }),
    done: 'Saved',
    failed: 'Failed to save',
    changes: ALERTS,
  })
  const options = [...new Set([...HOURS, hours])].toSorted((a, b) => a - b)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2.5 text-quiet">
      <span aria-hidden="true">“No leads” means none within</span>
      <SavedSelect
        label="Business hours without a lead"
        options={options.map((each) => ({ value: String(each), label: countOf(each, 'business hour') }))}
        value={String(hours)}
        busy={saving.isPending}
        onSave={(value) => saving.mutate(Number(value))}
      />
    </div>
  )
}
