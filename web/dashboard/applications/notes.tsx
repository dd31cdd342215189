import { type FormEvent, useState } from 'react'
import { type ApplicationNote, addApplicationNote } from '../../../core/contract/application-details.ts'
import { actorName } from '../../lib/actors.ts'
import { act } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { offer } from '../commands.ts'
import { useApplicationAction } from './applications.ts'

type Props = { id: number; notes: ApplicationNote[]; canNote: boolean }

/** Shows the notes of staff and a field for another one. */
export function Notes({ id, notes, canNote }: Props) {
  return (
    <>
      {notes.length === 0 && <p className="text-quiet">No notes yet.</p>}
      <ul className="grid gap-2">
        {notes.map((note) => (
          <li key={note.id} className="rounded-lg bg-mist px-3 py-2">
            <p className="whitespace-pre-wrap wrap-anywhere text-ink">{note.text}</p>
            <p className="mt-1 text-[0.8125rem] text-quiet">
              {actorName(note)}, {formatMinute(note.at)}
            </p>
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

  function submit(event: FormEvent) {
    event.preventDefault()
    if (text.trim() !== '') note.mutate(undefined)
  }

  return (
    <form onSubmit={submit} className="grid justify-items-start gap-2">
      <textarea
        ref={offer({ label: 'Write a note', keywords: 'comment' })}
        aria-label="New note"
        rows={2}
        maxLength={2000}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="w-full rounded-lg border border-edge bg-background px-3 py-2 text-sm text-ink hover:border-secondary"
      />
      <Button
        type="submit"
        variant="outline"
        size="small"
        className="max-lg:min-h-11"
        busy={note.isPending}
        disabled={text.trim() === ''}
      >
        Add note
      </Button>
    </form>
  )
}
