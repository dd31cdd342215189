import { type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type Ref, useEffect, useState } from 'react'
import { actorName } from '../lib/actors.ts'
import { formatMinute } from '../lib/dates.ts'
import { SmallButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { useMe } from './access.tsx'

type Note = { id: number; at: string; actor: string; actor_name: string | null; text: string }
type Action<Input> = Pick<
  UseMutationResult<unknown, Error, Input>,
  'mutate' | 'mutateAsync' | 'isPending' | 'variables'
>

type Props = {
  /** Names what the notes are about: an unsent note stays while it is left. */
  of: string
  /** The oldest first. */
  notes: Note[]
  maxLength: number
  /** Whether the viewer may write notes. Authors and managers delete them. */
  canWrite: boolean
  add: Action<string>
  remove: Action<number>
  fieldRef?: Ref<HTMLTextAreaElement>
}

export function Notes({ notes, canWrite, remove, ...field }: Props) {
  const me = useMe()
  const mayDelete = ({ actor }: Note) => canWrite && (me?.role === 'manager' || actor === me?.email)
  return (
    <div className="grid gap-2.5">
      {notes.length === 0 && !canWrite && <p className="text-sm text-quiet">No notes yet.</p>}
      {notes.length > 0 && (
        <ol aria-label="Notes" className="grid gap-2">
          {notes.map((note) => (
            <li key={note.id} className="rounded-lg bg-mist px-3 py-2 text-sm">
              <div className="flex items-center justify-between gap-2">
                <p className="text-quiet">
                  <span className="font-semibold text-ink">{actorName(note)}</span>,{' '}
                  <time dateTime={note.at}>{formatMinute(note.at)}</time>
                </p>
                {mayDelete(note) && (
                  <ConfirmButton
                    label="Delete"
                    title="Delete this note?"
                    danger
                    busy={remove.isPending && remove.variables === note.id}
                    onConfirm={(options) => remove.mutate(note.id, options)}
                  >
                    It cannot be restored.
                  </ConfirmButton>
                )}
              </div>
              <p className="whitespace-pre-line wrap-anywhere text-ink">{note.text}</p>
            </li>
          ))}
        </ol>
      )}
      {canWrite && <NewNote {...field} />}
    </div>
  )
}

/** Returns a text that stays, until it is sent, when what it is about is left. Asks before the page is closed with it. */
function useDraft(of: string) {
  const client = useQueryClient()
  const [text, setText] = useState(() => client.getQueryData<string>(['draft', of]) ?? '')
  const set = (typed: string) => {
    client.setQueryDefaults(['draft'], { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData(['draft', of], typed)
    setText(typed)
  }
  const isEmpty = text.trim() === ''
  useEffect(() => {
    if (isEmpty) return
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isEmpty])
  return { text, set, isEmpty }
}

function NewNote({ of, maxLength, add, fieldRef }: Pick<Props, 'of' | 'maxLength' | 'add' | 'fieldRef'>) {
  const { text, set, isEmpty } = useDraft(of)
  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (isEmpty || add.isPending) return
    // Also when the page is left meanwhile. A failure is shown by the action.
    add.mutateAsync(text).then(
      () => set(''),
      () => {},
    )
  }
  return (
    <form onSubmit={submit} className="grid justify-items-start gap-2">
      <textarea
        ref={fieldRef}
        aria-label="New note"
        rows={3}
        value={text}
        maxLength={maxLength}
        placeholder="Write a note."
        onChange={({ target }) => set(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && submit()}
        className="block w-full rounded-lg border border-edge bg-background px-2.5 py-2 text-sm text-ink placeholder:text-quiet hover:border-secondary"
      />
      {!isEmpty && (
        <SmallButton type="submit" busy={add.isPending}>
          Add note
        </SmallButton>
      )}
    </form>
  )
}
