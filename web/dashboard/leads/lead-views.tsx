import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import {
  addLeadView,
  changeLeadView,
  deleteLeadView,
  type LeadViewChange,
  listLeadViews,
  MAX_VIEW_NAME,
  type NewLeadView,
  type LeadView as SavedView,
} from '../../../core/contract/lead-views.ts'
import { countLeads, type LeadFilter } from '../../../core/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { formatCount } from '../../lib/numbers.ts'
import { SECOND } from '../../lib/time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CloseButton } from '../../ui/close-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { offerUndo } from '../../ui/undo-toast.tsx'
import { useAction } from '../../ui/use-action.ts'
import { EVERY_LEAD, type LeadView } from './lead-view.ts'
import type { ViewChange } from './use-leads-page.ts'

const QUICK = {
  failed: 'Failed',
  unmatched: 'Unmatched',
  held: 'Held',
  not_reached: 'Not reached',
  late: 'Late',
  due: 'Due',
} as const
const CHIP =
  'group inline-flex min-h-8 max-w-full shrink-0 items-center gap-1.5 whitespace-nowrap rounded-lg border border-edge bg-background px-2.5 text-sm font-semibold text-ink hover:border-secondary aria-pressed:border-secondary aria-pressed:bg-lilac aria-pressed:text-primary max-lg:min-h-11'

type Props = {
  view: LeadView
  setView: ViewChange
  /** Whether the reader may save views for all. */
  canShare: boolean
}

/** Shows the filters that are used most with the number of their leads, the pinned views, and the actions for views. */
export function LeadViews({ view, setView, canShare }: Props) {
  const { data: counts } = useQuery({ queryKey: ['leads', 'list', 'counts'], queryFn: () => call(countLeads) })
  const saved = useQuery({ queryKey: ['lead-views'], queryFn: async () => (await call(listLeadViews)).views })
  const [chosen, setChosen] = useState<number>()
  const [isNaming, setNaming] = useState(false)
  const [isManaging, setManaging] = useState(false)
  const update = useChange()
  const views = saved.data ?? []
  const { filter } = view
  const same = views.find((one) => isSame(one, view))
  const last = views.find(({ id }) => id === chosen)
  const current = { filter: withoutSearch(filter), sort: view.sort }
  const isNew = !same && !isSame(EVERY_LEAD, view)

  function show(one: SavedView) {
    setChosen(one.id)
    setView({ filter: one.filter, sort: one.sort })
  }

  return (
    <div className="flex items-center gap-1.5 lg:flex-wrap">
      {(Object.keys(QUICK) as (keyof typeof QUICK)[]).map((name) => {
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
            onClick={() => setView({ filter: isOn ? others : { ...others, [name]: true } })}
            className={CHIP}
          >
            {QUICK[name]}
            {count !== undefined && (
              <span aria-hidden="true" className="text-quiet tabular-nums group-aria-pressed:text-primary">
                {formatCount(count)}
              </span>
            )}
          </button>
        )
      })}
      {views
        .filter(({ is_pinned }) => is_pinned)
        .map((one) => (
          <button
            key={one.id}
            type="button"
            aria-pressed={one === same}
            title={one.is_shared ? 'For all' : 'Yours'}
            onClick={() => (one === same ? setView({ filter: {}, sort: EVERY_LEAD.sort }) : show(one))}
            className={CHIP}
          >
            <span className="truncate">{one.name}</span>
          </button>
        ))}
      {isNew && last && canChange(last, canShare) && (
        <Action
          disabled={update.isPending}
          onClick={() =>
            update.mutate({ id: last.id, change: current, done: `The view “${last.name}” has been updated.` })
          }
        >
          Update “{last.name}”
        </Action>
      )}
      {isNew && <Action onClick={() => setNaming(true)}>Save view</Action>}
      {views.length > 0 && <Action onClick={() => setManaging(true)}>Views ({views.length})</Action>}
      <LoadError
        error={saved.error}
        fallback="Failed to load the saved views"
        isFetching={saved.isFetching}
        onRetry={() => saved.refetch()}
      />
      {isNaming && (
        <SaveDialog current={current} canShare={canShare} onSaved={setChosen} onClose={() => setNaming(false)} />
      )}
      {isManaging && (
        <ViewsDialog
          views={views}
          canShare={canShare}
          onShow={(one) => {
            setManaging(false)
            show(one)
          }}
          onClose={() => setManaging(false)}
        />
      )}
    </div>
  )
}

function Action(button: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...button}
      className="inline-flex min-h-8 max-w-full items-center rounded-lg px-2 text-sm font-semibold text-secondary hover:bg-mist disabled:opacity-50 max-lg:min-h-11"
    />
  )
}

const withoutSearch = ({ q, ...filter }: LeadFilter) => filter

/** Returns whether a view shows what the list shows, whatever is searched for. */
function isSame({ filter, sort }: Pick<LeadView, 'filter' | 'sort'>, view: LeadView): boolean {
  const entries = (of: LeadFilter) => JSON.stringify(Object.entries(withoutSearch(of)).toSorted())
  return sort === view.sort && entries(filter) === entries(view.filter)
}

const canChange = (view: SavedView, isManager: boolean) => (view.is_shared ? isManager : view.is_own)

type Change = { id: number; change: LeadViewChange; done: string }

function useChange(onDone?: () => void) {
  return useAction({
    act: ({ id, change }: Change) => call(changeLeadView, { params: { id }, body: change }),
    done: (_, { done }) => {
      toast({ title: 'Success', description: done })
      onDone?.()
    },
    failed: 'Failed to change the view',
    changes: 'lead-views',
  })
}

