import { useState } from 'react'
import type { Invitation } from '../../../core/contract/staff.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'

/** A password that is shown this once, for whoever hands it over. */
export function InvitationWords({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const { account, password, password_expires_at } = invitation
  return (
    <>
      <p className="mt-2">
        Give this password to <strong className="text-ink">{account.name}</strong>, preferably not by e-mail. It is
        shown only once, is valid until {formatMoment(password_expires_at)}, and only lets them choose a password of
        their own.
      </p>
      <p className="mt-4 rounded-lg border border-line bg-mist px-4 py-3 font-mono text-lg text-ink wrap-anywhere">
        {password}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CopyButton text={password} />
        <Button onClick={onDone}>Done</Button>
      </div>
    </>
  )
}

function CopyButton({ text }: { text: string }) {
  const [outcome, setOutcome] = useState('')

  function copy() {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not copied: please select it'),
    )
  }

  return (
    <>
      <p role="status" className="self-center text-sm text-quiet">
        {outcome}
      </p>
      <Button variant="outline" onClick={copy}>
        Copy password
      </Button>
    </>
  )
}
