import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getSecondFactor,
  type RecoveryCodes,
  removeTotp,
  renewRecoveryCodes,
  type SecondFactor,
  setUpTotp,
} from '../../../../core/contract/second-factor.ts'
import { act, call } from '../../../lib/call.ts'
import { formatDay } from '../../../lib/dates.ts'
import { countOf } from '../../../lib/numbers.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { LoadError } from '../../../ui/load-error.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { AppSetup } from './app-setup.tsx'
import { Part } from './part.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodeList } from './recovery-codes.tsx'

/** What one's own account has for two-step sign-in, and everything that changes it. */
export function TwoStepSettings({ onCodesSaved }: { onCodesSaved?: () => void }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => call(getSecondFactor),
    refetchOnMount: 'always',
  })
  const [codes, setCodes] = useState<string[]>()
  const showCodes = ({ recovery_codes }: RecoveryCodes) => setCodes(recovery_codes ?? undefined)

  if (codes) {
    return (
      <RecoveryCodeList
        codes={codes}
        onSaved={() => {
          setCodes(undefined)
          onCodesSaved?.()
        }}
      />
    )
  }
  return (
    <>
      <LoadError fallback="Failed to load two-step sign-in" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && (
        <div className="divide-y divide-line">
          <App since={data.totp_since} onCodes={showCodes} />
          <Passkeys passkeys={data.passkeys} onCodes={showCodes} />
          <Recovery factor={data} onCodes={showCodes} />
        </div>
      )}
    </>
  )
}

type CodesProps = { onCodes: (codes: RecoveryCodes) => void }

function App({ since, onCodes }: CodesProps & { since: string | null }) {
  const setup = useAction({
    act: () => call(setUpTotp),
    done: () => {},
    failed: 'Failed to set up the app',
    changes: 'second-factor',
  })
  const remove = useAction({
    act: () => act(removeTotp),
    done: 'Authenticator app turned off',
    failed: 'Failed to turn off the authenticator app',
    changes: 'second-factor',
  })
  const action = since ? (
    <ConfirmButton
      label="Turn off"
      title="Turn the authenticator app off?"
      danger
      busy={remove.isPending}
      onConfirm={(options) => remove.mutate(undefined, options)}
    >
      Its codes stop working. You can delete the entry in the app.
    </ConfirmButton>
  ) : (
    !setup.data && (
      <Button variant="outline" size="small" busy={setup.isPending} onClick={() => setup.mutate()}>
        Set up an app
      </Button>
    )
  )
  return (
    <Part
      title="Authenticator app"
      badge={since && <Badge tone="good">On since {formatDay(since)}</Badge>}
      words="An app on your phone shows a new code every 30 seconds, without a network."
      action={action}
    >
      {!since && setup.data && (
        <AppSetup
          setup={setup.data}
          onDone={(codes) => {
            setup.reset()
            onCodes(codes)
          }}
        />
      )}
    </Part>
  )
}

function Recovery({ factor, onCodes }: CodesProps & { factor: SecondFactor }) {
  const renew = useAction({
    act: () => call(renewRecoveryCodes),
    done: () => {},
    failed: 'Failed to make recovery codes',
    changes: 'second-factor',
  })
  const left = factor.recovery_codes_left
  if (!factor.totp_since && factor.passkeys.length === 0) return null
  return (
    <Part
      title="Recovery codes"
      badge={<Badge tone={left > 2 ? 'good' : 'bad'}>{countOf(left, 'code')} left</Badge>}
      words="For when your phone or passkey is lost. Each works once."
      action={
        <ConfirmButton
          label="Make new codes"
          title="Make new recovery codes?"
          busy={renew.isPending}
          onConfirm={(options) => renew.mutate(undefined, { ...options, onSuccess: onCodes })}
        >
          The codes that you have now stop working.
        </ConfirmButton>
      }
    />
  )
}
