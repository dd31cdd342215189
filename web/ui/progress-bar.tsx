type Props = {
  label: string
  value: number
  /** The end of the scale. 0 means that it is empty or not known yet. */
  max: number
}

export function ProgressBar({ label, value, max }: Props) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={Math.max(max, 1)}
      className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-line forced-colors:appearance-auto [&::-moz-progress-bar]:bg-secondary [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-secondary"
    />
  )
}

/** A progress bar that is read out, but not at every step. */
export function SpokenProgressBar(props: Props) {
  const { label, value, max } = props
  return (
    <>
      <p role="status" className="sr-only">
        {label}: {Math.floor((4 * value) / Math.max(max, 1)) * 25}%
      </p>
      <ProgressBar {...props} />
    </>
  )
}
