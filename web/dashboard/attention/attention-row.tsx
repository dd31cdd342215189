import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { type ConditionLine, conditionOf, MAX_SNOOZE_DAYS } from '../../../core/conditions/contract/conditions.ts'
import { HOUR } from '../../../core/contract/time.ts'
import { changeLeadWork } from '../../../core/leads/contract/lead-changes.ts'
import { act } from '../../lib/call.ts'
import { formatMinute, formatSince, formatSoon, hourOfDay, isoDayOf, momentOfInput } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/confirm.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { useFilterValues } from '../leads/lead-work.tsx'
import type { Undoable } from '../undo.tsx'
import { Call, LineAction } from './line-action.tsx'

export type RowActs = {
  /** The key of the line whose times to snooze are open. */
  snoozing: string | undefined
  onSnoozing: (key: string | undefined) => void
  /** Sets lines aside until a time, or until there is news. */
  onMark: (lines: ConditionLine[], until?: string) => void
  onTakeBack: (lines: ConditionLine[]) => void
  onUndoable: (done: Undoable) => void
}

export const QUIET = `${buttonClass({ variant: 'ghost', size: 'small' })} px-2! text-quiet!`
const DOTS = { high: 'bg-bad', medium: 'bg-wait-bright', low: 'bg-edge' }

