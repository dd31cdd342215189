import * as Menu from '@radix-ui/react-dropdown-menu'
import { Link } from 'react-router-dom'
import type { AttentionKind, AttentionLine } from '../../../core/contract/attention.ts'
import { formatMinute, formatSince, formatSoon, momentOf, weekdayOf } from '../../lib/dates.ts'
import { DAY } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useAccess } from '../access.tsx'
import { useLinkTo } from '../address.ts'
import { LineAction, type LineParts, searchOf } from './line-action.tsx'
import { titleOf, wordsOf } from './words.ts'

type Props = LineParts & {
  line: AttentionLine
  isSnoozing: boolean
  onSnoozing: (isOpen: boolean) => void
  /** Sets the line aside until a time, or until there is news. */
  onMark: (until?: string) => void
  onTakeBack: () => void
}

const QUIET = `${buttonClass({ variant: 'ghost', size: 'small' })} px-2! text-quiet!`

/** Shows one trouble with its one action. The title opens what the line is about. */
export function AttentionRow({ line, isSnoozing, onSnoozing, onMark, onTakeBack, ...rest }: Props) {
  const can = useAccess()
  const title = titleOf(line)
  const isStop = line.kind === 'crm' && line.isStop
  const doneLabel = isStop ? 'Noted by hand' : 'Done'
  const linkTo = useLinkTo()
  const now = useNow()
  return (
    <li
      data-line={line.key}
      className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-1 text-[0.8125rem] leading-5 last:rounded-b-lg focus-within:bg-mist hover:bg-mist lg:min-h-11 lg:flex-nowrap lg:items-center"
    >
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full max-lg:mt-4.5 ${DOTS[line.kind]}`} />
      <div className="min-w-0 flex-1 lg:flex lg:items-baseline lg:gap-3">
        <Link
          to={{ search: searchOf(line, linkTo) }}
          className="block max-w-full shrink-0 truncate py-0.5 font-semibold text-ink hover:text-secondary hover:underline max-lg:py-3 lg:max-w-2/5"
        >
          {title}
        </Link>
        <Words line={line} />
      </div>
      <time
        dateTime={line.since}
        title={formatMinute(line.since)}
        className="shrink-0 text-quiet tabular-nums max-lg:py-3 lg:w-24 lg:text-right"
      >
        {Date.parse(line.since) > 0 && formatSince(line.since, now)}
      </time>
      <div className="flex shrink-0 flex-wrap items-center gap-1.5 max-lg:w-full max-lg:pl-5 lg:w-76 lg:justify-end">
        <LineAction {...{ ...rest, line }} />
        {can('attention.mark') && line.mark === null && (
          <>
            <SnoozeMenu
              label={`Snooze ${title}`}
              isOpen={isSnoozing}
              onOpen={onSnoozing}
              onChoose={onMark}
              className={QUIET}
            />
            <button
              type="button"
              title={`${doneLabel} (e)`}
              aria-label={`${doneLabel}${isStop ? ':' : ' with'} ${title}`}
              onClick={() => onMark()}
              className={QUIET}
            >
              {doneLabel}
            </button>
          </>
        )}
        {line.mark && (
          <span className="text-quiet">
            {line.mark.until ? `Until ${formatSoon(line.mark.until)}` : doneLabel} · {line.mark.by_name ?? line.mark.by}
          </span>
        )}
        {can('attention.mark') && line.mark && (
          <button type="button" onClick={onTakeBack} aria-label={`Bring back ${title}`} className={QUIET}>
            Bring back
          </button>
        )}
      </div>
    </li>
  )
}

const DOTS: Record<AttentionKind, string> = {
  stop: 'bg-bad',
  'not-reached': 'bg-bad',
  'no-answer': 'bg-wait-bright',
  'wrong-number': 'bg-wait-bright',
  unmatched: 'bg-wait-bright',
  paused: 'bg-wait-bright',
  crm: 'bg-bad',
  sync: 'bg-wait-bright',
  activation: 'bg-wait-bright',
  held: 'bg-edge',
  hours: 'bg-edge',
  application: 'bg-edge',
}

/** Shows what is wrong. It is cut off on a wide screen, where the whole text is in its tooltip. */
function Words({ line }: { line: AttentionLine }) {
  const words = wordsOf(line)
  return (
    <p title={words} className="min-w-0 wrap-anywhere text-quiet lg:truncate">
      {words}
    </p>
  )
}

type Choice = { label: string; until: string }

const SATURDAY = 6
const MORNING = 8
const AFTERNOON = 13

/** Returns the times until which a line can be snoozed, in the network's time zone. */
export function snoozeChoices(now = Date.now()): Choice[] {
  const at = (days: number, hour: number) => momentOf(new Date(now + days * DAY).toISOString(), hour)
  const weekday = weekdayOf(new Date(now).toISOString())
  const afternoon = at(0, AFTERNOON)
  return [
    ...(Date.parse(afternoon) > now ? [{ label: 'This afternoon, 1:00 PM', until: afternoon }] : []),
    { label: 'Tomorrow, 8:00 AM', until: at(1, MORNING) },
    // On Sundays that is tomorrow.
    ...(weekday > SATURDAY ? [] : [{ label: 'Next Monday, 8:00 AM', until: at(SATURDAY + 2 - weekday, MORNING) }]),
  ]
}

type SnoozeChoicesProps = {
  label: string
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChoose: (until: string) => void
  className: string
}

/** A button that opens the times until which a line can be snoozed. */
function SnoozeMenu({ label, isOpen, onOpen, onChoose, className }: SnoozeChoicesProps) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpen}>
      <Menu.Trigger aria-label={label} title="Snooze (z)" className={className}>
        Snooze
      </Menu.Trigger>
      <Menu.Content
        align="end"
        sideOffset={4}
        collisionPadding={16}
        className="z-40 grid w-60 rounded-lg border border-line bg-background p-1.5 text-sm text-ink shadow-lg"
      >
        {snoozeChoices().map(({ label, until }) => (
          <Menu.Item
            key={label}
            onSelect={() => onChoose(until)}
            className="flex min-h-9 cursor-pointer items-center rounded-md px-3 outline-none data-highlighted:bg-mist max-lg:min-h-11"
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Content>
    </Menu.Root>
  )
}
