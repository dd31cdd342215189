import { useId } from 'react'
import { inches, MONTHS, measures } from './projection.ts'
import { Ruler } from './ruler.tsx'
import { Slider } from './slider.tsx'

type Props = {
  name: keyof typeof measures
  value: number
  onChange: (value: number) => void
  /** As wide as the measure's range on the ruler, and one thumb more. */
  railClass: string
}

/** One measure: its two readings, and a ruler with the slider as its cursor. */
export function Gauge({ name, value, onChange, railClass }: Props) {
  const id = useId()
  const measure = measures[name]
  const current = inches(value)
  const projected = inches(value + measure.gain)

  return (
    <div>
      <div className="grid grid-flow-col items-end justify-between gap-x-3">
        <div>
          <label htmlFor={id} className="block text-sm font-medium text-lilac">
            Current {name}
          </label>
          <Reading htmlFor={id} value={current} />
        </div>
        <p className="mb-1.5 hidden rounded-full border border-accent px-2.5 py-0.5 text-sm font-semibold tabular-nums @xs:block @md:mb-2.5">
          +{inches(measure.gain)}
          <span className="sr-only"> inches</span>
        </p>
        <div className="text-right">
          <p className="block text-sm font-medium text-lilac">
            <span className="sr-only">Projected {name} </span>After {MONTHS} months
          </p>
          <Reading htmlFor={id} value={projected} />
        </div>
      </div>
      <div className="relative mt-5">
        <Ruler measure={measure} current={value} />
        <Slider
          id={id}
          className={`absolute bottom-0 left-[calc(30%-0.875rem)] ${railClass}`}
          measure={measure}
          value={value}
          valueText={`${current} inches, projected ${projected} inches after ${MONTHS} months`}
          onChange={onChange}
        />
      </div>
    </div>
  )
}

/** Not announced by itself: the slider's own text says both readings. */
function Reading({ htmlFor, value }: { htmlFor: string; value: string }) {
  return (
    <output
      htmlFor={htmlFor}
      aria-live="off"
      className="mt-1 block font-display text-[2.375rem] leading-none tracking-tight tabular-nums lining-nums @md:text-6xl"
    >
      {value}
      <span className="ml-1.5 font-sans text-base tracking-normal text-lilac @md:text-lg">in</span>
    </output>
  )
}
