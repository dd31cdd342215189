import { type Ref, useState } from 'react'
import { addLeadNote, deleteLeadNote, type LeadNote, MAX_NOTE_LENGTH } from '../../../core/contract/lead-work.ts'
import type { Person } from '../../../core/contract/session.ts'
import { actorName } from '../../lib/actors.ts'
import { act, call } from '../../lib/call.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Props = {
  leadId: number
  notes: LeadNote[]
  me: Person | undefined
  /** Whether the viewer may write notes. */
  canWrite: boolean
  fieldRef: Ref<HTMLTextAreaElement>
}

/** Lists the notes on a lead, oldest first, and takes new ones. */
export function LeadNotes({ leadId, notes, me, canWrite, fieldRef }: Props) {
  const remove = useLeadAction({
    act: (noteId: number) => act(deleteLeadNote, { params: { id: leadId, noteId } }),
    done: 'Note deleted',
    failed: 'Failed to delete the note',
  })
  const mayDelete = ({ author }: LeadNote) => canWrite && (me?.role === 'manager' || author === me?.email)
  return (
    <div className="grid gap-2.5">
      {notes.length > 0 && (
        <ol aria-label="Notes" className="grid gap-2">
          {notes.map((note) => (
            <li key={note.id} className="rounded-lg bg-mist px-3 py-2 text-sm">
              <div className="flex items-center justify-between gap-2">
                <p className="text-quiet">
                  <span className="font-semibold text-ink">
                    {actorName({ actor: note.author, actor_name: note.author_name })}
                  </span>
                  , <time dateTime={note.at}>{formatMinute(note.at)}</time>
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
              <p className="whitespace-pre-line wrap-anywhere text-ink">{note.body}</p>
            </li>
          ))}
        </ol>
      )}
      {notes.length === 0 && !canWrite && <p className="text-sm text-quiet">No notes.</p>}
      {canWrite && <NewNote leadId={leadId} fieldRef={fieldRef} />}
    </div>
  )
}

function NewNote({ leadId, fieldRef }: Pick<Props, 'leadId' | 'fieldRef'>) {
  const [body, setBody] = useState('')
  const add = useLeadAction({
    act: () => call(addLeadNote, { params: { id: leadId }, body: { body } }),
    done: () => setBody(''),
    failed: 'Failed to add the note',
  })
  const submit = () => body.trim() !== '' && !add.isPending && add.mutate(undefined)
  return (
    <div className="grid justify-items-start gap-2">
      <textarea
        ref={fieldRef}
        aria-label="New note"
        rows={3}
        value={body}
        maxLength={MAX_NOTE_LENGTH}
        placeholder="Write a note."
        onChange={({ target }) => setBody(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && submit()}
        className="block w-full rounded-lg border border-edge bg-background px-2.5 py-2 text-sm text-ink placeholder:text-quiet hover:border-secondary"
      />
      {body.trim() !== '' && (
        <Button variant="outline" size="small" busy={add.isPending} onClick={submit}>
          Add note
        </Button>
      )}
    </div>
  )
}
