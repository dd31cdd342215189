import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { STATE_NAMES } from '../../../core/contract/places.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { formatCount } from '../../lib/numbers.ts'
import { paths } from '../../pages.ts'
import { buttonClass, SmallButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { LINK, ProviderCard } from './provider-card.tsx'
import { cityText, distanceText, FILTERS, type Near, type Wishes } from './results.ts'
import type { Network } from './use-network.ts'

type Props = {
  network: Network
  providers: Map<number, PublicProvider>
  hasFailed: boolean
  onShow(point: Near): void
}

/** Shows the providers that the map is about as a list: everything that the map tells, for those who do not use it. */
export function ProviderList({ network, providers, hasFailed, onShow }: Props) {
  const { results, origin, errors, isPending, selectedId, pointedId, setPointed } = network
  if (isPending) {
    return [1, 2, 3].map((number) => (
      <div key={number} className="border-line px-5 py-4 not-last:border-b">
        <Waiting />
      </div>
    ))
  }
  const isIncomplete = errors.length > 0
  if (results.states.length > 0 && !isIncomplete) return <States network={network} />
  // A list that failed to load does not mean that there is no clinic.
  if (results.listed.length === 0) return isIncomplete ? null : <NoneInView network={network} />
  if (hasFailed && providers.size === 0) return <p className="p-5 text-bad">Failed to fetch providers</p>

  return (
    <>
      {!isIncomplete && <OutOfReach network={network} />}
      <ol>
        {results.listed.map((point) => {
          const provider = providers.get(point.id)
          return (
            <Item
              key={point.id}
              isSelected={point.id === selectedId}
              isPointed={point.id === pointedId}
              onPoint={(isOn) => setPointed(isOn ? point.id : undefined)}
            >
              {provider ? (
                <ProviderCard
                  provider={provider}
                  heading={(name) => <h3 className="font-semibold text-ink">{name}</h3>}
                  distance={origin && `${distanceText(point)} from ${origin.name}`}
                >
                  {!point.isOfZip && (
                    <button type="button" onClick={() => onShow(point)} className={`${LINK} noscript:hidden`}>
                      Show on map
                      <span className="sr-only">: {provider.practiceName ?? provider.name}</span>
                    </button>
                  )}
                </ProviderCard>
              ) : (
                <Waiting />
              )}
            </Item>
          )
        })}
      </ol>
    </>
  )
}

type ItemProps = { isSelected: boolean; isPointed: boolean; onPoint(isOn: boolean): void; children: ReactNode }

/** Shows an entry, which lights up its pin under the pointer or the focus, and is lit when its pin is chosen. */
function Item({ isSelected, isPointed, onPoint, children }: ItemProps) {
  const item = useRef<HTMLLIElement>(null)

  useEffect(() => {
    const list = item.current?.closest('[data-list]')
    if (!isSelected || !item.current || !list) return
    // Scrolls the list only, never the page.
    const { top, bottom } = item.current.getBoundingClientRect()
    const box = list.getBoundingClientRect()
    if (top < box.top + HEADING || bottom > box.bottom) list.scrollBy({ top: top - box.top - HEADING })
  }, [isSelected])

  return (
    <li
      ref={item}
      aria-current={isSelected || undefined}
      onMouseEnter={() => onPoint(true)}
      onMouseLeave={() => onPoint(false)}
      onFocus={() => onPoint(true)}
      onBlur={() => onPoint(false)}
      className={`border-l-4 nth-[n+4]:[contain-intrinsic-size:auto_15rem] nth-[n+4]:[content-visibility:auto] px-4 py-4 not-first:border-t not-first:border-t-line ${isSelected ? 'border-l-secondary bg-lilac/40' : isPointed ? 'border-l-lilac bg-mist' : 'border-l-transparent forced-colors:border-l-[Canvas]'}`}
    >
      {children}
    </li>
  )
}

/** The height of the title that stays on top of the list, in pixels. */
const HEADING = 76

/** Says that no active clinic is within reach of the place, with a way on. */
function OutOfReach({ network }: { network: Network }) {
  const { results, origin, scope, wishes, reach } = network
  const isOut = results.nearestMiles === undefined || results.nearestMiles > reach
  if (!origin || !('origin' in scope) || !isOut) return null
  const hasWishes = wished(wishes).length > 0
  return (
    <div className="border-b border-line bg-lilac/40 px-5 py-4">
      <p className="font-semibold text-ink">
        No clinic within {formatCount(reach)} miles of {cityText(origin.name)} {hasWishes ? wishText(wishes) : 'yet'}
      </p>
      {hasWishes && <Lift network={network} />}
      <p className="mt-1">
        Leave your details, and we’ll keep looking. {results.listed.length > 0 && 'The closest one is below.'}
      </p>
      <p className="mt-3">
        <Link
          to={{ pathname: paths.start, search: origin.zip ? `?zip_code=${origin.zip}` : '' }}
          className={buttonClass()}
        >
          Ask us to find one
        </Link>
      </p>
    </div>
  )
}

/** Shows the states with the number of their clinics, each a link to those. */
function States({ network }: { network: Network }) {
  const { results, wishes } = network
  const filters = wished(wishes).map(({ name }) => [name, '1'])
  const named = results.states.map(({ state, clinics }) => ({ name: STATE_NAMES[state] ?? state, clinics }))
  return (
    <ul className="columns-2 gap-x-6 px-4 py-3 md:px-5">
      {named
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ name, clinics }) => (
          <li key={name}>
            <Link
              to={{ search: `?${new URLSearchParams([['place', name], ...filters])}` }}
              preventScrollReset
              className="flex min-h-11 items-center justify-between gap-2 text-ink underline-offset-4 hover:underline md:min-h-9"
            >
              {name}
              <span className="text-sm text-quiet tabular-nums">
                {clinics}
                <span className="sr-only"> {clinics === 1 ? 'clinic' : 'clinics'}</span>
              </span>
            </Link>
          </li>
        ))}
    </ul>
  )
}

function NoneInView({ network }: { network: Network }) {
  const { wishes } = network
  if (wished(wishes).length === 0) {
    return <p className="p-5 text-quiet">No providers in this part of the map.</p>
  }
  return (
    <div className="p-5">
      <p className="font-semibold text-ink">No clinic here {wishText(wishes)}</p>
      <Lift network={network} />
    </div>
  )
}

const wished = (wishes: Wishes) => FILTERS.filter(({ wish }) => wishes[wish])

const wishText = (wishes: Wishes) =>
  wished(wishes)
    .map(({ text }) => text)
    .join(' and ')

function Lift({ network: { wishes, setWish } }: { network: Network }) {
  return (
    <p className="my-3 flex flex-wrap gap-2 noscript:hidden">
      {wished(wishes).map(({ name, label }) => (
        <SmallButton key={name} onClick={() => setWish(name, false)} className="max-md:min-h-11!">
          Without “{label}”
        </SmallButton>
      ))}
    </p>
  )
}

function Waiting() {
  return (
    <div className="flex min-h-36 gap-3">
      <Skeleton className="size-14 shrink-0 rounded-full!" />
      <div className="grid grow content-start gap-2">
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-8 w-full" />
      </div>
    </div>
  )
}
