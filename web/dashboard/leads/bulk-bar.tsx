import { useMemo, useState } from 'react'
import { UNDO_SECONDS } from '../../../core/leads/contract/lead-changes.ts'
import { MAX_TAG_LENGTH, Tag } from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { MAX_LEADS } from '../../../core/staff/contract/bulk.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { SelectField } from '../../ui/saved-select.tsx'
import { useMe } from '../access.tsx'
import { createSearch } from '../address.ts'
import { useKeys } from '../keys.ts'
import { type PickedProvider, ProviderPicker, practiceOf } from '../provider-picker.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import { CONTROL, FIELD } from './lead-filters.tsx'
import { useFilterValues } from './lead-work.tsx'
import { OutcomeDialog } from './outcome-dialog.tsx'
import type { Selection } from './row-keys.ts'
import { BULK_BAR_ID } from './row-keys.ts'
import { BULK_WORDS, type BulkRequest, type BulkRun, canBeUndone, sizeOf } from './use-bulk.ts'
import type { LeadView } from './use-leads-page.ts'

const ASKS_FIRST = new Set<BulkRequest['action']>(['assign-provider', 'record-outcome', 'change-work', 'pass-on'])
const ACTIONS = [
  'retry-sync',
  'retry-email',
  'assign-provider',
  'pass-on',
  'record-outcome',
  'change-work',
  'release',
  'delete',
] as const

type Props = {
  selection: Selection
  bulk: BulkRun
  view: LeadView
  /** The number of leads that match the filter. */
  total: number
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

  const byKey = (action: BulkRequest['action']) => () => (bulk.isRunning ? false : begin(action))
  // Those that ask first or can be undone.
  useKeys({ m: byKey('assign-provider'), s: byKey('record-outcome'), '#': byKey('delete') })

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
      {asked && <Asked request={asked} onConfirm={bulk.start} onClose={() => setAsked(undefined)} />}
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

type AskedProps = {
  request: BulkRequest
  onConfirm: (request: BulkRequest) => void
  onClose: () => void
}

function Asked({ request, onConfirm, onClose }: AskedProps) {
  const { action, target } = request
  const leads = countOf(sizeOf(target), 'lead')
  const confirm = (given: Partial<BulkRequest> = {}) => {
    onConfirm({ ...request, ...given })
    onClose()
  }
  if (action === 'record-outcome') {
    const title = `Record an outcome of ${leads}`
    return <OutcomeDialog {...{ title, onClose }} onSubmit={(outcome) => confirm({ outcome })} />
  }
  if (action === 'change-work') return <WorkDialog {...{ leads, onClose }} onConfirm={(work) => confirm({ work })} />
  if (action === 'assign-provider') {
    const undo = canBeUndone(target) ? UNDO : TOO_MANY
    return <MatchManyDialog {...{ leads, undo, onClose }} onConfirm={(providerId) => confirm({ providerId })} />
  }
  const verb = `${BULK_WORDS[action].label}${action.startsWith('retry') ? ' of' : ''} ${leads}`
  return (
    <ConfirmDialog
      title={`${verb}?`}
      confirmLabel={verb}
      variant={action === 'delete' ? 'danger' : 'primary'}
      onConfirm={() => confirm()}
      onClose={onClose}
    >
      <p>
        {action === 'delete'
          ? `Nothing more will be sent for them. ${canBeUndone(target) ? UNDO : ''}You can restore them under “Deleted” until they are permanently deleted.`
          : action === 'pass-on'
            ? `Each lead goes to the next nearest provider that has not had it. The current provider is asked not to call, and the visitor is notified of the change. ${canBeUndone(target) ? UNDO : TOO_MANY}`
            : 'This applies to every lead that matches, on all pages.'}
      </p>
    </ConfirmDialog>
  )
}

const UNDO = `You can undo this for ${UNDO_SECONDS} seconds. `
const TOO_MANY = 'There are too many leads to undo this.'

type DialogProps<Given> = { leads: string; onConfirm: (given: Given) => void; onClose: () => void }

function MatchManyDialog({ leads, undo, onConfirm, onClose }: DialogProps<number> & { undo: string }) {
  const [chosen, setChosen] = useState<PickedProvider>()
  const [search, setSearch] = useState('')
  return (
    <ConfirmDialog
      title={`Match ${leads} with a provider`}
      confirmLabel={chosen ? `Send ${leads} to ${practiceOf(chosen)}` : `Match ${leads}`}
      variant="primary"
      disabled={!chosen}
      onConfirm={() => chosen && onConfirm(chosen.id)}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>
          Held leads are released to that provider. Current providers are asked not to call, and the visitors are
          notified of the change. {undo}
        </p>
        <ProviderPicker
          providers={useFound(search)}
          search={search}
          onSearch={setSearch}
          chosen={chosen?.id}
          onChoose={setChosen}
        />
      </div>
    </ConfirmDialog>
  )
}

const NOBODY = 'none'

function WorkDialog({ leads, onConfirm, onClose }: DialogProps<NonNullable<BulkRequest['work']>>) {
  const me = useMe()
  const { staff = [], tags = [] } = useFilterValues().data ?? {}
  const [owner, setOwner] = useState('')
  const [does, setDoes] = useState<'add_tag' | 'remove_tag'>('add_tag')
  const [typed, setTyped] = useState('')
  const tag = Tag.safeParse(typed)
  const error = typed.trim() === '' ? undefined : tag.error?.issues[0]?.message
  const work = {
    ...(owner && { owner_id: owner === NOBODY ? null : Number(owner) }),
    ...(tag.success && { [does]: tag.data }),
  }
  return (
    <ConfirmDialog
      title={`Owner and tags of ${leads}`}
      confirmLabel={`Save for ${leads}`}
      variant="primary"
      disabled={error !== undefined || Object.keys(work).length === 0}
      onConfirm={() => onConfirm(work)}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <SelectField
          label="Owner"
          words={[
            ['', 'No change'],
            [NOBODY, 'Nobody'],
            ...staff.map(({ id, name }) => [String(id), id === me?.id ? `${name} (me)` : name] as const),
          ]}
          value={owner}
          onChoose={setOwner}
        />
        <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <legend className={FIELD}>Tag</legend>
          {(['add_tag', 'remove_tag'] as const).map((each) => (
            <label key={each} className="flex min-h-8 items-center gap-2 text-sm text-ink">
              <input type="radio" checked={does === each} onChange={() => setDoes(each)} className="accent-secondary" />
              {each === 'add_tag' ? 'Add' : 'Remove'}
            </label>
          ))}
          <input
            aria-label="Tag"
            list="known-tags"
            value={typed}
            maxLength={MAX_TAG_LENGTH}
            autoComplete="off"
            aria-invalid={error ? true : undefined}
            onChange={({ target }) => setTyped(target.value)}
            className={CONTROL}
          />
          <datalist id="known-tags">
            {tags.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          {error && <p className="text-sm text-bad">{error}</p>}
        </fieldset>
      </div>
    </ConfirmDialog>
  )
}

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
