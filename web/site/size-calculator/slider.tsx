import { type KeyboardEvent, useEffect, useRef } from 'react'
import { isOnStep, type Measure, moveBySteps, STEP, toStep } from './projection.ts'

const KEYS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
}

type Props = {
  id: string
  className: string
  measure: Measure
  value: number
  /** What a screen reader says instead of the bare number. */
  valueText: string
  onChange: (value: number) => void
}

/**
 * A native slider. Its initial value may lie between two steps, where a browser would move it to the next one: it has
 * no step until it has been moved. The keys are ours for the same reason, and are the same in every browser.
 */
export function Slider({ id, className, measure, value, valueText, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const moveTo = (next: number) => onChange(toStep(next))

  // The visitor may have moved it before this page came alive.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was there at the start matters
  useEffect(() => {
    const found = input.current?.valueAsNumber ?? value
    if (found !== value) moveTo(found)
  }, [])

  function moveByKey(event: KeyboardEvent) {
    const steps = KEYS[event.key]
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return

    event.preventDefault()
    onChange(moveBySteps(value, steps, measure))
  }

  return (
    <input
      ref={input}
      id={id}
      type="range"
      min={measure.min}
      max={measure.max}
      step={isOnStep(value) ? STEP : 'any'}
      value={value}
      autoComplete="off"
      aria-valuetext={valueText}
      onChange={(event) => moveTo(event.target.valueAsNumber)}
      onKeyDown={moveByKey}
      className={`slider h-11 ${className}`}
    />
  )
}
