import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import {
  type AccessLine,
  type AccessLogQuery,
  AUDIT_LINES_PER_PAGE,
  AuditEntity,
  type AuditLine,
  type AuditLogQuery,
  ENTITY_WORDS,
  listAccess,
  listAudit,
} from '../../../core/staff/contract/audit-log.ts'
import { actorName, NOT_ACCOUNTS } from '../../lib/actors.ts'
import { call } from '../../lib/call.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { SelectField } from '../../ui/saved-select.tsx'
import { Cell, LoadedTable, Row } from '../../ui/table.tsx'
import { ChoiceButtons } from '../../ui/tabs.tsx'
import { useAccess, useStaff } from '../access.tsx'
import { factsIn, type NameOf, useNameOf, wordsOf } from '../acts.ts'
import { parseAsPage } from '../address.ts'
import { ProviderLink } from '../provider-link.tsx'

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

/** One function: both logs are one list with the same filters. */
export function ActivityPanel() {
  const [{ log, ...chosen }, change] = useQueryStates(address)
  const can = useAccess()
  const nameOf = useNameOf()
  const isAccess = log === 'access' && can('access-log.read')
  const { page, actor, entity, entityId, rowId } = chosen
  const filter = isAccess
    ? { actor, ...(rowId && { entity: entity || 'lead', rowId: Number(rowId) }) }
    : { actor, entity, entityId }
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  const query = { ...given, page, limit: AUDIT_LINES_PER_PAGE }
  const lines = useLog(isAccess, query)
  const people = usePeople(actor, isAccess ? [] : lines.data?.lines)
  const isFiltered = Object.keys(given).length > 0
  const what = isAccess ? 'access' : 'activity'
  return (
    <div className="grid gap-4">
      {can('access-log.read') && (
        <ChoiceButtons
          legend="Which log"
          options={[
            [null, 'Changes'],
            ['access', 'Access'],
          ]}
          chosen={log}
          onChoose={(next) => void change({ ...UNFILTERED, log: next })}
        />
      )}
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Who"
          words={[['', 'Everyone'], ...people]}
          value={actor}
          onChoose={(next) => void change({ actor: next, page: null })}
        />
        {!isAccess && (
          <SelectField
            label="Subject"
            words={[['', 'Everything'], ...AuditEntity.options.map((each) => [each, ENTITY_WORDS[each]] as const)]}
            value={entity}
            onChoose={(next) => void change({ entity: next, entityId: null, page: null })}
          />
        )}
        {(isAccess ? rowId : entityId) && (
          <p className="py-2 text-sm text-ink">
            {isAccess ? `Only ${entity || 'lead'} #${rowId}` : `Only #${entityId}`}
          </p>
        )}
        {isFiltered && (
          <SmallButton variant="ghost" className="min-h-10" onClick={() => void change(UNFILTERED)}>
            Show all {what}
          </SmallButton>
        )}
      </div>
      <LoadedTable
        of={lines}
        fallback={`Failed to load the ${isAccess ? 'access log' : what}`}
        columns={['When', 'Who', 'What']}
        rows={(data) =>
          data.lines.map((line) => (
            <LineRow key={`${what} ${line.id}`} line={line}>
              {'row_ids' in line ? <Reading line={line} nameOf={nameOf} /> : <Act line={line} nameOf={nameOf} />}
            </LineRow>
          ))
        }
        empty={isFiltered ? `No ${what} matches.` : `No ${what} yet.`}
        pages={{
          noun: isAccess ? 'readings' : 'actions',
          perPage: AUDIT_LINES_PER_PAGE,
          page,
          onPage: (next, options) => void change({ page: next }, options),
        }}
      />
    </div>
  )
}

function useLog(isAccess: boolean, query: object) {
  return useQuery({
    queryKey: [isAccess ? 'access-log' : 'audit-log', query],
    queryFn: (): Promise<{ lines: (AuditLine | AccessLine)[]; total: number }> =>
      isAccess
        ? call(listAccess, { query: query as AccessLogQuery })
        : call(listAudit, { query: query as AuditLogQuery }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

/** Returns the persons to filter by, each once, by name: the accounts, if the viewer may see them, and those of the current page. */
function usePeople(chosen: string, lines: (AuditLine | AccessLine)[] = []): [actor: string, name: string][] {
  const { staff: accounts = [] } = useStaff().data ?? {}
  const names = new Map<string, string>()
  const add = (actor: string, actor_name: string | null) => {
    if (actor && !names.get(actor)) names.set(actor, actorName({ actor, actor_name }))
  }
  for (const { email, name } of accounts) add(email, name)
  for (const { actor, actor_name } of lines) add(actor, actor_name)
  for (const actor of [...NOT_ACCOUNTS, chosen]) add(actor, null)
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
}

const DENSE = 'lg:py-1.5! text-[0.8125rem]'
const LINK = 'font-semibold text-secondary underline underline-offset-3 hover:text-primary'

function LineRow({ line, children }: { line: AuditLine | AccessLine; children: ReactNode }) {
  return (
    <Row>
      <Cell label="When" isBare className={`col-span-2 whitespace-nowrap ${DENSE}`}>
        <time dateTime={line.at} className="text-ink">
          {formatMoment(line.at)}
        </time>
        <span className="ml-2 text-quiet">{formatSince(line.at)}</span>
      </Cell>
      <Cell label="Who" isBare className={`col-span-2 lg:min-w-28 ${DENSE}`}>
        <span
          title={[line.ip, line.session_id && `session #${line.session_id}`].filter(Boolean).join(', ')}
          className="mr-2 font-semibold text-ink wrap-anywhere"
        >
          {actorName(line)}
        </span>
        {line.actor_name && <span className="inline-block text-quiet wrap-anywhere">{line.actor}</span>}
      </Cell>
      <Cell label="What" isBare className={`col-span-full max-lg:order-first max-lg:text-sm! ${DENSE}`}>
        <p className="text-ink wrap-anywhere">{children}</p>
      </Cell>
    </Row>
  )
}

function Act({ line, nameOf }: { line: AuditLine; nameOf: NameOf }) {
  const { what, row, facts } = wordsOf(line, nameOf)
  const { entity, entity_id, entity_name } = line
  // A deleted lead has no name here, and cannot be opened.
  const isLinked = row !== undefined && entity_name !== null
  return (
    <>
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
    </>
  )
}

function LeadLink({ id, children }: { id: string | number; children: ReactNode }) {
  return (
    <Link to={`?${new URLSearchParams({ tab: 'leads', lead: String(id) })}`} className={LINK}>
      {children}
    </Link>
  )
}

const MAX_LINKS = 5

function Reading({ line, nameOf }: { line: AccessLine; nameOf: NameOf }) {
  const { entity, row_ids, count, filter } = line
  const shown = row_ids.slice(0, MAX_LINKS)
  return (
    <>
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
    </>
  )
}

function verbOf({ call, count }: AccessLine): string {
  if (call.endsWith('.csv') || call.endsWith('/file')) return 'downloaded'
  if (call.endsWith('/privacy/find')) return 'searched for a person and saw'
  return count === 1 && /\/:(id|token)/.test(call) ? 'opened' : 'saw'
}
