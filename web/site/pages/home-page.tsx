import { type FormEvent, Suspense, useId } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { namedProvider } from '../../../core/contract/page.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useProviderOfPage } from '../../lib/page-data.ts'
import { paths } from '../../pages.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Tick } from '../../ui/drawing.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { MicrositeLoading } from '../providers/with-provider-of-page.tsx'

// Large, and complete as HTML without a script.
const LandingSections = lazyPart(() => import('./landing-sections.tsx').then((part) => part.LandingSections))
// The server preloads it where it is shown (web/render/server.tsx).
const MicrositePage = lazyPart(() => import('./microsite-page.tsx').then((part) => part.MicrositePage))

/** Shows a provider's site if the address or the host names a provider, and otherwise our own. */
export function HomePage() {
  const [query] = useSearchParams()
  const ofPage = useProviderOfPage()
  const isNamed = Boolean(namedProvider(query))
  if (ofPage.known && !ofPage.provider && !isNamed) return <Landing />
  return (
    <Suspense fallback={<MicrositeLoading />}>
      <MicrositePage none={isNamed ? undefined : <Landing />} />
    </Suspense>
  )
}

function Landing() {
  return (
    <>
      <PageMeta />
      <Hero />
      <Suspense>
        <LandingSections />
      </Suspense>
    </>
  )
}

/**
 * Shows the top of the home page, with the lead form beside it, or below it on small screens. A dial rises over hills:
 * from behind the form, or at the edge of a small window. They come last, so that nothing moves while the
 * page arrives in parts, and the hills must not be a scroll anchor.
 */
function Hero() {
  return (
    <div className="on-dark relative isolate overflow-clip bg-primary text-white max-lg:bg-linear-to-b max-lg:from-primary max-lg:from-45% max-lg:to-dusk max-lg:to-75%">
      <div className="mx-auto grid max-w-6xl items-start gap-x-14 gap-y-12 px-4 pt-10 pb-12 sm:px-6 md:pt-14 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_29rem] lg:py-16 lg:[&>:first-child]:pt-3">
        <Pitch />
        <div className="lg:relative">
          <LeadFormCard />
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
        Is there a clinic near you? Enter your zip code
      </label>
      <div className="mt-1 flex flex-wrap gap-2">
        <input
          id={id}
          name="zip_code"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          required
          className="min-h-11 min-w-[9ch] flex-1 basis-0 rounded-lg border border-edge bg-background px-3 text-base text-ink"
        />
        <button type="submit" className={`${buttonClass({ variant: 'outline' })} shrink-0`}>
          Check my area
        </button>
      </div>
    </form>
  )
}

const circle = { cx: 320, cy: 320 }
/** Its dashes are in degrees. */
const scale = { ...circle, pathLength: 360 }

/** Draws a dial around a disc. It is no picture of its own, so that the largest thing painted first is a text. */
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
      <circle {...circle} r="480" fill="url(#orb-glow)" />
      <circle {...circle} r="215" fill="url(#orb-disc)" />
      <g stroke="var(--color-lilac)">
        <circle {...circle} r="215" opacity="0.5" />
        <circle {...scale} r="292" strokeWidth="11" strokeDasharray="0.235 1.265" opacity="0.45" />
        <circle {...scale} r="286" strokeWidth="23" strokeDasharray="0.38 14.62" opacity="0.85" />
      </g>
      <path
        d="M71.8 276.2A252 252 0 0 1 205.6 95.5"
        stroke="var(--color-accent)"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <circle cx="205.6" cy="95.5" r="7" fill="white" />
    </svg>
  )
}
