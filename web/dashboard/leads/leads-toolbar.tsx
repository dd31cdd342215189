import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as Menu from '@radix-ui/react-dropdown-menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { exportLeads, type LeadFilter, LeadSort } from '../../../core/leads/contract/leads.ts'
import { StopByHand, type Suppression, stopContact } from '../../../core/privacy/contract/opt-outs.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { byActor } from '../../lib/actors.ts'
import { call, urlOf } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { HttpError } from '../../lib/http.ts'
import { countOf, formatCount } from '../../lib/text.ts'
import { Button, buttonClass, SmallButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MENU_CONTENT, MenuChoice, MenuItem, MenuSeparator, MoreButton } from '../../ui/menu.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { ExportButton } from '../exports.tsx'
import { usePreferences } from '../preferences.ts'
import { FilterPills, LeadFilters, LeadSearch, PANEL_FILTERS } from './lead-filters.tsx'
import { useFilterValues } from './lead-work.tsx'
import { LiftButton, useOptOuts } from './opt-outs.tsx'
import type { ViewChange } from './use-leads-page.ts'
import { exportQuery, isFiltered, type LeadView, SORT_WORDS } from './use-leads-page.ts'

type Props = {
  view: LeadView
  setView: ViewChange
  /** The number of all leads; undefined until it is loaded. */
  count: number | undefined
  providers: PublicProvider[] | undefined
  /** Whether a lead is open beside the list, which leaves less room. */
  isCompact: boolean
  /** Called to show the deleted leads. */
  onDeleted: () => void
  onKeys: () => void
  onNewLead: () => void
}

/** Shows search, filters and the actions for all leads, in one line where there is room. */
export function LeadsToolbar({ view, setView, count, providers, isCompact, onDeleted, onKeys, onNewLead }: Props) {
  const can = useAccess()
  const id = useId()
  const { filter } = view
  const slow = PANEL_FILTERS.filter((name) => filter[name] !== undefined).length
  const [isOpen, setOpen] = useState(slow > 0)
  const { data: values } = useFilterValues()
  const setFilter = (change: Partial<LeadFilter>) => setView({ filter: withoutEmpty({ ...filter, ...change }) })

  // Where the tools take two lines, the rarer ones stand beside the search.
  const isOneLine = useWideScreen() && !isCompact
  const more = <MoreForAll {...{ onDeleted, onKeys }} />

  return (
    <search className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
        <LeadSearch filter={filter} setView={setView} />
        {!isOneLine && more}
        <div className="-m-0.5 flex items-center gap-1.5 overflow-x-auto p-0.5 max-lg:w-full lg:flex-wrap lg:overflow-visible">
          <QuickFilters filter={filter} onFilter={(next) => setView({ filter: next })} />
          <FilterPills {...{ filter, providers, values }} onFilter={setFilter} />
          {isFiltered(view) && (
            <SmallButton variant="ghost" onClick={() => setView({ filter: {} })}>
              Clear all
            </SmallButton>
          )}
          <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
            {slow > 0 ? `Filters (${slow})` : 'Filters'}
          </DisclosureButton>
          <DisplayMenu sort={view.sort} onSort={(sort) => setView({ sort })} />
          {can('lead.work') && (
            <SmallButton title="Key: c" onClick={onNewLead}>
              New lead
            </SmallButton>
          )}
          {can('lead.manage') && (
            <ExportButton
              label="Export Leads CSV"
              href={urlOf(exportLeads, { query: exportQuery(view) })}
              isEmpty={!count}
            />
          )}
        </div>
        {isOneLine && more}
      </div>
      {isOpen && <LeadFilters {...{ id, filter, providers, values }} onFilter={setFilter} />}
    </search>
  )
}

const QUICK = {
  failed: 'Failed',
  unmatched: 'Unmatched',
  held: 'Held',
  not_reached: 'Not reached',
  late: 'Late',
  due: 'Due',
} as const

/** Shows the filters that are used most, each with the number of its leads. */
function QuickFilters({ filter, onFilter }: { filter: LeadFilter; onFilter: (filter: LeadFilter) => void }) {
  const counts = useFilterValues().data?.counts
  return (Object.keys(QUICK) as (keyof typeof QUICK)[]).map((name) => {
    const { [name]: isOn, ...others } = filter
    const count = counts?.[name]
    // Teams that plan no next actions have no use for it.
    if (name === 'due' && !isOn && !count) return null
    return (
      <button
        key={name}
        type="button"
        aria-pressed={isOn === true}
        title={count === undefined ? undefined : `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`}
        onClick={() => onFilter(isOn ? others : { ...others, [name]: true })}
        className="group inline-flex min-h-8 max-w-full shrink-0 items-center gap-1.5 whitespace-nowrap rounded-lg border border-edge bg-background px-2.5 text-sm font-semibold text-ink hover:border-secondary aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary max-lg:min-h-11"
      >
        {QUICK[name]}
        {count !== undefined && (
          <span aria-hidden="true" className="text-quiet tabular-nums group-aria-pressed:text-primary">
            {formatCount(count)}
          </span>
        )}
      </button>
    )
  })
}

const DENSITIES = { comfortable: 'Comfortable', dense: 'Dense' } as const

