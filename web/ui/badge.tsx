import type { ReactNode } from 'react'

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
