import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import {
  addLeadNote,
  changeLeadWork,
  deleteLeadNote,
  type LeadWorkChange,
  MAX_NOTE_LENGTH,
  MAX_TAGS,
} from '../../../core/leads/contract/lead-changes.ts'
import { type LeadDetails, listFilterValues, MAX_TAG_LENGTH, Tag } from '../../../core/leads/contract/leads.ts'
import { act, call } from '../../lib/call.ts'
import { formatIsoDay, lastDays } from '../../lib/dates.ts'
import { type Fact, Facts } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { useAccess, useMe } from '../access.tsx'
import { useKeys } from '../keys.ts'
import { Notes } from '../notes.tsx'
import { useLeadAction } from './use-lead-action.ts'

export function LeadWork({ lead }: { lead: LeadDetails }) {
  const canWork = useAccess()('lead.work')
  const params = { id: lead.id }
  const change = useLeadAction({
    act: (body: LeadWorkChange) => act(changeLeadWork, { params, body }),
    failed: 'Failed to save',
  })
  const add = useLeadAction({
    act: (body: string) => act(addLeadNote, { params, body: { body } }),
    failed: 'Failed to add the note',
  })
  const remove = useLeadAction({
    act: (noteId: number) => act(deleteLeadNote, { params: { ...params, noteId } }),
    done: 'Note deleted',
    failed: 'Failed to delete the note',
  })
  const note = useRef<HTMLTextAreaElement>(null)
  useKeys(canWork ? { n: () => note.current?.focus() } : {})

  const parts = { work: lead, busy: change.isPending, onSave: change.mutate }
  const rows: Fact[] = canWork
    ? [
        ['Owner', <Owner key="owner" {...parts} />],
        ['Next action', <NextAction key="next" {...parts} />],
        ['Tags', <Tags key="tags" {...parts} />],
      ]
    : [
        ['Owner', lead.owner?.name ?? 'Nobody'],
        [
          'Next action',
          [lead.next_action, lead.next_action_on && formatIsoDay(lead.next_action_on)].filter(Boolean).join(', ') ||
            'None',
        ],
        ['Tags', lead.tags.join(', ') || 'None'],
      ]
  return (
    <div className="grid gap-3 text-sm">
      <Facts className="items-center" of={rows} />
      <Notes
        {...{ add, remove }}
        of={`lead ${lead.id}`}
        notes={lead.notes.map(({ id, at, body, author, author_name }) => ({
          ...{ id, at, text: body, actor: author, actor_name: author_name },
        }))}
        maxLength={MAX_NOTE_LENGTH}
        canWrite={canWork}
        fieldRef={note}
      />
    </div>
  )
}

export function useFilterValues() {
  return useQuery({ queryKey: ['leads', 'list', 'filter-values'], queryFn: () => call(listFilterValues) })
}

type Options = { onSuccess?: () => void }
type FieldProps = {
  work: LeadDetails
  busy: boolean
  onSave: (change: LeadWorkChange, options?: Options) => void
}

/** Holds what is typed into a field until it is stored. `save` sends it, which also happens when the lead is left. */
function useTyped<Value extends object>(stored: Value, onSave: (value: Value, options: Options) => void) {
  const [typed, setTyped] = useState<Value>()
  const isStored = JSON.stringify(typed ?? stored) === JSON.stringify(stored)
  if (typed && isStored) setTyped(undefined)
  const save = () => {
    // It may have been changed while it was saved.
    const onSuccess = () => setTyped((now) => (now === typed ? undefined : now))
    if (typed && !isStored) onSave(typed, { onSuccess })
  }
  const leave = useRef(save)
  leave.current = save
  useEffect(() => () => leave.current(), [])
  return { value: typed ?? stored, isStored, setTyped, save }
}

function Saved({ name, isStored, busy, save, children }: SavedProps) {
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && save()}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {children}
      {!isStored && (
        <SmallButton type="submit" busy={busy} aria-label={`Save: ${name}`}>
          Save
        </SmallButton>
      )}
    </form>
  )
}
type SavedProps = { name: string; isStored: boolean; busy: boolean; save: () => void; children: ReactNode }

const INPUT =
  'min-h-11 min-w-0 max-w-full rounded-lg border border-edge bg-background px-2 text-sm text-ink placeholder:text-quiet hover:border-secondary lg:min-h-9'

