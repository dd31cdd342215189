import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { getIntegrations, type Integrations } from '../../../core/conditions/contract/integrations.ts'
import { call } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { countOf, formatBytes, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { SECOND } from '../../lib/time.ts'
import { Since } from '../../ui/action-button.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { AttemptFacts, Card, Fact, SendingCard, TOUCHABLE } from './sending-card.tsx'

/** Shows the health of each integration. Reads it again every few seconds while it is shown. */
export function HealthPanel() {
  const query = useQuery({
    queryKey: ['attention', 'integrations'],
    queryFn: () => call(getIntegrations),
    refetchInterval: 10 * SECOND,
    staleTime: 0,
  })
  return (
    <div className="grid gap-4">
      <Loaded of={query} fallback="Failed to load the status" className="h-112 w-full">
        {(data) => (
          <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            <SendingCard integration="crm" title={crmTitle(data.crm.kind)} sending={data.crm} />
            <SendingCard integration="mail" title="Mail" sending={data.mail} />
            <WordPressCard wordpress={data.wordpress} />
            <QueueCard queue={data.queue} />
            <WorkersCard workers={data.workers} />
            <DatabaseCard database={data.database} />
          </div>
        )}
      </Loaded>
    </div>
  )
}

const CRM_NAMES: Record<string, string> = { hubspot: 'CRM (HubSpot)', webhook: 'CRM (webhook)' }
const crmTitle = (kind: string) => CRM_NAMES[kind] ?? (kind === 'none' ? 'CRM' : `CRM (${kind})`)

const LINK = `${buttonClass({ variant: 'outline', size: 'small' })} ${TOUCHABLE}`

function WordPressCard({ wordpress }: { wordpress: Integrations['wordpress'] }) {
  const { state, note, next_at } = wordpress
  if (state === 'not_set_up') return <Card title="WordPress" {...{ state, note }} />
  return (
    <Card
      title="WordPress"
      {...{ state, note }}
      actions={
        <Link to={{ search: '?tab=providers' }} preventScrollReset className={LINK}>
          See the syncs
        </Link>
      }
    >
      <AttemptFacts {...wordpress} never="Never" />
      <Fact label="Next sync">{next_at ? formatMinute(next_at) : 'Not scheduled'}</Fact>
    </Card>
  )
}

function QueueCard({ queue: { state, note, backend, jobs, ledger } }: { queue: Integrations['queue'] }) {
  return (
    <Card
      title={`Queue (${backend})`}
      {...{ state, note }}
      actions={
        // A page of its own, outside of the app.
        <a href="/admin/queues" className={LINK}>
          Open the queue pages
        </a>
      }
    >
      <Fact label="In the queue">
        {jobs
          ? `${formatCount(jobs.waiting)} waiting, ${formatCount(jobs.active)} active, ${formatCount(jobs.delayed)} delayed`
          : 'Unknown'}
      </Fact>
      <Fact label="In the ledger">
        {formatCount(ledger.enqueued)} in the queue, {formatCount(ledger.waiting)} waiting
      </Fact>
      <Fact label="Failed">
        {ledger.failed === 0 ? 'Nothing in 30 days' : `${formatCount(ledger.failed)} permanently, in 30 days`}
      </Fact>
    </Card>
  )
}

function WorkersCard({ workers }: { workers: Integrations['workers'] }) {
  const { state, note, running, last_seen_at, running_since } = workers
  return (
    <Card title="Workers" {...{ state, note }}>
      <Fact label="Running">{countOf(running, 'worker')}</Fact>
      <Fact label="Last heartbeat">{last_seen_at ? <Since time={last_seen_at} /> : 'None in the last week'}</Fact>
      {running_since && (
        <Fact label="Running for">
          <time dateTime={running_since}>{formatDuration(Math.max(0, Date.now() - Date.parse(running_since)))}</time>
        </Fact>
      )}
    </Card>
  )
}

function DatabaseCard({ database }: { database: Integrations['database'] }) {
  const { state, note, answer_ms, bytes, connections, max_connections, longest_transaction } = database
  return (
    <Card title="Database" {...{ state, note }}>
      <Fact label="Answers in">{formatDuration(answer_ms)}</Fact>
      <Fact label="Size">{formatBytes(bytes)}</Fact>
      <Fact label="Connections">
        {formatCount(connections)} of {formatCount(max_connections)} ({formatShare(connections / max_connections)})
      </Fact>
      <Fact label="Longest transaction">{formatDuration(longest_transaction * SECOND)}</Fact>
    </Card>
  )
}
