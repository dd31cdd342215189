import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Place } from '../../lib/distance.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { websiteUrl } from '../../lib/texts.ts'
import { paths } from '../../paths.ts'
import { MapFrame } from '../../shared/map/map-frame.tsx'
import { MAP_HEIGHT, MapLayout } from '../../shared/map/map-layout.tsx'
import { Marks, OwnPlace, zoomTo } from '../../shared/map/marks.tsx'
import { INACTIVE_WORDS, useProvidersById } from '../../shared/map/points.ts'
import { PageLink } from '../../shared/page-link.tsx'
import { providerQuery } from '../../shared/providers/get-provider.ts'
import { ProviderAvatar } from '../../shared/providers/provider-avatar.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useNetworkMap } from './use-network-map.ts'
import { useIfLocationAllowed, useOwnPlace } from './use-own-place.ts'
import { ProviderList, ZipSearch } from './zip-search.tsx'

const CLOSE_BY = 9
const STREETS = 14

/** Shows all providers on a map, with a search by zip code and a list of the providers in view. */
export function NetworkMap() {
  return (
    <QueryProvider>
      <Network />
    </QueryProvider>
  )
}

function Network() {
  const network = useNetworkMap()
  const { map, setOrigin } = network
  const [ownPlace, setOwnPlace] = useState<Place>()

  const showOwnPlace = useCallback(
    (place: Place) => {
      setOwnPlace(place)
      setOrigin({ ...place, name: 'you' })
      if (map) zoomTo(map, place, CLOSE_BY)
    },
    [map, setOrigin],
  )
  const { ask, isAsking } = useOwnPlace(showOwnPlace)
  useIfLocationAllowed(ask)

  const providers = useProvidersById(network.shownIds)
  const nameOf = (id: number) => {
    const provider = providers.data?.get(id)
    return provider && [provider.practiceName, provider.name].filter(Boolean).join(', ')
  }

  return (
    <MapLayout
      search={
        <>
          <ZipSearch onFound={network.showAround} />
          <div className="flex flex-wrap gap-3 lg:pt-6">
            <Button variant="outline" busy={isAsking} onClick={ask}>
              Use my location
            </Button>
            <PageLink to={paths.home} className={buttonClass()}>
              Find Providers Near Me
            </PageLink>
          </div>
        </>
      }
      failure={network.errors.length > 0 && <Failure errors={network.errors} onRetry={network.retry} />}
      map={
        <MapFrame
          label="Map of providers"
          mapRef={network.mapRef}
          onView={network.setView}
          className={`relative isolate ${MAP_HEIGHT}`}
        >
          <Marks marks={network.marks} clusters={network.clusters} popupOf={popupOf} nameOf={nameOf} />
          {ownPlace && <OwnPlace place={ownPlace} label="Your Current Location" />}
        </MapFrame>
      }
      title={network.isPending ? 'Loading providers...' : 'In this part of the map'}
      list={
        !network.isPending && (
          <ProviderList
            listed={network.listed}
            from={network.origin?.name}
            providers={providers.data}
            hasFailed={providers.isError}
            onShow={(point) => {
              if (!map) return
              zoomTo(map, point, STREETS)
              // On a phone the list is below the map.
              map.getContainer().scrollIntoView({ block: 'nearest' })
            }}
          />
        )
      }
    />
  )
}

const popupOf = (id: number) => <ProviderPopup id={id} />

function Failure({ errors, onRetry }: { errors: string[]; onRetry: () => void }) {
  return (
    <div className="mb-4">
      <Alert title="Error">
        {errors.map((error) => (
          <p key={error}>{error}</p>
        ))}
        <Button variant="outline" size="small" onClick={onRetry} className="mt-2">
          Try again
        </Button>
      </Alert>
    </div>
  )
}

/** Shows the popup of a provider's pin. Loads the provider on demand. */
function ProviderPopup({ id }: { id: number }) {
  const { data: provider, isPending } = useQuery(providerQuery({ id }))
  if (isPending) return <p className="m-0!">Loading provider information...</p>
  if (!provider) return <p className="m-0!">Provider information not available.</p>

  const { name, practiceName, address, website, status } = provider
  return (
    <div className="flex gap-3 font-sans text-sm wrap-anywhere">
      <ProviderAvatar provider={provider} />
      <div className="min-w-0">
        <p className="m-0! font-semibold text-ink">{name}</p>
        {practiceName && <p className="m-0!">{practiceName}</p>}
        {address && <p className="mt-1! mb-0! text-quiet">{address}</p>}
        {status === 'f' && <p className="mt-1! mb-0! font-semibold text-bad">{INACTIVE_WORDS}</p>}
        {status === 't' && website && (
          <a
            href={websiteUrl(website)}
            target="_blank"
            rel="noreferrer"
            className="mt-1 inline-block min-h-6 font-semibold text-secondary! underline underline-offset-4"
          >
            Visit Website
          </a>
        )}
      </div>
    </div>
  )
}
