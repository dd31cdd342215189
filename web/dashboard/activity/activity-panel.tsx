import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { Fragment, type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import {
  ACCESS_LINES_PER_PAGE,
  type AccessLine,
  type AccessLogQuery,
  AUDIT_LINES_PER_PAGE,
  AuditEntity,
  type AuditLine,
  type AuditLogQuery,
  listAccess,
  listAudit,
} from '../../../core/staff/contract/audit-log.ts'
import { actorName, NOT_ACCOUNTS } from '../../lib/actors.ts'
import { call } from '../../lib/call.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { ChoiceButtons } from '../../ui/tabs.tsx'
import { useAccess } from '../access.tsx'
import { ENTITY_WORDS, factsIn, type NameOf, useNameOf, wordsOf } from '../acts.ts'
import { parseAsPage } from '../address.ts'
import { ProviderLink } from '../provider-link.tsx'
import { useStaff } from '../staff/staff-actions.tsx'

const text = parseAsString.withDefault('')
/** The search parameters of both logs, named as in the API. */
const address = {
  log: parseAsStringLiteral(['access']),
  actor: text,
  entity: text,
  entityId: text,
  rowId: text,
  page: parseAsPage,
}
const UNFILTERED = { actor: null, entity: null, entityId: null, rowId: null, page: null }

export function ActivityPanel() {
  const [{ log }, change] = useQueryStates(address)
  const can = useAccess()
  if (!can('access-log.read')) return <Actions />

  return (
    <div className="grid gap-4">
      <ChoiceButtons
        legend="Which log"
        options={[
          [null, 'Changes'],
          ['access', 'Access'],
        ]}
        chosen={log}
        onChoose={(next) => void change({ ...UNFILTERED, log: next })}
      />
      {log === 'access' ? <Readings /> : <Actions />}
    </div>
  )
}

const FILTERS = ['actor', 'entity', 'entityId'] as const

function Actions() {
  const [chosen, change] = useQueryStates(address)
  const nameOf = useNameOf()
  const { page, actor, entity, entityId } = chosen
  const filter = Object.fromEntries(FILTERS.flatMap((name) => (chosen[name] ? [[name, chosen[name]]] : [])))
  const query = { ...filter, page, limit: AUDIT_LINES_PER_PAGE } as AuditLogQuery
  const log = useLog(['audit-log', query], () => call(listAudit, { query }))
  const isFiltered = Object.keys(filter).length > 0
  const choose = (part: Partial<typeof chosen>) => void change({ ...part, page: null })
  return (
    <Log
      {...log}
      what="activity"
      filters={
        <>
          <Choice
            label="Who"
            first="Everyone"
            words={usePeople(actor, log.data?.lines)}
            value={actor}
            onChoose={(next) => choose({ actor: next })}
          />
          <Choice
            label="Subject"
            first="Everything"
            words={AuditEntity.options.map((each) => [each, ENTITY_WORDS[each]])}
            value={entity}
            onChoose={(next) => choose({ entity: next, entityId: '' })}
          />
          {entityId && <p className="py-2 text-sm text-ink">Only #{entityId}</p>}
        </>
      }
      columns={['When', 'Who', 'What']}
      rows={log.data?.lines.map((line) => <ActRow key={line.id} line={line} nameOf={nameOf} />)}
      empty={isFiltered ? 'No activity matches.' : 'No activity yet.'}
      isFiltered={isFiltered}
      noun="actions"
      perPage={AUDIT_LINES_PER_PAGE}
    />
  )
}

/** Lists the leads and applications that staff have read or downloaded: all of them, or those of a person or a row. */
function Readings() {
  const [{ actor, entity, rowId, page }, change] = useQueryStates(address)
  const nameOf = useNameOf()
  const wanted = { ...(actor && { actor }), ...(rowId && { entity: entity || 'lead', rowId: Number(rowId) }) }
  const query = { ...wanted, page, limit: ACCESS_LINES_PER_PAGE } as AccessLogQuery
  const log = useLog(['access-log', query], () => call(listAccess, { query }))
  const isFiltered = actor !== '' || rowId !== ''
  return (
    <Log
      {...log}
      what="access"
      filters={
        <>
          <Choice
            label="Who"
            first="Everyone"
            words={usePeople(actor)}
            value={actor}
            onChoose={(chosen) => void change({ actor: chosen, page: null })}
          />
          {rowId && (
            <p className="py-2 text-sm text-ink">
              Only {entity || 'lead'} #{rowId}
            </p>
          )}
        </>
      }
      columns={['When', 'Who', 'What']}
      rows={log.data?.lines.map((line) => <ReadingRow key={line.id} line={line} nameOf={nameOf} />)}
      empty={isFiltered ? 'No access matches.' : 'No access yet.'}
      isFiltered={isFiltered}
      noun="readings"
      perPage={ACCESS_LINES_PER_PAGE}
    />
  )
}

function useLog<Page>(queryKey: unknown[], queryFn: () => Promise<Page>) {
  // The previous page stays visible while the next one loads.
  return useQuery({ queryKey, queryFn, placeholderData: keepPreviousData, refetchOnMount: 'always' })
}

type LogProps = {
  what: 'activity' | 'access'
  data: { total: number } | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => void
  filters: ReactNode
  isFiltered: boolean
  columns: string[]
  rows: ReactNode[] | undefined
  empty: string
  noun: string
  perPage: number
}

function Log({ what, data, error, isFetching, refetch, filters, isFiltered, noun, perPage, ...table }: LogProps) {
  const [{ page }, change] = useQueryStates(address)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        {filters}
        {isFiltered && (
          <Button variant="ghost" size="small" className="min-h-10" onClick={() => void change(UNFILTERED)}>
            Show all {what}
          </Button>
        )}
      </div>
      <LoadError
        fallback={`Failed to load the ${what === 'access' ? 'access log' : what}`}
        {...{ error, isFetching }}
        onRetry={refetch}
      />
      {(data || !error) && (
        <div className="overflow-hidden rounded-2xl border border-line bg-background">
          <Table {...table} />
          {data && (
            <Pager
              noun={noun}
              total={data.total}
              page={page}
              pages={Math.max(1, Math.ceil(data.total / perPage))}
              onPage={(next) => void change({ page: next })}
            />
          )}
        </div>
      )}
    </div>
  )
}

type ChoiceProps = {
  label: string
  /** The label of the empty choice. */
  first: string
  words: [value: string, label: string][]
  value: string
  onChoose: (value: string) => void
}

function Choice({ label, first, words, value, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <div className="min-w-0 max-sm:flex-1 max-sm:basis-32">
      <label htmlFor={id} className="block text-sm text-quiet">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className="mt-1 min-h-11 w-full max-w-full lg:min-h-9 rounded-lg border border-edge bg-background px-2 text-sm text-ink hover:border-secondary sm:w-52"
      >
        <option value="">{first}</option>
        {words.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Returns the persons to filter by, each once, by name: the accounts, if the viewer may see them, and those of the current page. */
function usePeople(chosen: string, lines: AuditLine[] = []): [actor: string, name: string][] {
  const { staff: accounts = [] } = useStaff({ enabled: useAccess()('staff.manage') }).data ?? {}
  const names = new Map<string, string>()
  const add = (actor: string, actor_name: string | null) => {
    if (actor && !names.get(actor)) names.set(actor, actorName({ actor, actor_name }))
  }
  for (const { email, name } of accounts) add(email, name)
  for (const { actor, actor_name } of lines) add(actor, actor_name)
  for (const actor of [...NOT_ACCOUNTS, chosen]) add(actor, null)
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
}

/** Makes a line one line high where there is room. */
const DENSE = 'lg:py-1.5! text-[0.8125rem]'
const WHAT = `col-span-full max-lg:order-first max-lg:text-sm! ${DENSE}`
const LINK = 'font-semibold text-secondary underline underline-offset-3 hover:text-primary'

type LineProps = { line: Pick<AuditLine, 'at' | 'actor' | 'actor_name' | 'ip' | 'session_id'> }

/** Shows when a line was written, and the person, with the account's email below the name. */
function WhenAndWho({ line }: LineProps) {
  return (
    <>
      <Cell label="When" isBare className={`col-span-2 whitespace-nowrap ${DENSE}`}>
        <time dateTime={line.at} className="text-ink">
          {formatMoment(line.at)}
        </time>
        <span className="ml-2 text-quiet">{formatSince(line.at)}</span>
      </Cell>
      <Cell label="Who" isBare className={`col-span-2 ${DENSE}`}>
        <span
          title={[line.ip, line.session_id && `session #${line.session_id}`].filter(Boolean).join(', ')}
          className="mr-2 font-semibold text-ink wrap-anywhere"
        >
          {actorName(line)}
        </span>
        {line.actor_name && <span className="inline-block text-quiet wrap-anywhere">{line.actor}</span>}
      </Cell>
    </>
  )
}

function ActRow({ line, nameOf }: { line: AuditLine; nameOf: NameOf }) {
  const { what, row, facts } = wordsOf(line, nameOf)
  const { entity, entity_id, entity_name } = line
  // A deleted lead has no name here, and cannot be opened.
  const isLinked = row !== undefined && entity_name !== null
  return (
    <Row>
      <WhenAndWho line={line} />
      <Cell label="What" isBare className={WHAT}>
        <p className="text-ink wrap-anywhere">
          {what}
          {row && ': '}
          {isLinked && entity === 'lead' ? (
            <LeadLink id={entity_id}>{row}</LeadLink>
          ) : isLinked && entity === 'provider' ? (
            <ProviderLink id={Number(entity_id)} className={LINK}>
              {row}
            </ProviderLink>
          ) : (
            row
          )}
          {facts}
        </p>
      </Cell>
    </Row>
  )
}

function LeadLink({ id, children }: { id: string | number; children: ReactNode }) {
  return (
    <Link to={`?${new URLSearchParams({ tab: 'leads', lead: String(id) })}`} className={LINK}>
      {children}
    </Link>
  )
}

/** The number of rows that a line links to. The others are only counted. */
const MAX_LINKS = 5

function ReadingRow({ line, nameOf }: { line: AccessLine; nameOf: NameOf }) {
  const { entity, row_ids, count, filter } = line
  const shown = row_ids.slice(0, MAX_LINKS)
  return (
    <Row>
      <WhenAndWho line={line} />
      <Cell label="What" isBare className={WHAT}>
        <p className="text-ink wrap-anywhere">
          {verbOf(line)} {count === 1 ? entity : countOf(count, entity)}
          {factsIn(filter, nameOf)}{' '}
          <span className="text-quiet">
            {shown.map((id, index) => (
              <Fragment key={id}>
                {index > 0 && ', '}
                {entity === 'lead' ? <LeadLink id={id}>#{id}</LeadLink> : `#${id}`}
              </Fragment>
            ))}
            {count > shown.length && ` and ${formatCount(count - shown.length)} more`}
          </span>
        </p>
      </Cell>
    </Row>
  )
}

function verbOf({ call, count }: AccessLine): string {
  if (call.endsWith('.csv') || call.endsWith('/file')) return 'downloaded'
  if (call.endsWith('/privacy/find')) return 'searched for a person and saw'
  return count === 1 && /\/:(id|token)/.test(call) ? 'opened' : 'saw'
}
