import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import {
  ACCESS_LINES_PER_PAGE,
  type AccessLine,
  type AccessLogQuery,
  listAccess,
} from '../../../core/contract/access-log.ts'
import { call } from '../../lib/call.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { Choice, type Somebody } from './activity-filters.tsx'
import { Actor, DENSE, WhenCell } from './activity-line.tsx'
import { conditionsIn, type NameOf } from './condition-words.ts'
import { activityAddress, UNFILTERED } from './use-activity-page.ts'

const COLUMNS = ['When', 'Who', 'What', 'From'] as const
/** The number of rows that a line links to. The others are only counted. */
const MAX_LINKS = 5

type Props = { people: Somebody[]; nameOf: NameOf }

/**
 * Lists the leads and applications that staff have read or downloaded, newest first: all of them, or those of a person
 * or a row.
 */
export function AccessPanel({ people, nameOf }: Props) {
  const [{ actor, entity, rowId, page }, change] = useQueryStates(activityAddress)
  const wanted = { ...(actor && { actor }), ...(rowId && { entity: entity || 'lead', rowId: Number(rowId) }) }
  const query = { ...wanted, page, limit: ACCESS_LINES_PER_PAGE } as AccessLogQuery
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['access-log', query],
    queryFn: () => call(listAccess, { query }),
    // The previous page stays visible while the next one loads.
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
  const isFiltered = actor !== '' || rowId !== ''

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="Who" value={actor} onChoose={(chosen) => void change({ actor: chosen, page: null })}>
          <option value="">Everybody</option>
          {people.map((person) => (
            <option key={person.actor} value={person.actor}>
              {person.name}
            </option>
          ))}
        </Choice>
        {rowId && (
          <p className="py-2 text-sm text-ink">
            Only {entity || 'lead'} #{rowId}
          </p>
        )}
        {isFiltered && (
          <Button variant="ghost" size="small" className="min-h-10" onClick={() => void change(UNFILTERED)}>
            Show all access
          </Button>
        )}
      </div>
      <LoadError fallback="Failed to load the access log" {...{ error, isFetching }} onRetry={() => void refetch()} />
      {(data || !error) && (
        <div className="overflow-hidden rounded-2xl border border-line bg-background">
          <Table
            columns={COLUMNS}
            rows={data?.lines.map((line) => <AccessRow key={line.id} line={line} nameOf={nameOf} />)}
            empty={isFiltered ? 'No access matches.' : 'Nothing has been opened yet.'}
          />
          {data && (
            <Pager
              noun="readings"
              total={data.total}
              page={page}
              pages={Math.max(1, Math.ceil(data.total / ACCESS_LINES_PER_PAGE))}
              onPage={(next) => void change({ page: next })}
            />
          )}
        </div>
      )}
    </div>
  )
}

function AccessRow({ line, nameOf }: { line: AccessLine; nameOf: NameOf }) {
  return (
    <Row>
      <WhenCell line={line} />
      <Cell label="Who" isBare className={`col-span-2 ${DENSE}`}>
        <Actor line={line} />
      </Cell>
      <Cell label="What" isBare className={`col-span-full max-lg:order-first max-lg:text-sm! ${DENSE}`}>
        <p className="text-ink wrap-anywhere">
          {verbOf(line)} {line.count === 1 ? line.entity : countOf(line.count, line.entity)}
          {conditionsIn(line.filter, nameOf)} <RowLinks line={line} />
        </p>
      </Cell>
      <Cell label="From" isBare className={`col-span-2 ${DENSE}`}>
        <span className="mr-2 text-ink wrap-anywhere">{line.ip}</span>
        {line.session_id !== null && <span className="inline-block text-quiet">session #{line.session_id}</span>}
      </Cell>
    </Row>
  )
}

function verbOf({ call, count }: AccessLine): string {
  if (call.endsWith('.csv') || call.endsWith('/file')) return 'downloaded'
  if (call.endsWith('/privacy/find')) return 'looked for a person, and saw'
  return count === 1 && /\/:(id|token)/.test(call) ? 'opened' : 'saw'
}

function RowLinks({ line: { entity, row_ids, count } }: { line: AccessLine }) {
  const shown = row_ids.slice(0, MAX_LINKS)
  return (
    <span className="text-quiet">
      {shown.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          {entity === 'lead' ? (
            <Link
              to={`?${new URLSearchParams({ tab: 'leads', lead: String(id) })}`}
              className="font-semibold text-secondary underline underline-offset-3 hover:text-primary"
            >
              #{id}
            </Link>
          ) : (
            `#${id}`
          )}
        </Fragment>
      ))}
      {count > shown.length && ` and ${formatCount(count - shown.length)} more`}
    </span>
  )
}
