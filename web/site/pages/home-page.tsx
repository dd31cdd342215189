import { type FormEvent, type ReactNode, Suspense, useId } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { namedProvider } from '../../../core/contract/page.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { paths } from '../../paths.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Tick } from '../../ui/tick.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'

// Large, and complete as HTML without a script.
const LandingSections = lazyPart(() => import('./landing-sections.tsx').then((part) => part.LandingSections))
// The server preloads it where it is shown (web/render/server.tsx).
const Microsite = lazyPart(() => import('./microsite-page.tsx').then((part) => part.Microsite))

/** Shows a provider's site if the address or the host names a provider, and otherwise our own. */
export function HomePage() {
  const [query] = useSearchParams()

  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={namedProvider(query) ? <MicrositeNotFound /> : <Landing />}
      failed={(retry) => <MicrositeUnavailable onRetry={retry} />}
    >
      {(provider) => (
        <Suspense fallback={<MicrositeLoading />}>
          <Microsite provider={provider} />
        </Suspense>
      )}
    </WithProviderOfPage>
  )
}

function Landing() {
  return (
    <>
      <PageMeta />
      <Hero form={<LeadFormCard />} />
      <AsSeenOn />
      <Suspense>
        <LandingSections />
      </Suspense>
    </>
  )
}

/** Shows the press about the product, and its maker. */
function AsSeenOn() {
  return (
    <section aria-labelledby="as-seen-on-heading" className="below-fold bg-paper">
      <div className="mx-auto grid max-w-6xl items-center gap-x-16 gap-y-10 px-4 py-12 sm:px-6 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-12 lg:py-14">
        <div>
          <h2 id="as-seen-on-heading" className="font-display text-2xl text-ink">
            As seen on
          </h2>
          <ul className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-4">
            {brand.partners.map(({ name, logo, width, height }) => (
              <li key={name} className="grid min-h-18 place-items-center bg-paper px-4 sm:min-h-24">
                <img
                  src={logo}
                  alt={name}
                  width={width}
                  height={height}
                  loading="lazy"
                  className="h-auto max-h-8 w-auto sm:max-h-9 max-w-full"
                />
              </li>
            ))}
          </ul>
        </div>
        <Creator />
      </div>
    </section>
  )
}

