import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import {
  addLeadNote,
  type Colleague,
  changeLeadWork,
  deleteLeadNote,
  type LeadWorkChange,
  MAX_NOTE_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  Tag,
  type LeadWork as Work,
} from '../../../core/leads/contract/lead-work.ts'
import { type LeadDetails, listFilterValues } from '../../../core/leads/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { formatIsoDay, lastDays } from '../../lib/dates.ts'
import { SmallButton } from '../../ui/button.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { useAccess, useMe } from '../access.tsx'
import { useKeys } from '../keys.ts'
import { Notes } from '../notes.tsx'
import { useLeadAction } from './use-lead-action.ts'

/** Shows who works on a lead, what comes next, its tags and its notes. Keys: `a` assigns it, `n` begins a note. */
export function LeadWork({ lead }: { lead: LeadDetails }) {
  const me = useMe()
  const canWork = useAccess()('lead.work')
  const params = { id: lead.id }
  const { data: options } = useFilterValues()
  const change = useLeadAction({
    act: (body: LeadWorkChange) => act(changeLeadWork, { params, body }),
    done: () => {},
    failed: 'Failed to save',
  })
  const add = useLeadAction({
    act: (body: string) => call(addLeadNote, { params, body: { body } }),
    done: () => {},
    failed: 'Failed to add the note',
  })
  const remove = useLeadAction({
    act: (noteId: number) => act(deleteLeadNote, { params: { ...params, noteId } }),
    done: 'Note deleted',
    failed: 'Failed to delete the note',
  })
  const note = useRef<HTMLTextAreaElement>(null)
  const takeIt = () => me?.id && change.mutate({ owner_id: me.id })
  useKeys(canWork ? { a: takeIt, n: () => note.current?.focus() } : {})

  const colleagues = options?.staff ?? []
  return (
    <div className="grid gap-3 text-sm">
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
        <dt className="text-quiet">Owner</dt>
        <dd>
          <Owner
            {...{ colleagues, canWork }}
            work={lead}
            meId={me?.id ?? undefined}
            busy={change.isPending}
            onSave={(owner_id) => change.mutate({ owner_id })}
          />
        </dd>
        <dt className="self-start pt-1.5 text-quiet">Next action</dt>
        <dd>
          <NextAction work={lead} canWork={canWork} busy={change.isPending} onSave={change.mutate} />
        </dd>
        <dt className="self-start pt-1.5 text-quiet">Tags</dt>
        <dd>
          <Tags
            tags={lead.tags}
            known={options?.tags ?? []}
            canWork={canWork}
            onSave={(tags) => change.mutate({ tags })}
          />
        </dd>
      </dl>
      <Notes
        {...{ add, remove }}
        notes={lead.notes.map(({ id, at, ...by }) => ({
          id,
          at,
          text: by.body,
          actor: by.author,
          actor_name: by.author_name,
        }))}
        maxLength={MAX_NOTE_LENGTH}
        canWrite={canWork}
        fieldRef={note}
      />
    </div>
  )
}

/** Returns the counts of the quick filters, the values that leads have, and the colleagues and the tags that staff choose from. */
export function useFilterValues() {
  return useQuery({ queryKey: ['leads', 'list', 'filter-values'], queryFn: () => call(listFilterValues) })
}

type OwnerProps = {
  work: Work
  colleagues: Colleague[]
  /** The viewer's account; undefined without one. */
  meId: number | undefined
  canWork: boolean
  busy: boolean
  onSave: (id: number | null) => void
}

const NOBODY = ''

