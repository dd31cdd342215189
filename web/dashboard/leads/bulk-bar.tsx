import { useMemo, useState } from 'react'
import { UNDO_SECONDS } from '../../../core/leads/contract/lead-changes.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { MAX_LEADS } from '../../../core/staff/contract/bulk.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { createSearch } from '../address.ts'
import { useKeys } from '../keys.ts'
import { type PickedProvider, ProviderPicker, practiceOf } from '../provider-picker.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import { OutcomeDialog } from './outcome-dialog.tsx'
import type { Selection } from './row-keys.ts'
import { BULK_BAR_ID } from './row-keys.ts'
import { BULK_WORDS, type BulkRequest, type BulkRun, canBeUndone, sizeOf } from './use-bulk.ts'
import type { LeadView } from './use-leads-page.ts'

/** The actions that ask first, also for one lead. */
const ASKS_FIRST = new Set<BulkRequest['action']>(['assign-provider', 'record-outcome', 'pass-on'])
const ACTIONS = [
  'retry-sync',
  'retry-email',
  'assign-provider',
  'pass-on',
  'record-outcome',
  'release',
  'delete',
] as const

/** The actions that have a key: those that ask first or can be undone. */
const ACTION_KEYS: Partial<Record<(typeof ACTIONS)[number], string>> = {
  'assign-provider': 'm',
  'record-outcome': 's',
  delete: '#',
}

type Props = {
  selection: Selection
  bulk: BulkRun
  view: LeadView
  /** The number of leads that match the filter. */
  total: number
  /** Whether one of the leads may be held. */
  mayHold: boolean
}