function Creator() {
  const { name, role, credentials, portrait } = brand.creator
  return (
    <figure className="grid grid-cols-[8rem_1fr] items-center gap-x-5 sm:grid-cols-[11rem_1fr] sm:gap-x-7">
      <img src={portrait} alt={`Portrait of ${name}`} width="320" height="432" loading="lazy" className="rounded-xl" />
      <figcaption>
        <p className="font-display text-[1.375rem] leading-tight text-ink sm:text-2xl">{name}</p>
        <p className="mt-1 font-semibold text-secondary">{role}</p>
        <ul className="mt-3 grid gap-1 text-[0.9375rem] leading-snug text-quiet">
          {credentials.map((credential) => (
            <li key={credential}>{credential}</li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

/**
 * Shows the top of the home page, with the lead form beside it, or below it on small screens. A dial rises over hills:
 * from behind the form, or at the edge of a small window. They come last, so that nothing moves while the
 * page arrives in parts, and the hills must not be a scroll anchor.
 */
function Hero({ form }: { form: ReactNode }) {
  return (
    <div className="on-dark relative isolate overflow-hidden bg-primary text-white max-lg:bg-linear-to-b max-lg:from-primary max-lg:from-60% max-lg:to-dusk max-lg:to-60%">
      <div className="mx-auto grid max-w-6xl items-start gap-x-14 gap-y-12 px-4 pt-10 pb-12 sm:px-6 md:pt-14 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_29rem] lg:py-16 lg:[&>:first-child]:pt-3">
        <Pitch />
        <div className="lg:relative">
          {form}
          <Orb className="absolute -top-[6.75rem] left-full -z-20 size-96 max-w-none -translate-x-[48%] max-[359px]:-translate-x-[31%] md:-top-[9rem] md:size-[48rem] md:-translate-x-[56%] lg:top-100 lg:left-[31%] lg:size-[60rem] lg:-translate-1/2 xl:left-24" />
        </div>
      </div>
      <img
        src="/art/hero.svg"
        alt=""
        width="2400"
        height="320"
        className="absolute bottom-0 left-1/2 -z-10 h-80 w-[150rem] max-w-none -translate-x-1/2 [overflow-anchor:none]"
      />
    </div>
  )
}

function Pitch() {
  return (
    <div>
      <h1 className="font-display text-[2.625rem] leading-[1.05] font-medium tracking-tight max-w-[9.5em] sm:text-6xl xl:text-[4.25rem]">
        {brand.claims.homeHeadline}
      </h1>
      <p className="mt-5 max-w-[27rem] text-lg leading-relaxed text-lilac">
        The {brand.product} is guided by a certified provider near you. Leave your zip code, and the nearest clinic
        calls you for a free, private consultation.
      </p>
      <FormLink className={`${buttonClass({ variant: 'light', size: 'large' })} mt-7`}>
        Claim Your FREE Consultation
      </FormLink>
      <ZipStart />
      <ul className="mt-9 grid max-w-[34rem] gap-y-4">
        {brand.benefits.map(({ claim, why }) => (
          <li key={claim} className="grid grid-cols-[1.5rem_1fr] gap-x-3">
            <Tick className="mt-0.5" />
            <p>
              <strong className="font-semibold">{claim}</strong>
              <span className="block text-lilac">{why}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-5 text-sm text-lilac">Individual results vary.</p>
    </div>
  )
}

/** Asks for the zip code at the top of a page on a phone, and leads to the second step of the quiz with it. */
function ZipStart() {
  const id = useId()
  const navigate = useNavigate()

  // Without it the browser sends the same query, and forgets what was typed into the other form of the page.
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const zip = String(new FormData(event.currentTarget).get('zip_code')).trim()
    navigate({ pathname: paths.start, search: `?${new URLSearchParams({ zip_code: zip })}` })
  }

  return (
    <form method="get" action={paths.start} onSubmit={submit} className="mt-5 max-w-md lg:hidden print:hidden">
      <label htmlFor={id} className="block text-sm font-semibold">
        Is a clinic near you? Your zip code
      </label>
      <div className="mt-1 flex gap-2">
        <input
          id={id}
          name="zip_code"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          required
          className="min-h-11 w-full min-w-0 rounded-lg border border-edge bg-background px-3 text-base text-ink"
        />
        <button type="submit" className={`${buttonClass({ variant: 'outline' })} shrink-0`}>
          Check my area
        </button>
      </div>
    </form>
  )
}

const CENTER = 320
const RADII = { disc: 215, gain: 252, scale: 292, glow: 480 }

/** Returns the dash pattern of a circle with one mark every `step` degrees, `width` px wide. */
const marks = (radius: number, step: number, width: number) =>
  `${width} ${((2 * Math.PI * radius * step) / 360 - width).toFixed(3)}`

/** Returns the point of the circle of the gain at an angle, clockwise from the right. */
const onGain = (degrees: number) =>
  [Math.cos, Math.sin].map((part) => (CENTER + RADII.gain * part((degrees * Math.PI) / 180)).toFixed(1)).join(' ')

const GAIN = { from: 190, to: 243 }
const circle = { cx: CENTER, cy: CENTER }

/**
 * Ornament: a dial around a disc that shines, half as wide as the drawing. It is a part of the page and no picture of its
 * own, so that the largest thing that a browser paints first is a text.
 */
function Orb({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="-160 -160 960 960" className={className} fill="none" aria-hidden="true">
      <defs>
        <radialGradient id="orb-glow">
          <stop stopColor="var(--color-accent)" stopOpacity="0.8" />
          <stop offset="0.42" stopColor="var(--color-secondary)" stopOpacity="0.75" />
          <stop offset="1" stopColor="var(--color-primary)" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="orb-disc" x2="0" y2="1">
          <stop stopColor="var(--color-paper)" stopOpacity="0.8" />
          <stop offset="0.5" stopColor="var(--color-lilac)" stopOpacity="0.32" />
          <stop offset="1" stopColor="var(--color-accent)" stopOpacity="0.06" />
        </linearGradient>
      </defs>
      <circle {...circle} r={RADII.glow} fill="url(#orb-glow)" />
      <circle {...circle} r={RADII.disc} fill="url(#orb-disc)" />
      <g stroke="var(--color-lilac)">
        <circle {...circle} r={RADII.disc} opacity="0.5" />
        <circle
          {...circle}
          r={RADII.scale}
          strokeWidth="11"
          strokeDasharray={marks(RADII.scale, 1.5, 1.2)}
          opacity="0.45"
        />
        <circle
          {...circle}
          r={RADII.scale - 6}
          strokeWidth="23"
          strokeDasharray={marks(RADII.scale - 6, 15, 1.9)}
          opacity="0.85"
        />
      </g>
      <path
        d={`M${onGain(GAIN.from)}A${RADII.gain} ${RADII.gain} 0 0 1 ${onGain(GAIN.to)}`}
        stroke="var(--color-accent)"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <circle cx={onGain(GAIN.to).split(' ')[0]} cy={onGain(GAIN.to).split(' ')[1]} r="7" fill="white" />
    </svg>
  )
}
