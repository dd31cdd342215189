import { Link } from 'react-router-dom'
import type { AuditLine } from '../../../core/contract/audit-log.ts'
import { actorName } from '../../lib/actors.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { Cell, Row } from '../../ui/table.tsx'
import { ProviderLink } from '../provider-link.tsx'
import type { NameOf } from './condition-words.ts'
import { sentence } from './words.ts'

export const COLUMNS = ['When', 'Who', 'What'] as const

type Line = Pick<AuditLine, 'at' | 'actor' | 'actor_name'>

/** Shows the time of a line and its age. */
export function WhenCell({ line }: { line: Line }) {
  return (
    <Cell label="When">
      <time dateTime={line.at} className="text-ink">
        {formatMoment(line.at)}
      </time>
      <span className="block text-sm text-quiet">{formatSince(line.at)}</span>
    </Cell>
  )
}

/** Shows the name of the person, with the account's e-mail below it. */
export function Actor({ line }: { line: Line }) {
  return (
    <>
      <span className="font-semibold text-ink wrap-anywhere">{actorName(line)}</span>
      {line.actor_name && <span className="block text-sm text-quiet wrap-anywhere">{line.actor}</span>}
    </>
  )
}

const LINK = 'font-semibold text-secondary underline underline-offset-3 hover:text-primary'

export function ActivityLine({ line, nameOf }: { line: AuditLine; nameOf: NameOf }) {
  const { before, row, after } = sentence(line, nameOf)
  // A deleted lead has no name here, and cannot be opened.
  const isLead = line.entity === 'lead' && line.entity_name !== null
  const isProvider = line.entity === 'provider' && line.entity_name !== null

  return (
    <Row>
      <WhenCell line={line} />
      <Cell label="Who">
        <Actor line={line} />
        {line.ip && (
          <span className="block text-sm text-quiet wrap-anywhere">
            {line.ip}
            {line.session_id !== null && `, session #${line.session_id}`}
          </span>
        )}
      </Cell>
      <Cell label="What" className="col-span-2">
        <p className="text-ink wrap-anywhere">
          {before}{' '}
          {row && isLead ? (
            <Link to={`?${new URLSearchParams({ tab: 'leads', lead: line.entity_id })}`} className={LINK}>
              {row}
            </Link>
          ) : row && isProvider ? (
            <ProviderLink id={Number(line.entity_id)} className={LINK}>
              {row}
            </ProviderLink>
          ) : (
            row
          )}{' '}
          {after}
        </p>
      </Cell>
    </Row>
  )
}
