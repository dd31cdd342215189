import { useQuery } from '@tanstack/react-query'
import { getIntegrations } from '../../../core/contract/integrations.ts'
import { call } from '../../lib/call.ts'
import { SECOND } from '../../lib/time.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { INTEGRATIONS } from '../sending-pauses.ts'
import { DatabaseCard, QueueCard, TilesCard, WordPressCard, WorkersCard } from './cards.tsx'
import { SendingCard } from './sending-card.tsx'

/** Shows the health of each integration. Reads it again every few seconds while it is shown. */
export function HealthPanel({ canAct }: { canAct: boolean }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [INTEGRATIONS, 'cards'],
    queryFn: () => call(getIntegrations),
    refetchInterval: 10 * SECOND,
    staleTime: 0,
  })
  return (
    <div className="grid gap-4">
      <LoadError error={error} fallback="Failed to load the health" isFetching={isFetching} onRetry={() => refetch()} />
      {!data && !error && (
        <div className={GRID}>
          {['CRM', 'Mail', 'WordPress', 'Queue', 'Workers', 'Database', 'Map tiles'].map((name) => (
            <Skeleton key={name} className="h-56 w-full" />
          ))}
        </div>
      )}
      {data && (
        <div className={GRID}>
          <SendingCard integration="crm" title={crmTitle(data.crm.kind)} sending={data.crm} canAct={canAct} />
          <SendingCard integration="mail" title="Mail" sending={data.mail} canAct={canAct} />
          <WordPressCard wordpress={data.wordpress} />
          <QueueCard queue={data.queue} />
          <WorkersCard workers={data.workers} />
          <DatabaseCard database={data.database} />
          <TilesCard url={data.tiles.url} />
        </div>
      )}
    </div>
  )
}

const GRID = 'grid gap-4 md:grid-cols-2 xl:grid-cols-3'

const CRM_NAMES: Record<string, string> = { hubspot: 'CRM (HubSpot)', webhook: 'CRM (webhook)' }
const crmTitle = (kind: string) => CRM_NAMES[kind] ?? (kind === 'none' ? 'CRM' : `CRM (${kind})`)
