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

/** Makes a line one line high where there is room. */
export const DENSE = 'lg:py-1.5! text-[0.8125rem]'
/** What stands beside a name: below it where it has no room. */
const BESIDE = 'inline-block text-quiet wrap-anywhere'

/** Shows the time of a line and its age. */
export function WhenCell({ line }: { line: Line }) {
  return (
    <Cell label="When" isBare className={`col-span-2 whitespace-nowrap ${DENSE}`}>
      <time dateTime={line.at} className="text-ink">
        {formatMoment(line.at)}
      </time>
      <span className="ml-2 text-quiet">{formatSince(line.at)}</span>
    </Cell>
  )
}

/** Shows the name of the person, with the account's e-mail below it. */
export function Actor({ line }: { line: Line }) {
  return (
    <>
      <span className="mr-2 font-semibold text-ink wrap-anywhere">{actorName(line)}</span>
      {line.actor_name && <span className={`${BESIDE} mr-2`}>{line.actor}</span>}
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
      <Cell label="Who" isBare className={`col-span-2 ${DENSE}`}>
        <Actor line={line} />
        {line.ip && (
          <span className={BESIDE}>
            {line.ip}
            {line.session_id !== null && `, session #${line.session_id}`}
          </span>
        )}
      </Cell>
      <Cell label="What" isBare className={`col-span-full max-lg:order-first max-lg:text-sm! ${DENSE}`}>
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
