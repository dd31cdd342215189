import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `check` returns something, asking 20 times a second. @throws Error that says what did not happen */
export async function waitFor<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  { within = 20_000 } = {},
): Promise<NonNullable<Exclude<Value, false>>> {
  const deadline = Date.now() + within
  for (;;) {
    const value = await check()
    if (value) return value as NonNullable<Exclude<Value, false>>
    if (Date.now() > deadline) throw new Error(`Waited ${within} ms in vain for: ${what}`)
    await sleep(50)
  }
}
