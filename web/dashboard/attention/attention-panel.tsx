import * as Menu from '@radix-ui/react-dropdown-menu'
import { type ComponentProps, type FocusEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  type Attention,
  CONDITION_IDS,
  type ConditionId,
  type ConditionLine,
  conditionOf,
} from '../../../core/conditions/contract/conditions.ts'
import { formatMinute, formatRecent, formatSince, formatSoon, momentOf, weekdayOf } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks.ts'
import { formatCount } from '../../lib/numbers.ts'
import { DAY } from '../../lib/time.ts'
import { buttonClass, SmallButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { dismissToast, type Toast, toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { useKeys } from '../keys.ts'
import { useUndo } from '../undo.tsx'
import { useAttention, useMarks } from './attention.ts'
import { LineAction } from './line-action.tsx'

/** Shows the tab of what needs attention, by kind, or of what was set aside. */
export function AttentionPanel() {
  const { offer, undo } = useUndo()
  const can = useAccess()
  const [isAside, setAside] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useAttention({ aside: isAside })
  const [snoozing, setSnoozing] = useState<string>()
  const marks = useMarks()
  const onFocus = useFocusAfter(data?.lines)
  /** What `u` undoes, the newest last. */
  const undos = useRef<(() => void)[]>([])

  function mark(line: ConditionLine, until?: string) {
    const { key, version } = line
    const toastId = `aside-${key}-${Date.now()}`
    const takeBack = () => {
      undos.current = undos.current.filter((other) => other !== takeBack)
      dismissToast(toastId)
      marks.takeBack(key)
    }
    undos.current.push(takeBack)
    const showToast = () =>
      offerUndo({
        id: toastId,
        title: until ? `Snoozed until ${formatRecent(until, Date.parse(until))}` : 'Done',
        description: 'It returns at once if there is news.',
        onUndo: takeBack,
      })
    marks.mark({ key, version, until }, { onSuccess: () => undos.current.includes(takeBack) && showToast() })
  }

  useLineKeys({
    e: (key) => {
      const line = data?.lines.find((each) => each.key === key)
      if (line && can('attention.mark') && line.mark === null) mark(line)
    },
    z: (key) => can('attention.mark') && !isAside && setSnoozing(key),
    u: () => undos.current.pop()?.(),
  })

  const groups = CONDITION_IDS.map((kind) => ({
    kind,
    lines: data?.lines.filter((line) => line.kind === kind) ?? [],
  }))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only learns where the focus is
    <div onFocus={onFocus} className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`}>
      <LoadError error={error} fallback="Failed to load what needs attention" {...{ isFetching }} onRetry={refetch} />
      {!data && !error && <Loading />}
      {data?.lines.length === 0 && <Empty isAside={isAside} quietSince={data.quiet_since} />}
      {groups
        .filter(({ lines }) => lines.length > 0)
        .map(({ kind, lines }) => (
          <Group key={kind} kind={kind} lines={lines} total={isAside ? lines.length : (data?.counts[kind] ?? 0)}>
            {lines.map((line) => (
              <AttentionRow
                key={line.key}
                line={line}
                isSnoozing={snoozing === line.key}
                onSnoozing={(isOpen) => setSnoozing(isOpen ? line.key : undefined)}
                onMark={(until) => mark(line, until)}
                onTakeBack={() => {
                  marks.takeBack(line.key)
                }}
                onUndoable={(done) => {
                  undos.current.push(undo)
                  offer(done)
                }}
              />
            ))}
          </Group>
        ))}
      {data && <Foot data={data} isAside={isAside} onToggle={() => setAside(!isAside)} />}
    </div>
  )
}

type GroupProps = { kind: ConditionId; lines: ConditionLine[]; total: number; children: React.ReactNode }

function Group({ kind, lines, total, children }: GroupProps) {
  return (
    <section aria-labelledby={`attention-${kind}`} className="rounded-lg border border-line bg-background">
      <h2
        id={`attention-${kind}`}
        className="flex items-baseline gap-2 border-b border-line px-3 py-2 text-sm font-semibold text-ink"
      >
        {conditionOf(kind).label} <span className="font-normal text-quiet tabular-nums">{formatCount(total)}</span>
      </h2>
      <ul className="divide-y divide-line">{children}</ul>
      {total > lines.length && (
        <p className="border-t border-line px-3 py-2 text-[0.8125rem] text-quiet">
          And {formatCount(total - lines.length)} more, shown when these are done.
        </p>
      )}
    </section>
  )
}

function Empty({ isAside, quietSince }: { isAside: boolean; quietSince: string | null }) {
  return (
    <div className="rounded-lg border border-line bg-background px-4 py-12 text-center">
      <p className="font-semibold text-ink">{isAside ? 'Nothing is snoozed or done.' : 'Nothing needs attention.'}</p>
      {!isAside && quietSince && <p className="mt-1 text-sm text-quiet">Since {formatRecent(quietSince)}.</p>}
    </div>
  )
}

function Foot({ data, isAside, onToggle }: { data: Attention; isAside: boolean; onToggle: () => void }) {
  const can = useAccess()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-[0.8125rem] text-quiet">
      {(data.aside > 0 || isAside) && (
        <SmallButton variant="ghost" className="-ml-2 rounded-lg! max-lg:min-h-11" onClick={onToggle}>
          {isAside ? 'Back to what needs attention' : `Show snoozed and done (${formatCount(data.aside)})`}
        </SmallButton>
      )}
      {data.lines.length > 0 && (
        <p className="max-lg:hidden">
          <Key name="j" /> <Key name="k" /> move, <Key name="Enter" /> opens
          {can('attention.mark') && !isAside && (
            <>
              , <Key name="e" /> done, <Key name="z" /> snooze, <Key name="u" /> undo
            </>
          )}
        </p>
      )}
    </div>
  )
}

const Key = ({ name }: { name: string }) => (
  <kbd className="rounded border border-line bg-background px-1 font-sans text-ink">{name}</kbd>
)

function Loading() {
  return (
    <div className="grid gap-px rounded-lg border border-line bg-background p-3">
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className="my-3 h-5 w-full" />
      ))}
    </div>
  )
}

const linkOf = (key: string | undefined) =>
  key === undefined ? null : document.querySelector<HTMLElement>(`[data-line="${key}"] a`)

/**
 * Moves the focus to the next line when the focused one goes, by whatever act. Returns the function to call when a part of
 * a line gets the focus.
 */
function useFocusAfter(lines: ConditionLine[] | undefined) {
  const focused = useRef<string>(undefined)
  const before = useRef(lines)
  useEffect(() => {
    const at = before.current?.findIndex(({ key }) => key === focused.current) ?? -1
    const isGone = at >= 0 && !lines?.some(({ key }) => key === focused.current)
    if (isGone && document.activeElement === document.body) {
      const rest = lines?.filter(({ key }) => before.current?.some((line) => line.key === key))
      const next = before.current?.slice(at).find(({ key }) => rest?.some((line) => line.key === key)) ?? rest?.at(-1)
      linkOf(next?.key)?.focus()
    }
    before.current = lines
  }, [lines])
  return ({ target }: FocusEvent) => {
    focused.current = target.closest<HTMLElement>('[data-line]')?.dataset.line
  }
}

/** Makes the lines usable by keyboard. `Enter` opens the focused title, because it is a link. */
function useLineKeys({ e, z, u }: { e: (key: string) => void; z: (key: string) => void; u: () => void }): void {
  const last = useRef<string>(undefined)
  const currentOf = ({ target }: KeyboardEvent) =>
    (target as HTMLElement).closest<HTMLElement>('[data-line]')?.dataset.line ?? last.current
  const move = (step: number) => (event: KeyboardEvent) => {
    const keys = [...document.querySelectorAll<HTMLElement>('[data-line]')].map(({ dataset }) => dataset.line)
    const at = keys.indexOf(currentOf(event))
    const next = at < 0 ? keys[0] : keys[at + step]
    last.current = next ?? last.current
    linkOf(next)?.focus()
  }
  const onLine = (act: (key: string) => void) => (event: KeyboardEvent) => {
    const key = currentOf(event)
    if (key !== undefined) act(key)
  }
  useKeys({ j: move(1), k: move(-1), e: onLine(e), z: onLine(z), u })
}

type Undoable = Omit<Toast, 'id' | 'action'> & {
  /** A dismissed toast does not come back under its id, so each has a new one. */
  id?: string
  onUndo: () => void
}

/** Shows a toast with a button that takes back what it tells of. */
function offerUndo({ id = `undo-${Date.now()}`, onUndo, ...rest }: Undoable): void {
  toast({
    ...rest,
    id,
    action: (
      <SmallButton
        className="ml-auto"
        onClick={() => {
          dismissToast(id)
          onUndo()
        }}
      >
        Undo
      </SmallButton>
    ),
  })
}

type Props = ComponentProps<typeof LineAction> & {
  isSnoozing: boolean
  onSnoozing: (isOpen: boolean) => void
  /** Sets the line aside until a time, or until there is news. */
  onMark: (until?: string) => void
  onTakeBack: () => void
}

const QUIET = `${buttonClass({ variant: 'ghost', size: 'small' })} px-2! text-quiet!`

/** Shows one trouble with its one action. The title opens what the line is about. */
export function AttentionRow({ line, isSnoozing, onSnoozing, onMark, onTakeBack, onUndoable }: Props) {
  const can = useAccess()
  const { title, words } = line
  const doneLabel = line.is_by_hand ? 'Noted by hand' : 'Done'
  const now = useNow()
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
        dateTime={line.since}
        title={formatMinute(line.since)}
        className="shrink-0 text-quiet tabular-nums max-lg:py-3 lg:w-24 lg:text-right"
      >
        {formatSince(line.since, now)}
      </time>
      <div className="flex shrink-0 flex-wrap items-center gap-1.5 max-lg:w-full max-lg:pl-5 lg:w-76 lg:justify-end">
        <LineAction {...{ line, onUndoable }} />
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
              aria-label={`${doneLabel}${line.is_by_hand ? ':' : ' with'} ${title}`}
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

const DOTS = { high: 'bg-bad', medium: 'bg-wait-bright', low: 'bg-edge' }

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
