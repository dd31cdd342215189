/** What is known, by name. What is not known is left out. */
export function FactList({ facts }: { facts: Record<string, string | null | undefined> }) {
  return (
    <dl className="grid gap-2 text-sm">
      {Object.entries(facts).map(
        ([label, value]) =>
          value && (
            <div key={label} className="grid grid-cols-[7rem_1fr] gap-x-3">
              <dt className="text-quiet">{label}</dt>
              <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
