import type { PublicProvider } from '../providers/contract/providers.ts'

type Place = Pick<PublicProvider, 'address' | 'zipCode'>

/**
 * Returns a provider's address on one line as US mail has it: `120 Linden Street, Austin, TX 78701`, without a comma
 * after the state. The address may already contain its zip code. Without an address it is the zip code alone.
 */
export function fullAddress({ address, zipCode }: Place): string {
  const street = address?.trim().replace(/,(?=\s*\d{5}(?:-\d{4})?$)/, '')
  if (!street) return zipCode
  if (street.includes(zipCode)) return street
  return /\b[A-Z]{2}$/.test(street) ? `${street} ${zipCode}` : `${street}, ${zipCode}`
}

/**
 * Returns the address of a map with the way to a provider. It opens the app on phones that have one
 * (https://developers.google.com/maps/documentation/urls/get-started#directions-action).
 */
export function directionsUrl(provider: Place & Pick<PublicProvider, 'name' | 'practiceName'>): string {
  const destination = `${provider.practiceName || provider.name}, ${fullAddress(provider)}`
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination })}`
}

/** Returns an address in its parts. A street that ends with the city and the state is cut before them. */
export function addressParts({ address, city, state }: Place & { city: string | null; state: string | null }) {
  const whole = (address ?? '').trim().replace(/,?\s*\d{5}(-\d{4})?$/, '')
  const end = city && state ? `, ${city}, ${state}` : ''
  const street = end && whole.toLowerCase().endsWith(end.toLowerCase()) ? whole.slice(0, -end.length) : whole
  const isSplit = street !== whole || !whole.includes(',')
  return isSplit ? { street, city, state } : { street: whole, city: null, state: null }
}
