import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import {
  DELETED_EXPORT,
  deleteExport,
  downloadExport,
  type Export,
  listExports,
  MAX_DIRECT_ROWS,
  startExport,
} from '../../core/contract/exports.ts'
import { LeadExportQuery } from '../../core/contract/leads.ts'
import { checkConfirmed } from '../../core/contract/session.ts'
import { act, call, urlOf } from '../lib/call.ts'
import { formatSoon } from '../lib/dates.ts'
import { countOf } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { SpokenProgressBar } from '../ui/progress-bar.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'

/** Tells whether an export of so many leads is prepared by a worker. */
export const isLarge = (total = 0) => total > MAX_DIRECT_ROWS

/** The exports that this page has asked for and that it downloads when they are ready. */
const asked = new Set<string>()

/** Returns a mutation that starts a large export of leads. `ExportNotices` shows the progress and downloads the file. */
export function useStartExport() {
  return useAction({
    act: (query: LeadExportQuery) => call(startExport, { body: query }),
    done: ({ id }) => void asked.add(id),
    failed: 'Failed to export leads',
    changes: 'exports',
  })
}

/** Shows, on every tab, the large exports of this person: their progress, then their files, until they expire. */
export function ExportNotices() {
  const { data } = useQuery({ queryKey: ['exports'], queryFn: readExports })
  return (
    <div className="grid gap-3 not-empty:mb-5 print:hidden">
      {data?.exports.map((each) => (
        <ExportNotice key={each.id} export={each} />
      ))}
    </div>
  )
}

/** Reads the list, and downloads what was asked for and is ready. An export may be ready before its start is answered. */
async function readExports() {
  const list = await call(listExports)
  for (const { id, state } of list.exports) {
    if (state === 'done' && asked.delete(id)) void downloadFile(id)
  }
  return list
}

const downloadFile = (id: string) => download(urlOf(downloadExport, { params: { id } }))

function ExportNotice({ export: shown }: { export: Export }) {
  const { id, state, done, total, query, expires_at } = shown
  const removal = useAction({
    act: () => act(deleteExport, { params: { id } }),
    done: () => {},
    failed: 'Failed to delete the export',
    changes: 'exports',
  })
  const { mutate: start, isPending: isStarting } = useStartExport()
  const remove = (label: string, variant: 'ghost' | 'outline' = 'outline') => (
    <Button variant={variant} size="small" busy={removal.isPending} onClick={() => removal.mutate()}>
      {label}
    </Button>
  )
  const leads = countOf(total, 'lead')
  const which = isFiltered(query) ? `${leads}, as filtered` : leads

  switch (state) {
    case 'running': {
      const doing = `Preparing ${which}`
      const percent = Math.min(99, Math.floor((100 * done) / Math.max(total, 1)))
      return (
        <Card text={`${doing}… ${percent}%`} buttons={remove('Cancel')}>
          <SpokenProgressBar label={doing} value={done} max={total} />
        </Card>
      )
    }
    case 'done':
      return (
        <Card
          role="status"
          text={`Export of ${which}: ready until ${formatSoon(expires_at)}`}
          buttons={
            <>
              <Button variant="outline" size="small" onClick={() => downloadFile(id)}>
                Download
              </Button>
              {remove('Delete file', 'ghost')}
            </>
          }
        />
      )
    case 'failed':
      return (
        <Card
          role="alert"
          text={`Failed to export ${which}: something went wrong on our side.`}
          buttons={
            <>
              <Button
                variant="outline"
                size="small"
                busy={isStarting}
                onClick={() => start(LeadExportQuery.parse(query), { onSuccess: () => removal.mutate() })}
              >
                Try again
              </Button>
              {remove('Close', 'ghost')}
            </>
          }
        />
      )
    case 'erased':
      return <Card role="alert" text={DELETED_EXPORT.erased} buttons={remove('Close')} />
  }
}

const isFiltered = (query: Export['query']) => Object.keys(query ?? {}).some((name) => name !== 'sort')

type CardProps = { text: string; buttons: ReactNode; role?: 'status' | 'alert'; children?: ReactNode }

function Card({ text, buttons, role, children }: CardProps) {
  const isBad = role === 'alert'
  return (
    <section
      aria-label="Export"
      className={`grid gap-2 rounded-2xl border bg-background px-4 py-3 ${isBad ? 'border-bad' : 'border-line'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role={role} className={isBad ? 'text-bad' : 'tabular-nums'}>
          {text}
        </p>
        <div className="flex flex-wrap gap-2">{buttons}</div>
      </div>
      {children}
    </section>
  )
}

/**
 * Downloads a file of the API. Confirms the person's identity first if necessary, because a failed download could not
 * ask for it.
 */
export async function download(url: string): Promise<void> {
  try {
    await call(checkConfirmed)
  } catch (error) {
    const { message } = error as Error
    return toast({ variant: 'destructive', title: 'Failed to download', description: message })
  }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

export function DownloadLink({ href, className, children }: { href: string; className: string; children: ReactNode }) {
  function start(event: MouseEvent) {
    event.preventDefault()
    void download(href)
  }

  return (
    <a href={href} download onClick={start} className={className}>
      {children}
    </a>
  )
}
