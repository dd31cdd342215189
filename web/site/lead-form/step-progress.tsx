const STEPS = [1, 2]

/** How far a form of two steps has come, told as marks on a scale. */
export function StepProgress({ step }: { step: number }) {
  return (
    <div className="flex items-center gap-4">
      <p className="text-sm font-semibold whitespace-nowrap text-secondary">Step {step} of 2</p>
      <span aria-hidden="true" className="grid grow grid-cols-2 gap-1.5">
        {STEPS.map((each) => (
          <span key={each} className={`h-1 rounded-full ${each <= step ? 'bg-accent' : 'bg-line'}`} />
        ))}
      </span>
    </div>
  )
}
