type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Names what asks the person to confirm who they are: the part of the page that can. Returns what takes it back. */
export function whenToConfirmIdentity(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/** Asks the person to confirm who they are, once for all calls that wait for it. False when they would rather not. */
export async function confirmIdentity(): Promise<boolean> {
  if (!ask) return false
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}