export function AttentionRow({ line, ...acts }: { line: ConditionLine } & RowActs) {
  const now = useNow()
  const { title, words, since, version, clinic } = line
  const newest = new Date(version).toISOString()
  const oldest = since < newest ? `, the oldest ${formatSince(since, now)}` : ''
  return (
    <li
      data-line={line.key}
      className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-1 text-[0.8125rem] leading-5 last:rounded-b-lg focus-within:bg-mist hover:bg-mist lg:min-h-11 lg:flex-nowrap lg:items-center"
    >
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full max-lg:mt-4.5 ${DOTS[conditionOf(line.kind).severity]}`}
      />
      <div className="min-w-0 flex-1 lg:flex lg:items-baseline lg:gap-3">
        <Link
          to={{ search: line.search }}
          className="block max-w-full shrink-0 truncate py-0.5 font-semibold text-ink hover:text-secondary hover:underline max-lg:py-3 lg:max-w-2/5"
        >
          {title}
        </Link>
        <p title={words} className="min-w-0 wrap-anywhere text-quiet lg:truncate">
          {words}
        </p>
      </div>
      <time
        dateTime={newest}
        title={`${formatMinute(newest)}${oldest}`}
        className="shrink-0 text-quiet tabular-nums max-lg:py-3 lg:order-1 lg:w-24 lg:text-right"
      >
        {formatSince(newest, now)}
      </time>
      <div className="flex shrink-0 flex-wrap items-center gap-1.5 max-lg:w-full max-lg:pl-5 lg:contents">
        {line.leadId !== undefined && line.owner !== undefined && <Owner line={line} leadId={line.leadId} />}
        <span className="shrink-0 empty:hidden lg:order-2 lg:w-12 lg:text-center">
          {clinic && <Call {...clinic} />}
        </span>
        <div className="flex flex-wrap items-center gap-1.5 lg:order-3 lg:w-84 lg:flex-nowrap lg:justify-end">
          <LineAction line={line} onUndoable={acts.onUndoable} />
          <MarkActs line={line} {...acts} />
        </div>
      </div>
    </li>
  )
}

function MarkActs({ line, snoozing, onSnoozing, onMark, onTakeBack }: { line: ConditionLine } & RowActs) {
  const can = useAccess()('attention.mark')
  const { title, mark } = line
  const doneLabel = line.is_by_hand ? 'Noted by hand' : line.no_provider_near ? 'Close' : 'Done'
  if (mark) {
    return (
      <>
        <span className="text-quiet">
          {mark.until ? `Until ${formatSoon(mark.until)}` : doneLabel} · {mark.by_name ?? mark.by}
        </span>
        {can && (
          <button type="button" onClick={() => onTakeBack([line])} aria-label={`Bring back ${title}`} className={QUIET}>
            Bring back
          </button>
        )}
      </>
    )
  }
  if (!can) return null
  return (
    <>
      <SnoozeMenu
        label={`Snooze ${title}`}
        isOpen={snoozing === line.key}
        onOpen={(isOpen) => onSnoozing(isOpen ? line.key : undefined)}
        onChoose={(until) => onMark([line], until)}
      >
        Snooze
      </SnoozeMenu>
      <button
        type="button"
        title={`${doneLabel === 'Done' ? 'Done until there is news' : doneLabel} (e)`}
        aria-label={`${doneLabel}${doneLabel === 'Done' ? ' with' : ':'} ${title}`}
        onClick={() => onMark([line])}
        className={QUIET}
      >
        {doneLabel}
      </button>
    </>
  )
}

function Owner({ line: { title, owner }, leadId }: { line: ConditionLine; leadId: number }) {
  const can = useAccess()
  const colleagues = useFilterValues().data?.staff ?? []
  const change = useAction({
    act: (owner_id: number | null) => act(changeLeadWork, { params: { id: leadId }, body: { owner_id } }),
    failed: 'Failed to change the owner',
    changes: 'attention',
  })
  const shown = owner?.name ?? 'No owner'
  const className = 'min-w-0 truncate lg:w-26'
  if (!can('lead.work') || colleagues.length === 0) {
    return owner && <span className={`text-quiet ${className}`}>{shown}</span>
  }
  return (
    <Menu
      button={{
        'aria-label': `Owner of ${title}: ${shown}`,
        disabled: change.isPending,
        className: `min-h-6 rounded px-1.5 text-left hover:bg-background max-lg:min-h-11 ${owner ? 'text-ink' : 'text-quiet'} ${className}`,
        children: shown,
      }}
    >
      {colleagues.map(({ id, name }) => (
        <MenuItem key={id} onChoose={() => change.mutate(id)}>
          {name}
        </MenuItem>
      ))}
      {owner && <MenuItem onChoose={() => change.mutate(null)}>Nobody</MenuItem>}
    </Menu>
  )
}

const MORNING = 8

type SnoozeProps = {
  label: string
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChoose: (until: string) => void
  children: ReactNode
}

/** A button that opens the times until which lines can be snoozed, in the network's time zone. */
export function SnoozeMenu({ label, isOpen, onOpen, onChoose, children }: SnoozeProps) {
  const [isPicking, setPicking] = useState(false)
  return (
    <>
      <Menu
        open={isOpen}
        onOpenChange={onOpen}
        button={{ 'aria-label': label, title: 'Snooze (z)', className: QUIET, children }}
      >
        <MenuItem onChoose={() => onChoose(new Date(Date.now() + 2 * HOUR).toISOString())}>For 2 hours</MenuItem>
        <MenuItem onChoose={() => onChoose(hourOfDay(1, MORNING))}>Tomorrow, 8:00 AM</MenuItem>
        <MenuItem onChoose={() => setPicking(true)}>Pick a day...</MenuItem>
      </Menu>
      {isPicking && <DayDialog onChoose={onChoose} onClose={() => setPicking(false)} />}
    </>
  )
}

function DayDialog({ onChoose, onClose }: Pick<SnoozeProps, 'onChoose'> & { onClose: () => void }) {
  const [first, last] = [isoDayOf(hourOfDay(1, MORNING)), isoDayOf(hourOfDay(MAX_SNOOZE_DAYS, MORNING))]
  const [day, setDay] = useState(first)
  const isValid = day >= first && day <= last
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isValid) return
    onClose()
    onChoose(momentOfInput(`${day}T0${MORNING}:00`))
  }
  return (
    <FormDialog title="Snooze until a day" className="w-sm" submit="Snooze" onSubmit={submit} onClose={onClose}>
      <TextField
        label="Day, at 8:00 AM"
        type="date"
        min={first}
        max={last}
        value={day}
        error={isValid ? undefined : `Choose a day within the next ${MAX_SNOOZE_DAYS} days`}
        onChange={({ target }) => setDay(target.value)}
      />
    </FormDialog>
  )
}
