import type { FieldErrors } from 'react-hook-form'
import { toast } from '../../ui/toast.ts'
import type { LeadFields } from './lead-fields.ts'

/** Shows a toast if the consent is among the errors. */
export function tellConsent({ acceptance_consent }: FieldErrors<LeadFields>): void {
  if (!acceptance_consent) return
  toast({
    variant: 'destructive',
    title: 'Consent Required',
    description: 'You must agree to receive communications to continue.',
  })
}
