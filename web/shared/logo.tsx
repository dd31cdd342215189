import { brand } from '../../core/brand/brand.ts'

/** The brand's mark (a V below three marks of a scale) and its name, in the color of the text around it. */
export function Logo() {
  return (
    <span data-logo className="inline-flex items-center gap-2">
      <svg viewBox="5 3.5 22 25" className="h-7 w-6.25" fill="none" aria-hidden="true">
        <path
          d="M6.5 9 16 26 25.5 9"
          stroke="currentColor"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <path
          d="M16 5.5v6M12.4 6.4v2.8M19.6 6.4v2.8"
          stroke="var(--color-accent)"
          strokeWidth="1.8"
          strokeLinecap="round"
        />
      </svg>
      <span className="font-brand text-2xl leading-none font-medium tracking-tight">{brand.company}</span>
    </span>
  )
}

/** Shows a clinic's name as a logo, in the color of the text around it. A long name takes a second line. */
export function ClinicWordmark({ name }: { name: string }) {
  return (
    <span className="block min-w-0 py-1">
      <span
        className={`line-clamp-2 font-brand leading-tight font-medium tracking-tight text-balance wrap-anywhere ${name.length > 24 ? 'text-base sm:text-lg' : 'text-lg sm:text-xl'}`}
      >
        {name}
      </span>
      <span className="block text-[0.6875rem] leading-snug opacity-80 max-[359px]:in-[header]:sr-only sm:text-xs">
        {' '}
        a {brand.company} certified clinic
      </span>
    </span>
  )
}