/** Shows the actions for the selected leads, over the end of the page. It stands before the table in the order of focus. */
export function BulkBar({ selection, bulk, view, total, mayHold }: Props) {
  const [asked, setAsked] = useState<BulkRequest>()
  const target = selection.isAll ? { view, total } : { ids: [...selection.ids] }
  const count = sizeOf(target)
  const leads = countOf(count, 'lead')

  function begin(action: BulkRequest['action']) {
    const request = { action, target }
    const asksFirst = selection.isAll || ASKS_FIRST.has(action) || (action === 'delete' && count > 1)
    if (asksFirst) setAsked(request)
    else bulk.start(request)
  }

  useKeys(
    Object.fromEntries(
      ACTIONS.flatMap((action) => {
        const key = ACTION_KEYS[action]
        return key ? [[key, () => (bulk.isRunning ? false : begin(action))]] : []
      }),
    ),
  )

  return (
    <section
      aria-label="Chosen leads"
      className="fixed inset-x-3 bottom-3 z-20 max-lg:bottom-17 mx-auto grid w-fit max-w-[calc(100vw-1.5rem)] gap-2 rounded-2xl border border-edge bg-background p-2 shadow-lg"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1 text-sm">
        <p className="font-semibold text-ink">{selection.isAll ? `All ${leads}` : leads} selected</p>
        {!selection.isAll && selection.isPageChosen && total > selection.ids.size && (
          <ChooseAll total={total} selection={selection} />
        )}
        {!selection.isAll && !selection.isPageChosen && (
          <SmallButton variant="ghost" disabled={bulk.isRunning} onClick={selection.togglePage}>
            Select page
          </SmallButton>
        )}
        <SmallButton variant="ghost" disabled={bulk.isRunning} onClick={selection.clear} className="ml-auto">
          Clear selection
        </SmallButton>
      </div>
      <div id={BULK_BAR_ID} className="flex gap-1.5 overflow-x-auto">
        {ACTIONS.filter((action) => action !== 'release' || mayHold).map((action) => (
          <SmallButton
            key={action}
            variant={action === 'delete' ? 'quietDanger' : 'outline'}
            disabled={bulk.isRunning}
            onClick={() => begin(action)}
          >
            {BULK_WORDS[action].label}
          </SmallButton>
        ))}
      </div>
      {asked?.action === 'record-outcome' && (
        <OutcomeDialog
          title={`Record an outcome of ${countOf(sizeOf(asked.target), 'lead')}`}
          onSubmit={(outcome) => {
            bulk.start({ ...asked, outcome })
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked && asked.action !== 'record-outcome' && (
        <BulkDialog request={asked} onConfirm={bulk.start} onClose={() => setAsked(undefined)} />
      )}
    </section>
  )
}

function ChooseAll({ total, selection }: { total: number; selection: Selection }) {
  if (total > MAX_LEADS) {
    return <p className="text-sm text-quiet">To select all, narrow the list to {formatCount(MAX_LEADS)} or fewer.</p>
  }
  return (
    <SmallButton variant="ghost" onClick={selection.chooseAll}>
      Select all {formatCount(total)} that match
    </SmallButton>
  )
}

type BulkDialogProps = {
  request: BulkRequest
  onConfirm: (request: BulkRequest) => void
  onClose: () => void
}

/** Asks for confirmation of a bulk action and, for matching, for the provider. */
function BulkDialog({ request, onConfirm, onClose }: BulkDialogProps) {
  const [chosen, setChosen] = useState<PickedProvider>()
  const [search, setSearch] = useState('')
  const found = useFound(search)
  const { action, target } = request
  const leads = countOf(sizeOf(target), 'lead')
  const isMatch = action === 'assign-provider'
  const verb = isMatch
    ? `Match ${leads}`
    : `${BULK_WORDS[action].label}${action.startsWith('retry') ? ' of' : ''} ${leads}`

  function confirm() {
    onConfirm({ ...request, providerId: chosen?.id })
    onClose()
  }

  return (
    <ConfirmDialog
      title={isMatch ? `${verb} with a provider` : `${verb}?`}
      confirmLabel={isMatch && chosen ? `Send ${leads} to ${practiceOf(chosen)}` : verb}
      variant={action === 'delete' ? 'danger' : 'primary'}
      disabled={isMatch && !chosen}
      onConfirm={confirm}
      onClose={onClose}
    >
      {action === 'delete' && (
        <p>
          Nothing more will be sent for them. {canBeUndone(target) && UNDO}You can restore them under “Deleted” until
          they are permanently deleted.
        </p>
      )}
      {isMatch && (
        <div className="grid gap-3">
          <p>
            Held leads are released to that provider. Current providers are asked not to call, and the visitors are
            notified of the change. {canBeUndone(target) ? UNDO : 'There are too many leads to undo this.'}
          </p>
          <ProviderPicker
            providers={found}
            search={search}
            onSearch={setSearch}
            chosen={chosen?.id}
            onChoose={setChosen}
          />
        </div>
      )}
      {action === 'pass-on' && (
        <p>
          Each lead goes to the next nearest provider that has not had it. The current provider is asked not to call,
          and the visitor is notified of the change.{' '}
          {canBeUndone(target) ? UNDO : 'There are too many leads to undo this.'}
        </p>
      )}
      {action !== 'delete' && action !== 'pass-on' && !isMatch && (
        <p>This applies to every lead that matches, on all pages.</p>
      )}
    </ConfirmDialog>
  )
}

const UNDO = `You can undo this for ${UNDO_SECONDS} seconds. `
const MAX_SHOWN = 50

/** Returns the active clinics, or with a search all that match it, inactive ones last. */
function useFound(search: string): PublicProvider[] | undefined {
  const providers = useProviders().data
  const find = useMemo(() => providers && createSearch(providers, FIELDS_OF), [providers])
  return find?.(search)
    .filter(({ status }) => search.trim() || status === 't')
    .toSorted((a, b) => b.status.localeCompare(a.status))
    .slice(0, MAX_SHOWN)
}

const FIELDS_OF = ({ name, practiceName, address, zipCode }: PublicProvider) => [name, practiceName, address, zipCode]
