import { useState } from 'react'
import { CorrectNumber } from '../leads/edit-lead-dialog.tsx'
import { ReleaseHeld } from '../leads/held-lead.tsx'
import { MatchLead } from '../leads/match-dialog.tsx'
import { passedOnWords } from '../leads/pass-on.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import { useUndo } from '../undo.tsx'
import { AttentionPanel } from './attention-panel.tsx'

export function AttentionTab() {
  const { offer } = useUndo()
  const providers = useProviders().data
  const [matching, setMatching] = useState<number>()
  return (
    <>
      <AttentionPanel
        onMatch={setMatching}
        releaseButton={(id, { title, heldReason }) =>
          heldReason && <ReleaseHeld id={id} name={title} reason={heldReason} />
        }
        correctButton={(id, { title }) => <CorrectNumber id={id} name={title} />}
        passedOnWords={(lead) => passedOnWords(lead, providers)}
      />
      {matching !== undefined && (
        <MatchLead
          id={matching}
          onMatched={({ id }) =>
            offer({ undo: 'undo-match', ids: [id], description: 'Lead provider updated successfully' })
          }
          onClose={() => setMatching(undefined)}
        />
      )}
    </>
  )
}
