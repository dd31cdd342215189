import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Alerts, changeAlertSettings, listAlerts } from '../../../core/contract/alerts.ts'
import { act, call } from '../../lib/call.ts'
import { formatSince } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AddChannelDialog } from './add-channel-dialog.tsx'
import { ChannelRow } from './channel-row.tsx'
import { RulesTable } from './rules-table.tsx'

/** In milliseconds: a worker looks once a minute. */
const LATE = 5 * MINUTE

/** Shows the tab in which managers choose who is told of what is wrong, and when. */
export function AlertsPanel() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['alerts'],
    queryFn: () => call(listAlerts),
    // A worker looks once a minute.
    refetchInterval: 30 * SECOND,
  })
  const [isAdding, setAdding] = useState(false)
  const id = useId()
  return (
    <div className="grid gap-4 text-sm">
      <LoadError fallback="Failed to load the alerts" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-40" />}
      {data && (
        <>
          <CheckedNotice {...data} />
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

const HOURS = [2, 4, 6, 8, 12, 16, 24, 40, 80]

function NoLeadHours({ hours }: { hours: number }) {
  const saving = useAction({
    act: (no_lead_hours: number) => act(changeAlertSettings, { body: { no_lead_hours } }),
    done: 'Saved',
    failed: 'Failed to save',
    changes: 'alerts',
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
