import { useWatch } from 'react-hook-form'
import { CheckboxField } from '../../shared/forms/checkbox-field.tsx'
import { PhoneField } from '../../shared/forms/phone-field.tsx'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { LeadFormLogic } from './use-lead-form.ts'
import { useZipAnswer } from './zip-reach.ts'

type Props = { lead: LeadFormLogic; className?: string }

/** The grid of the fields. Names stand side by side from 360 px. */
export const FIELDS = 'grid gap-x-3 min-[22.5rem]:grid-cols-2 sm:gap-x-4'

// The first invalid field in the order of registration gets the focus, so each group registers its fields from top to
// bottom.
export function PersonFields({ lead }: Props) {
  return (
    <>
      <TextField label="First Name" autoComplete="given-name" required {...lead.bind('first_name')} />
      <TextField label="Last Name" autoComplete="family-name" required {...lead.bind('last_name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        className="min-[22.5rem]:col-span-2"
        required
        {...lead.bind('email')}
      />
      <PhoneField className="min-[22.5rem]:max-sm:col-span-2" required {...lead.bind('phone')} />
    </>
  )
}

/** Shows the field for the zip code, with what it comes to below it. */
export function ZipField({ lead: { form, bind, providerId }, className }: Props) {
  const zip = useWatch({ control: form.control, name: 'zip_code' })
  return (
    <ZipCodeField
      className={className}
      onPasteZip={(zip) =>
        form.setValue('zip_code', zip, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
      }
      answer={useZipAnswer(zip, providerId)}
      required
      {...bind('zip_code')}
    />
  )
}

export function ConsentField({ lead: { form, initial, errorAt, consent } }: Props) {
  return (
    <CheckboxField
      label={consent.wording}
      note={consent.sharing?.wording}
      required
      defaultChecked={initial?.values.acceptance_consent}
      error={errorAt('acceptance_consent')}
      {...form.register('acceptance_consent')}
    />
  )
}
