import { useCallback, useState } from 'react'
import type { Place } from '../../lib/distance.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageLink } from '../page-link.tsx'
import { MapFrame } from './map-frame.tsx'
import { MAP_HEIGHT, MapLayout } from './map-layout.tsx'
import { Marks, OwnPlace, zoomTo } from './marks.tsx'
import { useProvidersById } from './points.ts'
import { ProviderList } from './provider-list.tsx'
import { ProviderPopup } from './provider-popup.tsx'
import { useNetworkMap } from './use-network-map.ts'
import { useIfLocationAllowed, useOwnPlace } from './use-own-place.ts'
import { ZipSearch } from './zip-search.tsx'

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
