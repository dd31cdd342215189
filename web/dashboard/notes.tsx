import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, type Ref, useState } from 'react'
import { actorName } from '../lib/actors.ts'
import { formatMinute } from '../lib/dates.ts'
import { SmallButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { useMe } from './access.tsx'

type Note = { id: number; at: string; actor: string; actor_name: string | null; text: string }
type Action<Input> = Pick<UseMutationResult<unknown, Error, Input>, 'mutate' | 'isPending' | 'variables'>

type Props = {
  /** The oldest first. */
  notes: Note[]
  maxLength: number
  /** Whether the viewer may write notes. Authors and managers delete them. */
  canWrite: boolean
  add: Action<string>
  remove: Action<number>
  fieldRef?: Ref<HTMLTextAreaElement>
}

/** Lists the notes of staff on a lead or an application, and takes new ones. */
export function Notes({ notes, canWrite, remove, ...field }: Props) {
  const me = useMe()
  const mayDelete = ({ actor }: Note) => canWrite && (me?.role === 'manager' || actor === me?.email)
  return (
    <div className="grid gap-2.5">
      {notes.length === 0 && <p className="text-sm text-quiet">No notes yet.</p>}
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

function NewNote({ maxLength, add, fieldRef }: Pick<Props, 'maxLength' | 'add' | 'fieldRef'>) {
  const [text, setText] = useState('')
  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (text.trim() !== '' && !add.isPending) add.mutate(text, { onSuccess: () => setText('') })
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
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && submit()}
        className="block w-full rounded-lg border border-edge bg-background px-2.5 py-2 text-sm text-ink placeholder:text-quiet hover:border-secondary"
      />
      {text.trim() !== '' && (
        <SmallButton type="submit" busy={add.isPending}>
          Add note
        </SmallButton>
      )}
    </form>
  )
}
