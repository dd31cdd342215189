import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { buttonClass } from '../../ui/button.tsx'

const { title, from, cards, note } = texts.financing

/** Shows the payment plans, on the sites of clinics that offer them. */
export function PaymentPlans({ clinic: { isFree } }: { clinic: ClinicOfPage }) {
  return (
    <section aria-labelledby="payment-heading" className="below-fold">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
          <h2
            id="payment-heading"
            className="max-w-[16ch] font-display text-4xl leading-[1.1] font-medium tracking-tight text-ink sm:text-5xl"
          >
            {title}
          </h2>
          <p className="border-l-4 border-accent pl-4">
            Plans from{' '}
            <strong className="block font-display text-4xl leading-tight font-medium text-primary sm:text-5xl">
              {from}
            </strong>
          </p>
        </div>
        <ul className="mt-10 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {cards.map(({ title, text }) => (
            <li key={title} className="bg-mist p-6">
              <span aria-hidden="true" className="scale-x mb-4 block h-4 w-25 text-secondary/60" />
              <h3 className="font-semibold text-ink">{title}</h3>
              <p className="mt-1.5">{text}</p>
            </li>
          ))}
        </ul>
        <Partners />
        <div className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-4">
          <AnchorLink anchor={PROVIDER_FORM} className={buttonClass({ size: 'large' })}>
            {isFree ? 'Schedule Free Consultation' : 'Schedule Consultation'}
          </AnchorLink>
          <p className="text-balance text-quiet">
            {isFree
              ? 'No obligation\u00a0• Free consultation\u00a0• Find out if you qualify'
              : 'No obligation\u00a0• Find out if you qualify'}
          </p>
        </div>
      </div>
    </section>
  )
}

function Partners() {
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <p className="text-sm text-quiet max-sm:w-full">Financing partners</p>
        {brand.financingPartners.map(({ name, logo, width, height }) => (
          <img key={name} src={logo} alt={name} width={width} height={height} loading="lazy" className="h-9 w-auto" />
        ))}
      </div>
      <p className="text-sm text-quiet">{note}</p>
    </div>
  )
}
