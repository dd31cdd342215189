type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Registers the dialog that asks for a confirmation of identity. Returns a function that unregisters it. */
export function whenToConfirmIdentity(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/** Asks for a confirmation of identity, once for all waiting calls. Resolves to false if the person cancels. */
export async function confirmIdentity(): Promise<boolean> {
  if (!ask) return false
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}
