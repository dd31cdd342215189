import { type FormEvent, type KeyboardEvent, useState } from 'react'
import {
  type ApplicationNote,
  addApplicationNote,
  deleteApplicationNote,
  restoreApplicationNote,
} from '../../../core/contract/application-details.ts'
import type { Person } from '../../../core/contract/session.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { actorName } from '../../lib/actors.ts'
import { act } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { SECOND } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { offerUndo } from '../../ui/undo-toast.tsx'
import { useApplicationAction } from './applications.ts'

type Props = { id: number; notes: ApplicationNote[]; canNote: boolean; me: Person | undefined }

/** Shows the notes of staff and a field for another one. Authors and managers delete a note, which can be undone. */
export function Notes({ id, notes, canNote, me }: Props) {
  const restoring = useApplicationAction({
    act: (noteId: number) => act(restoreApplicationNote, { params: { id, noteId } }),
    done: 'Note restored',
    failed: 'Failed to restore the note',
  })
  const removing = useApplicationAction({
    act: (noteId: number) => act(deleteApplicationNote, { params: { id, noteId } }),
    done: (_, noteId) =>
      offerUndo({
        ...{ title: 'Success', description: 'Note deleted', duration: UNDO_SECONDS * SECOND },
        onUndo: () => restoring.mutate(noteId),
      }),
    failed: 'Failed to delete the note',
  })
  const mayDelete = ({ actor }: ApplicationNote) => canNote && (me?.role === 'manager' || actor === me?.email)
  return (
    <>
      {notes.length === 0 && <p className="text-quiet">No notes yet.</p>}
      <ul className="grid gap-2">
        {notes.map((note) => (
          <li key={note.id} className="rounded-lg bg-mist px-3 py-2">
            <div className="flex items-center justify-between gap-2">
              <p className="text-quiet">
                <span className="font-semibold text-ink">{actorName(note)}</span>, {formatMinute(note.at)}
              </p>
              {mayDelete(note) && (
                <Button
                  variant="quietDanger"
                  size="small"
                  className="-mr-2"
                  busy={removing.isPending && removing.variables === note.id}
                  aria-label={`Delete the note of ${actorName(note)}, ${formatMinute(note.at)}`}
                  onClick={() => removing.mutate(note.id)}
                >
                  Delete
                </Button>
              )}
            </div>
            <p className="whitespace-pre-wrap wrap-anywhere text-ink">{note.text}</p>
          </li>
        ))}
      </ul>
      {canNote && <NoteForm id={id} />}
    </>
  )
}

function NoteForm({ id }: { id: number }) {
  const [text, setText] = useState('')
  const note = useApplicationAction({
    act: () => act(addApplicationNote, { params: { id }, body: { text } }),
    done: () => setText(''),
    failed: 'Failed to add the note',
  })

  function add() {
    if (text.trim() !== '' && !note.isPending) note.mutate(undefined)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    add()
  }
  function press({ key, ctrlKey, metaKey }: KeyboardEvent) {
    if (key === 'Enter' && (ctrlKey || metaKey)) add()
  }

  return (
    <form onSubmit={submit} className="grid justify-items-start gap-2">
      <textarea
        aria-label="New note"
        rows={2}
        maxLength={2000}
        value={text}
        placeholder="Write a note."
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
        className="w-full rounded-lg border border-edge bg-background px-3 py-2 text-sm text-ink placeholder:text-quiet hover:border-secondary"
      />
      {text.trim() !== '' && (
        <Button type="submit" variant="outline" size="small" busy={note.isPending}>
          Add note
        </Button>
      )}
    </form>
  )
}
