import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  COST_COLUMNS,
  type CostSummary,
  deleteCosts,
  getCosts,
  MAX_COST_FILE,
  MAX_COST_LINES,
  uploadCosts,
} from '../../../core/contract/marketing-costs.ts'
import { call } from '../../lib/call.ts'
import { formatIsoDay } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf, formatCount, formatDollars } from '../../lib/numbers.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/confirm-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { actRef } from '../commands.ts'

const EXAMPLE = `${COST_COLUMNS.join(',')}
2026-11-02,google,fall-consults,182.40
2026-11-02,microsoft,fall-consults,61.15
2026-11-02,newsletter,,25.00
`

/** Opens the dialog about advertising costs. */
export function CostsButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button ref={actRef('costs')} variant="outline" size="small" className="min-h-10" onClick={() => setOpen(true)}>
        Advertising costs
      </Button>
      {isOpen && <CostsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function CostsDialog({ onClose }: { onClose: () => void }) {
  const stored = useQuery({ queryKey: ['overview', 'costs'], queryFn: () => call(getCosts) })
  const removal = useAction({
    act: () => call(deleteCosts),
    done: 'All advertising costs were deleted.',
    failed: 'Failed to delete the costs',
    changes: 'overview',
  })

  return (
    <Dialog title="Advertising costs" className="w-xl max-w-full p-6" onClose={onClose}>
      <p className="mt-2">
        Upload a CSV file with the columns <code>{COST_COLUMNS.join(', ')}</code>. Source and campaign are those of your
        links (<code>utm_source</code>, <code>utm_campaign</code>), whatever the case; the campaign may be empty. Costs
        are in US dollars. A line replaces the stored one of the same day, source and campaign.
      </p>
      <p className="mt-2">
        <a
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`}
          download="costs-example.csv"
          className="underline decoration-edge underline-offset-3 hover:text-secondary"
        >
          Download an example
        </a>
      </p>
      <Upload />
      <h3 className="mt-6 font-semibold text-ink">Stored</h3>
      <LoadError fallback="Failed to load the stored costs" {...stored} onRetry={stored.refetch} />
      {stored.isPending && <Skeleton className="mt-1 h-6 w-64" />}
      {stored.data && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
          <p>{storedWords(stored.data)}</p>
          {stored.data.lines > 0 && (
            <DeleteButton
              title="Delete all advertising costs?"
              confirmLabel="Delete all"
              busy={removal.isPending}
              onDelete={(options) => removal.mutate(undefined, options)}
            >
              The costs of all days are deleted. You can upload them again.
            </DeleteButton>
          )}
        </div>
      )}
      <div className="mt-6 flex justify-end">
        <Button variant="outline" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

function storedWords({ lines, from, to, totalCents }: CostSummary): string {
  if (from === null || to === null) return 'No costs are stored.'
  return `${formatDollars(totalCents)} in ${countOf(lines, 'line')}, ${formatIsoDay(from)} to ${formatIsoDay(to)}.`
}

/** A field that uploads the chosen file at once, and lists its wrong lines. */
function Upload() {
  const id = useId()
  const client = useQueryClient()
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_COST_FILE) {
        throw new Error(
          `The file is too large: at most ${formatCount(MAX_COST_LINES)} lines and ${formatCount(MAX_COST_FILE)} characters.`,
        )
      }
      return call(uploadCosts, { body: { csv: await file.text() } })
    },
    onSuccess: ({ stored }) => toast({ title: 'Success', description: `${countOf(stored, 'line')} stored.` }),
    onSettled: () => client.invalidateQueries({ queryKey: ['overview'] }),
  })
  const lines = upload.error instanceof HttpError ? Object.entries(upload.error.fields ?? {}) : []

  return (
    <div className="mt-4">
      <label
        htmlFor={id}
        className={`${buttonClass({ size: 'small' })} min-h-10 cursor-pointer focus-within:outline-2`}
      >
        {upload.isPending ? 'Uploading...' : 'Choose a file'}
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          className="sr-only"
          disabled={upload.isPending}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) upload.mutate(file)
            // The same file may be chosen again once it is corrected.
            target.value = ''
          }}
        />
      </label>
      {upload.error && (
        <div role="alert" className="mt-3 text-bad">
          <p>{messageOf(upload.error)}</p>
          {lines.length > 1 && (
            <ul className="mt-1 max-h-40 list-disc overflow-auto pl-5 text-sm">
              {lines.map(([line, message]) => (
                <li key={line}>
                  {line}: {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}

const messageOf = (error: Error) =>
  (error instanceof HttpError && error.sentence) || error.message || 'Failed to upload the costs'
