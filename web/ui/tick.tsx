export function Tick({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={`size-6 shrink-0 ${className}`} fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" stroke="currentColor" opacity="0.5" />
      <path d="m7.5 12.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
