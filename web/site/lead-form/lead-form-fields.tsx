import { CheckboxField } from '../../shared/forms/checkbox-field.tsx'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { LeadFormLogic } from './use-lead-form.ts'

type Props = { lead: LeadFormLogic; className?: string }

// The first invalid field in the order of registration gets the focus, so each group registers its fields from top to
// bottom.
export function PersonFields({ lead, phoneClass }: Props & { phoneClass?: string }) {
  return (
    <>
      <TextField label="First Name" autoComplete="given-name" required {...lead.bind('first_name')} />
      <TextField label="Last Name" autoComplete="family-name" required {...lead.bind('last_name')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        className="sm:col-span-2"
        required
        {...lead.bind('email')}
      />
      <TextField label="Phone" type="tel" autoComplete="tel" className={phoneClass} required {...lead.bind('phone')} />
    </>
  )
}

export function ZipField({ lead, className }: Props) {
  return (
    <ZipCodeField
      className={className}
      onPasteZip={(zip) =>
        lead.form.setValue('zip_code', zip, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
      }
      required
      {...lead.bind('zip_code')}
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
