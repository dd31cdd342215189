import type { ReactNode } from 'react'
import { fullAddress } from '../../../core/contract/addresses.ts'
import { formatPhone } from '../../../core/contract/phones.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { telUrl, websiteUrl } from '../../lib/texts.ts'
import { ProviderAvatar } from './provider-avatar.tsx'

/** Shows a provider's picture, names and contact details. */
export function ProviderDetails({ provider }: { provider: PublicProvider }) {
  const { name, practiceName, phone, website } = provider
  const link = 'inline-block min-h-6 font-semibold text-secondary underline underline-offset-4 hover:text-primary'

  return (
    <div className="flex flex-col gap-5 sm:flex-row sm:gap-6">
      <ProviderAvatar provider={provider} />
      <div className="min-w-0 wrap-anywhere">
        <p className="text-xl font-semibold text-ink">{name}</p>
        {practiceName && <p>{practiceName}</p>}
        <dl className="mt-4 grid gap-3">
          {phone && (
            <Detail label="Phone">
              <a href={telUrl(phone)} className={link}>
                {formatPhone(phone)}
              </a>
            </Detail>
          )}
          {website && (
            <Detail label="Website">
              <a href={websiteUrl(website)} target="_blank" rel="noreferrer" className={link}>
                Visit Website
              </a>
            </Detail>
          )}
          <Detail label="Address">{fullAddress(provider)}</Detail>
        </dl>
      </div>
    </div>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5rem_1fr]">
      <dt className="text-quiet">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
