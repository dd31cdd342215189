import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { PasskeyOptions, RecoveryCodes, SecondFactor, TotpSetup } from '../../../../core/contract/second-factor.ts'
import { act } from '../../../lib/act.ts'
import { call } from '../../../lib/http.ts'
import { createPasskey } from '../../../lib/passkeys.ts'
import { staffEndpoints } from '../../../paths.ts'
import { useAction } from '../../../ui/use-action.ts'

export const getSecondFactor = (): Promise<SecondFactor> => call(staffEndpoints.secondFactor, { answer: SecondFactor })

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: getSecondFactor,
  refetchOnMount: 'always',
})

/** What one's own account has for two-step sign-in. */
export const useSecondFactor = () => useQuery(secondFactorQuery)

/** Makes the secret of an authenticator app. */
export function useTotpSetup() {
  return useAction({
    act: () => call(staffEndpoints.totp, { method: 'POST', answer: TotpSetup }),
    done: () => {},
    failed: 'Failed to set up the app',
    changes: 'second-factor',
  })
}

/** Turns the app on by a code of it. What is wrong with the code stands at its field. */
export function useTotpConfirmation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) =>
      call(staffEndpoints.confirmTotp, { method: 'POST', body: { code }, answer: RecoveryCodes }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['second-factor'] }),
  })
}

export async function addPasskey(name: string): Promise<RecoveryCodes> {
  const options = await call(staffEndpoints.newPasskeyOptions, { method: 'POST', answer: PasskeyOptions })
  const passkey = await createPasskey(options)
  return call(staffEndpoints.passkeys, { method: 'POST', body: { name, passkey }, answer: RecoveryCodes })
}

export function useAddPasskey() {
  return useAction({
    act: addPasskey,
    done: 'Passkey added',
    failed: 'Failed to add the passkey',
    changes: 'second-factor',
  })
}

export function useRemovePasskey() {
  return useAction({
    act: (id: number) => act('DELETE', staffEndpoints.ownPasskey(id)),
    done: 'Passkey removed',
    failed: 'Failed to remove the passkey',
    changes: 'second-factor',
  })
}

export function useRemoveTotp() {
  return useAction({
    act: () => act('DELETE', staffEndpoints.totp),
    done: 'Authenticator app turned off',
    failed: 'Failed to turn off the authenticator app',
    changes: 'second-factor',
  })
}

/** Makes new recovery codes, which end the earlier ones. */
export function useRenewRecoveryCodes() {
  return useAction({
    act: () => call(staffEndpoints.recoveryCodes, { method: 'POST', answer: RecoveryCodes }),
    done: () => {},
    failed: 'Failed to make recovery codes',
    changes: 'second-factor',
  })
}
