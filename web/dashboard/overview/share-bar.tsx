/** How long a number is beside the largest one. The number itself stands next to it. */
export function ShareBar({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full" aria-hidden="true">
      <rect width="100" height="6" className="fill-line" />
      <rect width={Math.max(2, share * 100)} height="6" className="fill-secondary" />
    </svg>
  )
}