type SaveProps = {
  current: Pick<NewLeadView, 'filter' | 'sort'>
  canShare: boolean
  onSaved: (id: number) => void
  onClose: () => void
}

/** Asks for the name of a new view. */
function SaveDialog({ current, canShare, onSaved, onClose }: SaveProps) {
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const save = useAction({
    act: (view: NewLeadView) => call(addLeadView, { body: view }),
    done: ({ id }) => {
      onSaved(id)
      onClose()
    },
    failed: 'Failed to save the view',
    changes: 'lead-views',
  })

  return (
    <NameDialog
      title="Save view"
      action="Save"
      name={name}
      onName={setName}
      busy={save.isPending}
      onSubmit={() => save.mutate({ ...current, name: name.trim(), is_shared: isShared, is_pinned: true })}
      onClose={onClose}
    >
      <p className="text-sm text-quiet">A view has the filters and the order of the list, without the search.</p>
      {canShare && (
        <label className="flex min-h-11 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isShared}
            onChange={({ target }) => setShared(target.checked)}
            className="size-5 accent-secondary"
          />
          For all staff
        </label>
      )}
    </NameDialog>
  )
}

type NameProps = Pick<ComponentProps<typeof Dialog>, 'title' | 'onClose'> & {
  children?: ReactNode
  action: string
  name: string
  onName: (name: string) => void
  busy: boolean
  onSubmit: () => void
}

function NameDialog({ title, action, name, onName, busy, onSubmit, children, onClose }: NameProps) {
  return (
    <Dialog title={title} className="w-96 max-w-full p-5" onClose={onClose}>
      <form
        className="mt-3 grid gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onSubmit()
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={MAX_VIEW_NAME}
          autoComplete="off"
          required
          onChange={({ target }) => onName(target.value)}
        />
        {children}
        <div className="mt-2 flex justify-end gap-2">
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} disabled={name.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type ViewsProps = { views: SavedView[]; canShare: boolean; onShow: (view: SavedView) => void; onClose: () => void }

/** Lists the saved views, to show, rename, pin, share and delete them. */
function ViewsDialog({ views, canShare, onShow, onClose }: ViewsProps) {
  const [renamed, setRenamed] = useState<SavedView>()
  const change = useChange(() => setRenamed(undefined))
  const remove = useDelete(onClose)

  return (
    <Dialog
      title="Views"
      corner={<CloseButton onClick={onClose} />}
      className="w-[36rem] max-w-full p-5"
      onClose={onClose}
    >
      <ul aria-label="Saved views" className="mt-3 divide-y divide-line text-sm">
        {views.map((one) => {
          const { id, name, is_pinned, is_shared } = one
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-2 py-1.5">
              <button
                type="button"
                onClick={() => onShow(one)}
                className="min-h-8 min-w-0 flex-1 text-left font-semibold wrap-anywhere text-ink hover:text-secondary hover:underline max-lg:min-h-11"
              >
                {name}
              </button>
              {is_shared && <Badge>For all</Badge>}
              {canChange(one, canShare) && (
                <span className="flex flex-wrap">
                  <Action
                    aria-label={`${is_pinned ? 'Unpin' : 'Pin'} ${name}`}
                    onClick={() =>
                      change.mutate({
                        id,
                        change: { is_pinned: !is_pinned },
                        done: `“${name}” ${is_pinned ? 'is no longer' : 'is now'} beside the filters.`,
                      })
                    }
                  >
                    {is_pinned ? 'Unpin' : 'Pin'}
                  </Action>
                  {canShare && (
                    <Action
                      aria-label={`${is_shared ? 'Make private' : 'Share'}: ${name}`}
                      onClick={() =>
                        change.mutate({
                          id,
                          change: { is_shared: !is_shared },
                          done: is_shared ? `“${name}” is private now.` : `All staff have “${name}” now.`,
                        })
                      }
                    >
                      {is_shared ? 'Make private' : 'Share'}
                    </Action>
                  )}
                  <Action aria-label={`Rename ${name}`} onClick={() => setRenamed(one)}>
                    Rename
                  </Action>
                  <Action aria-label={`Delete ${name}`} disabled={remove.isPending} onClick={() => remove.mutate(one)}>
                    Delete
                  </Action>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {renamed && (
        <NameDialog
          title="Rename view"
          action="Rename"
          name={renamed.name}
          onName={(name) => setRenamed({ ...renamed, name })}
          busy={change.isPending}
          onSubmit={() =>
            change.mutate({ id: renamed.id, change: { name: renamed.name.trim() }, done: 'The view has been renamed.' })
          }
          onClose={() => setRenamed(undefined)}
        />
      )}
    </Dialog>
  )
}

/** Returns a mutation that deletes a view, with a toast that saves it again. A dialog must close, as it covers the toast. */
function useDelete(onDone: () => void) {
  const again = useAction({
    act: ({ name, filter, sort, is_shared, is_pinned }: SavedView) =>
      call(addLeadView, { body: { name, filter, sort, is_shared, is_pinned } }),
    done: ({ name }) => toast({ title: 'Success', description: `“${name}” is back.` }),
    failed: 'Failed to undo',
    changes: 'lead-views',
  })
  return useAction({
    act: ({ id }: SavedView) => act(deleteLeadView, { params: { id } }),
    done: (_, view) => {
      onDone()
      offerUndo({
        title: 'Success',
        description: `“${view.name}” has been deleted.`,
        duration: 10 * SECOND,
        onUndo: () => again.mutate(view),
      })
    },
    failed: 'Failed to delete the view',
    changes: 'lead-views',
  })
}