function Owner({ work: { owner }, busy, onSave }: FieldProps) {
  const meId = useMe()?.id
  const colleagues = useFilterValues().data?.staff ?? []
  const field = useTyped({ owner_id: owner?.id ?? null }, onSave)
  const assignToMe = () => {
    if (!meId) return
    field.setTyped(undefined)
    onSave({ owner_id: meId })
  }
  useKeys({ a: assignToMe })
  const listed = owner && !colleagues.some(({ id }) => id === owner.id) ? [owner, ...colleagues] : colleagues
  return (
    <Saved name="Owner" busy={busy} {...field}>
      <select
        aria-label="Owner"
        value={field.value.owner_id ?? ''}
        onChange={({ target }) => field.setTyped({ owner_id: Number(target.value) || null })}
        className={INPUT}
      >
        <option value="">Nobody</option>
        {listed.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {meId != null && owner?.id !== meId && field.isStored && (
        <SmallButton variant="ghost" title="Key: a" disabled={busy} onClick={assignToMe}>
          Assign to me
        </SmallButton>
      )}
    </Saved>
  )
}

function NextAction({ work: { next_action, next_action_on }, busy, onSave }: FieldProps) {
  const stored = { next_action: next_action ?? '', next_action_on: next_action_on ?? '' }
  const field = useTyped(stored, ({ next_action: what, next_action_on: day }, options) =>
    onSave({ next_action: what.trim() || null, next_action_on: day || null }, options),
  )
  const { value, isStored, setTyped } = field
  const isOverdue = isStored && next_action_on !== null && next_action_on < lastDays(1).to
  return (
    <Saved name="Next action" busy={busy} {...field}>
      <input
        aria-label="Next action"
        value={value.next_action}
        maxLength={200}
        placeholder="Call again"
        autoComplete="off"
        onChange={({ target }) => setTyped({ ...value, next_action: target.value })}
        className={`${INPUT} flex-1 basis-32`}
      />
      <input
        aria-label="Day of the next action"
        type="date"
        value={value.next_action_on}
        onChange={({ target }) => setTyped({ ...value, next_action_on: target.value })}
        className={`${INPUT} tabular-nums ${isOverdue ? 'border-bad text-bad' : ''}`}
      />
      {isStored && (next_action ?? next_action_on) !== null && (
        <SmallButton
          variant="ghost"
          disabled={busy}
          aria-label="Done: Next action"
          onClick={() => onSave({ next_action: null, next_action_on: null })}
        >
          Done
        </SmallButton>
      )}
      {isOverdue && <span className="w-full font-semibold text-bad">Overdue</span>}
    </Saved>
  )
}

function Tags({ work: { tags }, busy, onSave }: FieldProps) {
  const id = useId()
  const known = useFilterValues().data?.tags ?? []
  const [error, setError] = useState<string>()
  const field = useTyped({ tag: '' }, ({ tag: typed }) => {
    const { data: tag, error } = Tag.safeParse(typed)
    setError(error?.issues[0]?.message)
    if (tag === undefined) return
    field.setTyped(undefined)
    if (!tags.includes(tag)) onSave({ tags: [...tags, tag] })
  })
  return (
    <Saved name="Tag" busy={busy} {...field}>
      {tags.map((tag) => (
        <span
          key={tag}
          className="inline-flex items-center rounded-full bg-mist py-0.5 pr-1 pl-2.5 text-[0.8125rem] text-ink"
        >
          {tag}
          <button
            type="button"
            aria-label={`Remove the tag ${tag}`}
            onClick={() => onSave({ tags: tags.filter((other) => other !== tag) })}
            className="ml-0.5 inline-flex size-11 items-center justify-center rounded-full text-quiet hover:text-bad lg:size-6"
          >
            <span aria-hidden="true">×</span>
          </button>
        </span>
      ))}
      {tags.length < MAX_TAGS && (
        <input
          aria-label="Add a tag"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          list={`${id}-known`}
          value={field.value.tag}
          maxLength={MAX_TAG_LENGTH}
          placeholder="Add a tag"
          autoComplete="off"
          onChange={({ target }) => field.setTyped({ tag: target.value })}
          className={`${INPUT} w-32`}
        />
      )}
      <datalist id={`${id}-known`}>
        {known.map((tag) => !tags.includes(tag) && <option key={tag} value={tag} />)}
      </datalist>
      {error && (
        <p id={`${id}-error`} className="w-full text-[0.8125rem] text-bad">
          {error}
        </p>
      )}
    </Saved>
  )
}
