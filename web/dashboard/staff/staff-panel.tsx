import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Table } from '../../ui/table.tsx'
import { AddStaffDialog } from './add-staff-dialog.tsx'
import { SharedPasswordCard } from './shared-password-card.tsx'
import { COLUMNS, StaffRow } from './staff-row.tsx'
import { useStaff } from './use-staff.ts'

type Props = {
  /** The account that looks; null for the shared password. */
  ownId: number | null
  /** Where everybody is signed in. */
  sessions: ReactNode
}

/** The accounts of staff, for managers. */
export function StaffPanel({ ownId, sessions }: Props) {
  const { data, error, isFetching, refetch } = useStaff({ enabled: true })
  const staff = data?.staff
  const [isAdding, setAdding] = useState(false)

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-quiet">
          With accounts, everyone acts under their own name, and access can be removed one person at a time.
        </p>
        <Button size="small" className="min-h-10" onClick={() => setAdding(true)}>
          Add an account
        </Button>
      </div>
      <LoadError fallback="Failed to load the accounts" {...{ error, isFetching }} onRetry={refetch} />
      {(staff || !error) && (
        <div className="overflow-hidden rounded-2xl border border-line bg-white">
          <Table
            columns={COLUMNS}
            rows={staff?.map((account) => <StaffRow key={account.id} account={account} isOwn={account.id === ownId} />)}
            empty="No accounts yet. Until then, everyone signs in with the shared password."
          />
        </div>
      )}
      {data && <SharedPasswordCard {...data.shared_password} />}
      <section aria-labelledby="open-sessions" className="rounded-2xl border border-line bg-white p-4 sm:p-6">
        <h2 id="open-sessions" className="font-display text-2xl font-medium text-ink">
          Signed in now
        </h2>
        {sessions}
      </section>
      {isAdding && <AddStaffDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
