import { type FocusEvent, useEffect, useRef, useState } from 'react'
import {
  ATTENTION_KINDS,
  ATTENTION_WORDS,
  type Attention,
  type AttentionKind,
  type AttentionLine,
} from '../../../core/contract/attention.ts'
import { formatRecent } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { dismissToast } from '../../ui/toast.ts'
import { offerUndo } from '../../ui/undo-toast.tsx'
import { useAccess } from '../access.tsx'
import { useKeys } from '../keys.ts'
import { useUndo } from '../undo.tsx'
import { useAttention, useMarks } from './attention.ts'
import { AttentionRow } from './attention-line.tsx'
import type { LineParts } from './line-action.tsx'

/** Shows the tab of what needs attention, by kind, or of what was set aside. */
export function AttentionPanel({ onMatch, ...rest }: Omit<LineParts, 'onUndoable'>) {
  const { offer, undo } = useUndo()
  const can = useAccess()
  const [isAside, setAside] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useAttention({ aside: isAside })
  const [snoozing, setSnoozing] = useState<string>()
  const marks = useMarks()
  const onFocus = useFocusAfter(data?.lines)
  /** What `u` undoes, the newest last. */
  const undos = useRef<(() => void)[]>([])

  function mark(line: AttentionLine, until?: string) {
    const { key, version } = line
    const toastId = `aside-${key}-${Date.now()}`
    const takeBack = () => {
      undos.current = undos.current.filter((other) => other !== takeBack)
      dismissToast(toastId)
      marks.takeBack(key)
    }
    undos.current.push(takeBack)
    const tell = () =>
      offerUndo({
        id: toastId,
        title: until ? `Snoozed until ${formatRecent(until, Date.parse(until))}` : 'Done',
        description: 'It returns at once if there is news.',
        onUndo: takeBack,
      })
    marks.mark({ key, version, until }, { onSuccess: () => undos.current.includes(takeBack) && tell() })
  }

  useLineKeys({
    e: (key) => {
      const line = data?.lines.find((each) => each.key === key)
      if (line && can('attention.mark') && line.mark === null) mark(line)
    },
    z: (key) => can('attention.mark') && !isAside && setSnoozing(key),
    u: () => undos.current.pop()?.(),
  })

  const groups = ATTENTION_KINDS.map((kind) => ({
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
                {...{ ...rest, line }}
                isSnoozing={snoozing === line.key}
                onSnoozing={(isOpen) => setSnoozing(isOpen ? line.key : undefined)}
                onMark={(until) => mark(line, until)}
                onTakeBack={() => {
                  marks.takeBack(line.key)
                }}
                onMatch={(leadId) => {
                  undos.current.push(undo)
                  onMatch(leadId)
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

type GroupProps = { kind: AttentionKind; lines: AttentionLine[]; total: number; children: React.ReactNode }

function Group({ kind, lines, total, children }: GroupProps) {
  return (
    <section aria-labelledby={`attention-${kind}`} className="rounded-lg border border-line bg-background">
      <h2
        id={`attention-${kind}`}
        className="flex items-baseline gap-2 border-b border-line px-3 py-2 text-sm font-semibold text-ink"
      >
        {ATTENTION_WORDS[kind]} <span className="font-normal text-quiet tabular-nums">{formatCount(total)}</span>
      </h2>
      <ul className="divide-y divide-line">{children}</ul>
      {total > lines.length && (
        <p className="border-t border-line px-3 py-2 text-[0.8125rem] text-quiet">
          And {formatCount(total - lines.length)} more, which follow when these are done.
        </p>
      )}
    </section>
  )
}

function Empty({ isAside, quietSince }: { isAside: boolean; quietSince: string | null }) {
  return (
    <div className="rounded-lg border border-line bg-background px-4 py-12 text-center">
      <p className="font-semibold text-ink">{isAside ? 'Nothing is set aside.' : 'Nothing needs attention.'}</p>
      {!isAside && quietSince && <p className="mt-1 text-sm text-quiet">Since {formatRecent(quietSince)}.</p>}
    </div>
  )
}

function Foot({ data, isAside, onToggle }: { data: Attention; isAside: boolean; onToggle: () => void }) {
  const can = useAccess()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-[0.8125rem] text-quiet">
      {(data.aside > 0 || isAside) && (
        <Button variant="ghost" size="small" className="-ml-2 rounded-lg! max-lg:min-h-11" onClick={onToggle}>
          {isAside ? 'Back to what needs attention' : `Show what was set aside (${formatCount(data.aside)})`}
        </Button>
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
function useFocusAfter(lines: AttentionLine[] | undefined) {
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
