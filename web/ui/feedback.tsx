import type { ReactNode } from 'react'

export function Alert({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="alert" className="rounded-xl border border-bad bg-bad-soft px-4 py-3 text-bad">
      <p className="font-semibold">{title}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}

const TONES = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  wait: 'bg-wait-soft text-wait',
  neutral: 'bg-mist text-quiet',
} as const

export type Tone = keyof typeof TONES

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2.5 py-0.5 text-[0.8125rem] font-semibold whitespace-nowrap staff:px-2 staff:py-0 staff:text-xs staff:leading-5 ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}

export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded bg-line ${className}`} />
}

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
