// Not navigator.userActivation: programs that steer a browser set that with every script they run. The click is for
// people whose screen reader presses a button without a pointer.
const EVENTS = ['pointerdown', 'touchstart', 'keydown', 'click']

let isTouched = false

function note({ isTrusted }: Event): void {
  if (isTrusted) isTouched = true
}

/** Tells whether this page has seen a touch, a mouse or a key since `watchTouches`. */
export function hasBeenTouched(): boolean {
  return isTouched
}

/** Starts to watch for touches, mouse and keys. Call it once for each page load. */
export function watchTouches(): void {
  for (const event of EVENTS) window.addEventListener(event, note, { capture: true, passive: true })
}