/** Chooses how the list is shown. Narrow screens have no column heads: the order is chosen here. */
function DisplayMenu({ sort, onSort }: { sort: LeadSort; onSort: (sort: LeadSort) => void }) {
  const isWide = useWideScreen()
  const { preferences, change } = usePreferences()
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ variant: 'ghost', size: 'small' })}>Display</Menu.Trigger>
      <Menu.Portal>
        <Menu.Content align="end" sideOffset={4} collisionPadding={12} className={MENU_CONTENT}>
          {isWide ? (
            <MenuChoice
              label="Rows"
              words={DENSITIES}
              value={preferences.density}
              onChoose={(density) => change({ density })}
            />
          ) : (
            <MenuChoice
              label="Order"
              words={SORT_WORDS}
              value={sort}
              onChoose={(value) => onSort(LeadSort.parse(value))}
            />
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

type MoreProps = Pick<Props, 'onDeleted' | 'onKeys'>

/** The rarer acts, which concern no single lead. */
function MoreForAll({ onDeleted, onKeys }: MoreProps) {
  const can = useAccess()
  const [wanted, setWanted] = useState<'stop' | 'keys'>()
  const [dialog, setDialog] = useState<'stop'>()
  const close = () => setDialog(undefined)

  // A dialog returns the focus to the element that had it, which must be this button.
  function onClosed() {
    if (wanted === 'keys') onKeys()
    else setDialog(wanted)
    setWanted(undefined)
  }

  return (
    <>
      <MoreButton label="More for all leads" onClosed={onClosed}>
        <MenuItem onChoose={onDeleted}>Deleted</MenuItem>
        {can('lead.work') && <MenuItem onChoose={() => setWanted('stop')}>Enter a STOP...</MenuItem>}
        <MenuSeparator />
        <MenuItem onChoose={() => setWanted('keys')}>Keyboard shortcuts</MenuItem>
      </MoreButton>
      {dialog === 'stop' && <StopByHandDialog onClose={close} />}
    </>
  )
}

function withoutEmpty(filter: LeadFilter): LeadFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

/** Records the e-mail or phone number of a person who said STOP, and lists recent records. */
function StopByHandDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Enter a STOP"
      className="w-xl max-w-full p-6"
      onClose={onClose}
      corner={
        <SmallButton variant="ghost" onClick={onClose}>
          Close
        </SmallButton>
      }
    >
      <StopForm />
      <Recent />
    </Dialog>
  )
}

function StopForm() {
  const { form, submit, isSubmitting } = useStopForm()
  const { errors } = form.formState
  return (
    <form onSubmit={submit} noValidate className="mt-2">
      <p className="mb-4">
        For a person who replied STOP, or said so on the phone. All contact at this address or number stops, and the
        clinics and the CRM that know of a request are told.
      </p>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField
          label="Phone number"
          type="tel"
          autoComplete="off"
          error={errors.phone?.message}
          {...form.register('phone')}
        />
      </div>
      <Button type="submit" variant="danger" busy={isSubmitting}>
        Stop contact
      </Button>
    </form>
  )
}

function useStopForm() {
  const form = useForm({ resolver: standardSchemaResolver(StopByHand), defaultValues: { email: '', phone: '' } })
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: (body: StopByHand) => call(stopContact, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['leads'] }),
  })
  const submit = form.handleSubmit((contact) =>
    stop.mutate(contact, {
      onSuccess({ leads }) {
        form.reset()
        const found = leads > 0 ? `${countOf(leads, 'lead')} found. Whoever knows of it is told.` : 'No lead found.'
        toast({ title: 'Success', description: `This person is not contacted any more. ${found}` })
      },
      onError(error) {
        const { fields = {}, sentence } = error instanceof HttpError ? error : {}
        const message = fields.phone ?? fields.email ?? sentence ?? 'The server is not responding. Please try again.'
        form.setError(fields.phone ? 'phone' : 'email', { message })
      },
    }),
  )
  return { form, submit, isSubmitting: stop.isPending }
}

/** Lists recent suppressions. Addresses and numbers are stored as hashes only, so they cannot be shown. */
function Recent() {
  const can = useAccess()
  const recent = useOptOuts().data?.recent ?? []
  if (recent.length === 0) return null
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="font-semibold text-ink">The latest</h3>
      <p className="text-sm text-quiet">Addresses and numbers are not shown, because we keep only codes of them.</p>
      <ul className="mt-2 divide-y divide-line">
        {recent.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 py-2">
            <p className="text-sm">
              {rowSentence(row)}
              {row.lifted_at && (
                <span className="block text-quiet">
                  Allowed again on {formatDay(row.lifted_at)}: {row.lifted_because}
                </span>
              )}
            </p>
            {can('lead.manage') && !row.lifted_at && <LiftButton of={{ suppression_id: row.id }} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns, for example, `E-mail address, Nov 20, 2026, link in an e-mail, lead no. 12`. */
function rowSentence({ kind, created_at, reason, lead_id, ...by }: Suppression): string {
  const ways = {
    link: 'link in an e-mail',
    staff: byActor(by),
    stop: `STOP ${byActor(by)}`,
    clinic: 'told to a clinic',
  }
  return [
    kind === 'email' ? 'E-mail address' : 'Phone number',
    formatDay(created_at),
    ways[reason],
    ...(lead_id === null ? [] : [`lead no. ${lead_id}`]),
  ].join(', ')
}

type DisclosureButtonProps = {
  isOpen: boolean
  /** The id of what it opens. */
  controls: string
  onToggle: () => void
  children: ReactNode
}

function DisclosureButton({ isOpen, controls, onToggle, children }: DisclosureButtonProps) {
  return (
    <SmallButton variant="ghost" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      {children}
      <svg
        viewBox="0 0 16 16"
        className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden="true"
      >
        <path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
    </SmallButton>
  )
}
