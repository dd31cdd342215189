import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EditLeadDialog } from './edit-lead-dialog.tsx'
import { leadQuery } from './use-shown-rows.ts'

/** Corrects the phone number of a lead, by its id. */
export function CorrectNumber({ id, name }: { id: number; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data: lead, isFetching, error } = useQuery({ ...leadQuery(id), enabled: isOpen })
  return (
    <>
      <Button
        size="small"
        variant="outline"
        busy={isOpen && isFetching && !lead}
        title={error?.message}
        aria-label={`Correct the phone number of ${name}`}
        onClick={() => setOpen(true)}
      >
        Correct...
      </Button>
      {isOpen && lead && <EditLeadDialog lead={lead} onClose={() => setOpen(false)} />}
    </>
  )
}
