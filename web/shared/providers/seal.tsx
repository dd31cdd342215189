const TICKS = Array.from({ length: 48 }, (_, index) => index * 7.5)

/** The seal of a certified provider: a tick in a graduated ring. */
export function Seal({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" className={`shrink-0 ${className}`} fill="none" aria-hidden="true">
      <circle cx="24" cy="24" r="23" fill="var(--color-primary)" stroke="var(--color-lilac)" strokeWidth="1.2" />
      <g stroke="var(--color-lilac)" strokeWidth="0.9">
        {TICKS.map((degrees) => (
          <path
            key={degrees}
            d={degrees % 45 === 0 ? 'M24 3v4.2' : 'M24 3v2.4'}
            transform={`rotate(${degrees} 24 24)`}
          />
        ))}
      </g>
      <circle cx="24" cy="24" r="14" fill="white" />
      <path
        d="m17.6 24.4 4.5 4.4 8.4-9.6"
        stroke="var(--color-secondary)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
