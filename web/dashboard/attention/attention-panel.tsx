import { type FocusEvent, useEffect, useRef, useState } from 'react'
import {
  type Attention,
  CONDITION_IDS,
  type ConditionId,
  type ConditionLine,
  conditionOf,
} from '../../../core/conditions/contract/conditions.ts'
import { DAY } from '../../../core/contract/time.ts'
import { formatRecent } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { dismissToast, toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { useKeys } from '../keys.ts'
import { useUndo } from '../undo.tsx'
import { useAttention, useMarks } from './attention.ts'
import { AttentionRow, QUIET, type RowActs, SnoozeMenu } from './attention-row.tsx'

/** Lines without news for this time are folded. */
const OLD_DAYS = 14

export function AttentionPanel() {
  const { offer, undo } = useUndo()
  const can = useAccess()
  const [isAside, setAside] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useAttention({ aside: isAside })
  const [snoozing, setSnoozing] = useState<string>()
  const { mark, takeBack, undoLast, keepUndo } = useUndoableMarks()
  const onFocus = useFocusAfter(data?.lines)
  const canMark = can('attention.mark') && !isAside
  useLineKeys({
    e: (key) => {
      const line = data?.lines.find((each) => each.key === key)
      if (line && canMark) mark([line])
    },
    z: (key) => canMark && setSnoozing(key),
    u: undoLast,
  })
  const acts: RowActs = {
    snoozing,
    onSnoozing: setSnoozing,
    onMark: mark,
    onTakeBack: takeBack,
    onUndoable(done) {
      keepUndo(undo)
      offer(done)
    },
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only learns where the focus is
    <div onFocus={onFocus} className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`}>
      <LoadError error={error} fallback="Failed to load what needs attention" {...{ isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data?.lines.length === 0 && (
        <div className="rounded-lg border border-line bg-background px-4 py-12 text-center">
          <p className="font-semibold text-ink">
            {isAside ? 'Nothing is snoozed or done.' : 'Nothing needs attention.'}
          </p>
          {data.quiet_since && <p className="mt-1 text-sm text-quiet">Since {formatRecent(data.quiet_since)}.</p>}
        </div>
      )}
      {data &&
        CONDITION_IDS.map((kind) => ({ kind, lines: data.lines.filter((line) => line.kind === kind) }))
          .filter(({ lines }) => lines.length > 0)
          .map(({ kind, lines }) => (
            <Group
              key={kind}
              {...{ kind, lines, acts, canMark }}
              total={isAside ? lines.length : (data.counts[kind] ?? 0)}
              folds={!isAside}
            />
          ))}
      {data && <Foot {...{ data, isAside, canMark }} onToggle={() => setAside(!isAside)} />}
    </div>
  )
}

function useUndoableMarks() {
  const marks = useMarks()
  /** The newest last. */
  const undos = useRef<(() => void)[]>([])
  const keepUndo = (undo: () => void) => void undos.current.push(undo)

  function mark(lines: ConditionLine[], until?: string) {
    // A dismissed toast does not come back under its id, so each has a new one.
    const id = `aside-${lines[0]?.key}-${Date.now()}`
    const undo = () => {
      undos.current = undos.current.filter((other) => other !== undo)
      dismissToast(id)
      marks.takeBack(lines)
    }
    keepUndo(undo)
    const what = lines.length > 1 ? `${countOf(lines.length, 'line')} ` : ''
    const verb = until ? `snoozed until ${formatRecent(until, Date.parse(until))}` : 'done'
    const showToast = () =>
      toast({
        id,
        title: what ? `${what}${verb}` : verb.replace(/^./, (first) => first.toUpperCase()),
        description: `${what ? 'Each' : 'It'} returns at once if there is news.`,
        action: (
          <SmallButton className="ml-auto" onClick={undo}>
            Undo
          </SmallButton>
        ),
      })
    marks.mark({ lines, until }, { onSuccess: () => undos.current.includes(undo) && showToast() })
  }
  return { mark, takeBack: marks.takeBack, keepUndo, undoLast: () => undos.current.pop()?.() }
}

type GroupProps = {
  kind: ConditionId
  /** The newest first. */
  lines: ConditionLine[]
  /** The number of all, of which the newest are shown. */
  total: number
  acts: RowActs
  canMark: boolean
  folds: boolean
}

function Group({ kind, lines, total, acts, canMark, folds }: GroupProps) {
  const [isOpen, setOpen] = useState(false)
  const since = Date.now() - OLD_DAYS * DAY
  const fresh = folds ? lines.filter(({ version }) => version >= since) : lines
  const old = lines.slice(fresh.length)
  const hidden = total - lines.length
  const rows = (of: ConditionLine[]) => (
    <ul className="divide-y divide-line">
      {of.map((line) => (
        <AttentionRow key={line.key} line={line} {...acts} />
      ))}
    </ul>
  )
  const { label } = conditionOf(kind)
  return (
    <section aria-labelledby={`attention-${kind}`} className="rounded-lg border border-line bg-background">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3 py-1 last:border-0">
        <h2 id={`attention-${kind}`} className="mr-auto text-sm font-semibold text-ink">
          {label} <span className="font-normal text-quiet tabular-nums">{formatCount(total)}</span>
        </h2>
        {canMark && <GroupActs {...{ lines, acts, label }} />}
      </div>
      {rows(fresh)}
      {old.length > 0 && (
        <>
          <div className="flex min-h-10 flex-wrap items-center gap-2 border-line px-3 py-1 not-first:border-t last:border-b-0">
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="mr-auto flex items-center gap-2 rounded py-1 text-[0.8125rem] text-quiet hover:text-ink max-lg:min-h-11"
            >
              <span aria-hidden="true" className={`transition-transform ${isOpen ? 'rotate-90' : ''}`}>
                ›
              </span>
              Older than {OLD_DAYS} days ({formatCount(old.length + hidden)})
            </button>
            {canMark && fresh.length > 0 && <GroupActs lines={old} acts={acts} label={`${label}, older`} />}
          </div>
          {isOpen && rows(old)}
        </>
      )}
      {hidden > 0 && (
        <p className="border-t border-line px-3 py-2 text-[0.8125rem] text-quiet">
          And {formatCount(hidden)} more, shown when these are done.
        </p>
      )}
    </section>
  )
}

/** Sets several lines aside at once. What must be noted elsewhere by hand stays. */
function GroupActs({ lines, acts, label }: { lines: ConditionLine[]; acts: RowActs; label: string }) {
  const [isOpen, setOpen] = useState(false)
  const marked = lines.filter((line) => !line.is_by_hand)
  if (marked.length < 2) return null
  return (
    <>
      <SnoozeMenu
        label={`Snooze all: ${label}`}
        isOpen={isOpen}
        onOpen={setOpen}
        onChoose={(until) => acts.onMark(marked, until)}
      >
        Snooze all
      </SnoozeMenu>
      <button type="button" aria-label={`Done all: ${label}`} onClick={() => acts.onMark(marked)} className={QUIET}>
        Done all
      </button>
    </>
  )
}

type FootProps = { data: Attention; isAside: boolean; canMark: boolean; onToggle: () => void }

function Foot({ data, isAside, canMark, onToggle }: FootProps) {
  const keys = ['j', 'k', 'Enter', ...(canMark ? ['e', 'z', 'u'] : [])]
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-[0.8125rem] text-quiet">
      {(data.aside > 0 || isAside) && (
        <SmallButton variant="ghost" className="-ml-2 rounded-lg! max-lg:min-h-11" onClick={onToggle}>
          {isAside ? 'Back to what needs attention' : `Show snoozed and done (${formatCount(data.aside)})`}
        </SmallButton>
      )}
      {data.lines.length > 0 && (
        <p className="flex gap-3 max-lg:hidden">
          {keys.map((key) => (
            <span key={key}>
              <kbd className="rounded border border-line bg-background px-1 font-sans text-ink">{key}</kbd> {DOES[key]}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

const DOES: Record<string, string> = {
  ...{ j: 'next', k: 'previous', Enter: 'open' },
  ...{ e: 'done', z: 'snooze', u: 'undo' },
}

const linkOf = (key: string | undefined) =>
  key === undefined ? null : document.querySelector<HTMLElement>(`[data-line="${key}"] a`)

/** Moves the focus to the next line when the focused one goes. Returns the handler of a focus within the lines. */
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
