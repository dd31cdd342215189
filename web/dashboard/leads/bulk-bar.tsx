import { useState } from 'react'
import { MAX_LEADS } from '../../../core/contract/lead-bulk.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { BULK_WORDS, countOf } from './bulk-words.ts'
import type { LeadView } from './lead-view.ts'
import { type Bulk, type BulkRequest, sizeOf } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

const ACTIONS = ['retry-sync', 'retry-email', 'assign-provider', 'release', 'delete'] as const

type Props = {
  selection: Selection
  bulk: Bulk
  view: LeadView
  /** How many match. */
  total: number
  providers: PublicProvider[] | undefined
}

/** What can be done to the leads that are chosen. */
export function BulkBar({ selection, bulk, view, total, providers }: Props) {
  const [asked, setAsked] = useState<BulkRequest>()
  const target = selection.isAll ? { view, total } : { ids: [...selection.ids] }
  const count = sizeOf(target)

  function begin(action: BulkRequest['action']) {
    const request = { action, target }
    const asksFirst = selection.isAll || action === 'assign-provider' || (action === 'delete' && count > 1)
    if (asksFirst) setAsked(request)
    else bulk.start(request)
  }

  return (
    <section
      aria-label="Chosen leads"
      className="sticky bottom-3 z-10 grid gap-2 rounded-2xl border border-edge bg-white p-3 shadow-lg sm:p-4"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="font-semibold text-ink">{selection.isAll ? `All ${countOf(count)}` : countOf(count)} selected</p>
        {!selection.isAll && selection.isPageChosen && total > selection.ids.size && (
          <ChooseAll total={total} selection={selection} />
        )}
        {!selection.isAll && !selection.isPageChosen && (
          <Button variant="ghost" size="small" disabled={bulk.isRunning} onClick={selection.togglePage}>
            Select page
          </Button>
        )}
        <Button variant="ghost" size="small" disabled={bulk.isRunning} onClick={selection.clear} className="ml-auto">
          Clear selection
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        {ACTIONS.map((action) => (
          <Button
            key={action}
            variant={action === 'delete' ? 'quietDanger' : 'outline'}
            size="small"
            disabled={bulk.isRunning}
            onClick={() => begin(action)}
          >
            {BULK_WORDS[action].label}
          </Button>
        ))}
      </div>
      {asked && (
        <BulkDialog request={asked} providers={providers} onConfirm={bulk.start} onClose={() => setAsked(undefined)} />
      )}
    </section>
  )
}

function ChooseAll({ total, selection }: { total: number; selection: Selection }) {
  if (total > MAX_LEADS) {
    return <p className="text-sm text-quiet">To select all of them, look for {formatCount(MAX_LEADS)} or fewer.</p>
  }
  return (
    <Button variant="ghost" size="small" onClick={selection.chooseAll}>
      Select all {formatCount(total)} that match
    </Button>
  )
}
