import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { getIntegrations, type Integrations } from '../../../core/conditions/contract/integrations.ts'
import { JOB_LABELS } from '../../../core/deliveries/contract/jobs.ts'
import { call } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { countOf, formatBytes, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { SECOND } from '../../lib/time.ts'
import { Since } from '../../ui/action-button.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { useAccess } from '../access.tsx'
import { RetryFailedButton } from '../retry-failed.tsx'
import { attemptFacts, Card, SendingCard, TOUCHABLE } from './sending-card.tsx'

/** Shows the health of each integration. Reads it again every few seconds while it is shown. */
export function HealthPanel() {
  const query = useQuery({
    queryKey: ['attention', 'integrations'],
    queryFn: () => call(getIntegrations),
    refetchInterval: 10 * SECOND,
    staleTime: 0,
  })
  return (
    <Loaded of={query} fallback="Failed to load the status" className="h-112 w-full">
      {({ crm, mail, wordpress, queue, workers, database }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
          <SendingCard integration="crm" title={CRM_NAMES[crm.kind] ?? 'CRM'} sending={crm} />
          <SendingCard integration="mail" title="Mail" sending={mail} />
          <Card
            title="WordPress"
            of={wordpress}
            facts={[
              ...attemptFacts(wordpress, 'Never'),
              ['Next sync', wordpress.next_at ? formatMinute(wordpress.next_at) : 'Not scheduled'],
            ]}
          >
            <Link
              to={{ search: '?tab=providers' }}
              className={`${buttonClass({ variant: 'outline', size: 'small' })} ${TOUCHABLE}`}
            >
              See the syncs
            </Link>
          </Card>
          <QueuesCard queue={queue} />
          <div className="grid gap-4 max-xl:contents">
            <Card
              title="Workers"
              of={workers}
              facts={[
                ['Running', countOf(workers.running, 'worker')],
                [
                  'Last heartbeat',
                  workers.last_seen_at ? <Since key="at" time={workers.last_seen_at} /> : 'None in the last week',
                ],
                workers.running_since && [
                  'Running for',
                  formatDuration(Math.max(0, Date.now() - Date.parse(workers.running_since))),
                ],
              ]}
            />
            <Card
              title="Database"
              of={database}
              facts={[
                ['Answers in', formatDuration(database.answer_ms)],
                ['Size', formatBytes(database.bytes)],
                [
                  'Connections',
                  `${formatCount(database.connections)} of ${formatCount(database.max_connections)} (${formatShare(database.connections / database.max_connections)})`,
                ],
                ['Longest transaction', formatDuration(database.longest_transaction * SECOND)],
              ]}
            />
          </div>
        </div>
      )}
    </Loaded>
  )
}

const CRM_NAMES: Record<string, string> = { hubspot: 'CRM (HubSpot)', webhook: 'CRM (webhook)' }

/** Shows what each queue has, and what of its kind failed in 30 days. */
function QueuesCard({ queue }: { queue: Integrations['queue'] }) {
  const can = useAccess()
  const { backend, queues } = queue
  const total = queues?.reduce((sum, { failed }) => sum + failed, 0) ?? 0
  return (
    <Card
      title={`Queues (${backend})`}
      of={queue}
      className="md:col-span-2"
      table={
        queues && (
          <table className="mt-3 w-full tabular-nums">
            <thead>
              <tr className="text-right text-xs text-quiet">
                {['Queue', 'Waiting', 'Active', 'Delayed', 'Failed'].map((head) => (
                  <th key={head} scope="col" className="pb-1 pl-2 font-semibold first:pl-0 first:text-left">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {queues.map(({ name, waiting, active, delayed, failed, oldest_waiting_at, is_paused }) => (
                <tr key={name} className="border-t border-line text-right align-top text-ink">
                  <th scope="row" className="py-1 text-left font-normal">
                    {JOB_LABELS[name]}
                    {is_paused && <span className="text-wait">, paused</span>}
                    {oldest_waiting_at && (
                      <span className="text-quiet max-sm:block sm:ml-2">
                        oldest <Since time={oldest_waiting_at} />
                      </span>
                    )}
                  </th>
                  {[waiting, active, delayed].map((count, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                    <td key={index} className="py-1 pl-2">
                      {formatCount(count)}
                    </td>
                  ))}
                  <td className={`py-1 pl-2 ${failed > 0 ? 'font-semibold text-bad' : ''}`}>{formatCount(failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    >
      {can('delivery.retry') && total > 0 && <RetryFailedButton className={TOUCHABLE} total={total} />}
    </Card>
  )
}
