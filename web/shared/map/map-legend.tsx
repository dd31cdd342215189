import { INACTIVE_WORDS } from './points.ts'

const SIGNS = [
  { sign: <img src="/art/map/pin.svg" alt="" width="18" height="24" />, meaning: 'Certified Provider' },
  { sign: <img src="/art/map/pin-inactive.svg" alt="" width="18" height="24" />, meaning: INACTIVE_WORDS },
  {
    sign: (
      <span className="grid size-6 place-content-center rounded-full bg-primary text-xs font-semibold text-white">
        5
      </span>
    ),
    meaning: 'Several providers; select to zoom in',
  },
  {
    sign: <span className="block size-3.5 rounded-full bg-accent outline-4 outline-accent/25" />,
    meaning: 'Your Location',
  },
]

/** Shows the legend of the marks on a map of providers. */
export function MapLegend() {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-7 gap-y-2 text-sm">
      {SIGNS.map(({ sign, meaning }) => (
        <li key={meaning} className="flex min-h-6 items-center gap-2.5">
          <span aria-hidden="true">{sign}</span>
          {meaning}
        </li>
      ))}
    </ul>
  )
}
