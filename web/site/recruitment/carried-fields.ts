/** The fields that the short form at the top of the page carries to the whole form. */
export type CarriedFields = { name: string; email: string; zip_code: string }

type Listener = (fields: CarriedFields) => void
let carried: CarriedFields | null = null
let listener: Listener | null = null

/**
 * Hands fields to the whole form, also before its code has loaded. Not by props or an address: a change of props would make React
 * throw away the server's HTML of the form, and a name must not be in an address.
 */
export function carryFields(fields: CarriedFields): void {
  carried = fields
  deliver()
}

/** Calls the listener with what was carried, at once and later. Returns a function that ends it. */
export function receiveFields(receive: Listener): () => void {
  listener = receive
  deliver()
  return () => {
    if (listener === receive) listener = null
  }
}

function deliver(): void {
  if (!listener || !carried) return
  const fields = carried
  carried = null
  listener(fields)
}
