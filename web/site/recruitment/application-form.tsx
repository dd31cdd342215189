import { CheckboxField } from '../../shared/forms/checkbox-field.tsx'
import { PostForm } from '../../shared/forms/post-form.tsx'
import { ZipCodeField } from '../../shared/forms/zip-code-field.tsx'
import { Button } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { useApplicationForm } from './use-application-form.ts'

/** Shows the form with which a clinic applies to join the network. */
export function ApplicationForm({ onSent }: { onSent: () => void }) {
  const { form, bind, errorAt, ...logic } = useApplicationForm(onSent)

  return (
    <PostForm label="Provider application" logic={logic}>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField label="Name" autoComplete="name" required {...bind('name')} />
        <TextField label="Practice Name" autoComplete="organization" required {...bind('practice_name')} />
        <TextField label="Email" type="email" autoComplete="email" required {...bind('email')} />
        <TextField label="Phone" type="tel" autoComplete="tel" required {...bind('phone')} />
        <ZipCodeField
          required
          onPasteZip={(zip) =>
            form.setValue('zip_code', zip, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
          }
          {...bind('zip_code')}
        />
        {/* Not type=url: that would insist on the scheme. */}
        <TextField label="Website (optional)" inputMode="url" autoComplete="url" {...bind('website')} />
        <TextAreaField label="Message (optional)" rows={4} className="sm:col-span-2" {...bind('message')} />
      </div>
      <CheckboxField
        label={logic.consent.wording}
        required
        defaultChecked={logic.initial?.values.acceptance_consent}
        error={errorAt('acceptance_consent')}
        {...form.register('acceptance_consent')}
      />
      <Button type="submit" size="large" busy={logic.isSubmitting} className="mt-1 w-full">
        {logic.isSubmitting ? 'Wait! Submitting...' : 'Submit Your Application'}
      </Button>
    </PostForm>
  )
}
