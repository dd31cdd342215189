import { PageMeta } from '../../shared/page-meta.tsx'
import { ConfirmEmail } from '../confirm-email/confirm-email.tsx'

export function ConfirmEmailPage() {
  return (
    <div className="grid grow bg-mist">
      <PageMeta />
      <div className="mx-auto grid w-full max-w-3xl content-center gap-6 px-4 py-20 sm:px-6 lg:py-36">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">
          Confirm your new e-mail address
        </h1>
        <ConfirmEmail />
      </div>
    </div>
  )
}
