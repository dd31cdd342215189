import type { FieldErrors } from 'react-hook-form'
import { toast } from '../../ui/toast.ts'
import type { LeadFields } from './lead-fields.ts'

/** Says in a toast that the consent is missing, if that is among what is wrong. */
export function tellConsent({ acceptance_consent }: FieldErrors<LeadFields>): void {
  if (!acceptance_consent) return
  toast({
    variant: 'destructive',
    title: 'Consent Required',
    description: 'You must agree to receive communications to continue.',
  })
}