function Owner({ work: { owner }, colleagues, meId, canWork, busy, onSave }: OwnerProps) {
  if (!canWork) return <span className="text-ink">{owner?.name ?? 'Nobody'}</span>
  const listed = owner && !colleagues.some(({ id }) => id === owner.id) ? [owner, ...colleagues] : colleagues
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SavedSelect
        label="Owner"
        value={owner ? String(owner.id) : NOBODY}
        options={[
          { value: NOBODY, label: 'Nobody' },
          ...listed.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        busy={busy}
        onSave={(id) => onSave(id === NOBODY ? null : Number(id))}
      />
      {meId !== undefined && owner?.id !== meId && (
        <SmallButton variant="ghost" title="Key: a" disabled={busy} onClick={() => onSave(meId)}>
          Assign to me
        </SmallButton>
      )}
    </div>
  )
}

const INPUT =
  'min-h-11 rounded-lg border border-edge bg-background px-2 text-sm text-ink placeholder:text-quiet hover:border-secondary lg:min-h-9'

type NextProps = { work: Work; canWork: boolean; busy: boolean; onSave: (change: LeadWorkChange) => void }

function NextAction({ work: { next_action, next_action_on }, canWork, busy, onSave }: NextProps) {
  const stored = JSON.stringify([next_action, next_action_on])
  const [known, setKnown] = useState(stored)
  const [what, setWhat] = useState(next_action ?? '')
  const [day, setDay] = useState(next_action_on ?? '')
  // It was saved, or changed by a colleague.
  if (known !== stored) {
    setKnown(stored)
    setWhat(next_action ?? '')
    setDay(next_action_on ?? '')
  }
  const isOverdue = next_action_on !== null && next_action_on < lastDays(1).to

  if (!canWork) {
    const words = [next_action, next_action_on && formatIsoDay(next_action_on)].filter(Boolean).join(', ')
    return <span className={isOverdue ? 'font-semibold text-bad' : 'text-ink'}>{words || 'None'}</span>
  }
  const typed = { next_action: what.trim() || null, next_action_on: day || null }
  const isChanged = JSON.stringify(Object.values(typed)) !== stored
  function save(event: FormEvent) {
    event.preventDefault()
    if (isChanged) onSave(typed)
  }
  return (
    <form onSubmit={save} className="flex flex-wrap items-center gap-2">
      <input
        aria-label="Next action"
        value={what}
        maxLength={200}
        placeholder="Call again"
        autoComplete="off"
        onChange={({ target }) => setWhat(target.value)}
        className={`${INPUT} min-w-0 flex-1 basis-32`}
      />
      <input
        aria-label="Day of the next action"
        type="date"
        value={day}
        onChange={({ target }) => setDay(target.value)}
        className={`${INPUT} min-w-0 max-w-full tabular-nums ${isOverdue && !isChanged ? 'border-bad text-bad' : ''}`}
      />
      {isChanged && (
        <SmallButton type="submit" busy={busy} aria-label="Save: Next action">
          Save
        </SmallButton>
      )}
      {!isChanged && (next_action ?? next_action_on) !== null && (
        <SmallButton
          variant="ghost"
          disabled={busy}
          aria-label="Done: Next action"
          onClick={() => onSave({ next_action: null, next_action_on: null })}
        >
          Done
        </SmallButton>
      )}
      {isOverdue && !isChanged && <span className="w-full font-semibold text-bad">Overdue</span>}
    </form>
  )
}

type TagsProps = { tags: string[]; known: string[]; canWork: boolean; onSave: (tags: string[]) => void }

/** Shows the tags. Enter in the field adds one, with suggestions from the tags in use. */
function Tags({ tags, known, canWork, onSave }: TagsProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  if (!canWork && tags.length === 0) return <span className="text-quiet">None</span>

  function add(event: FormEvent) {
    event.preventDefault()
    const tag = Tag.safeParse(typed)
    if (!tag.success) {
      setError(tag.error.issues[0]?.message)
      return
    }
    setTyped('')
    setError(undefined)
    if (!tags.includes(tag.data)) onSave([...tags, tag.data])
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {tags.map((tag) => (
        <span
          key={tag}
          className="inline-flex items-center rounded-full bg-mist py-0.5 pr-1 pl-2.5 text-[0.8125rem] text-ink"
        >
          {tag}
          {canWork ? (
            <button
              type="button"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => onSave(tags.filter((other) => other !== tag))}
              className="ml-0.5 inline-flex size-11 items-center justify-center rounded-full text-quiet hover:text-bad lg:size-6"
            >
              <span aria-hidden="true">×</span>
            </button>
          ) : (
            <span className="w-1.5" />
          )}
        </span>
      ))}
      {canWork && tags.length < MAX_TAGS && (
        <form onSubmit={add}>
          <input
            aria-label="Add a tag"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            list={`${id}-known`}
            value={typed}
            maxLength={MAX_TAG_LENGTH}
            placeholder="Add a tag"
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
            className={`${INPUT} w-32`}
          />
          <datalist id={`${id}-known`}>
            {known
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
        </form>
      )}
      {error && (
        <p id={`${id}-error`} className="w-full text-[0.8125rem] text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
