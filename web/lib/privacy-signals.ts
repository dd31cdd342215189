/** The signals of a browser. `doNotTrack` also has other values than `1`, such as `unspecified`. */
type Signals = { doNotTrack?: string | null; globalPrivacyControl?: boolean }

/** Reads Do Not Track (https://www.w3.org/TR/tracking-dnt/) and Global Privacy Control (https://www.w3.org/TR/gpc/). */
export function asksNotToBeMeasured(): boolean {
  const { doNotTrack, globalPrivacyControl }: Signals = navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}
