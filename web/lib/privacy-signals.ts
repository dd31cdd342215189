/** The signals of a browser. `doNotTrack` also has other values than `1`, such as `unspecified`. */
type Signals = { doNotTrack?: string | null; globalPrivacyControl?: boolean }

/**
 * Returns whether the browser asks not to be measured: by Do Not Track (https://www.w3.org/TR/tracking-dnt/) or by Global Privacy
 * Control (https://www.w3.org/TR/gpc/).
 */
export function asksNotToBeMeasured(): boolean {
  const { doNotTrack, globalPrivacyControl }: Signals = navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}
