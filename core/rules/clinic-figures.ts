import type { ClinicFigures } from '../contract/clinic.ts'
import type { NetworkFigures, ClinicFigures as OwnFigures } from '../contract/provider-record.ts'

/** The period of the figures that a clinic sees, in days: one of those of its record. */
export const FIGURE_DAYS = 90

type Counted = 'requests' | 'answer_time' | 'timed' | 'in_time' | 'reached' | 'booked'

/**
 * Returns the figures of a clinic's record that the clinic sees. Without another clinic there is no median of the network,
 * because it would be the clinic's own.
 */
export function clinicFigures(own: Pick<OwnFigures, Counted>, network: NetworkFigures): ClinicFigures {
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
  const beside = (figure: number | null, median: number | null) => ({
    own: figure,
    network: network.clinics > 1 ? median : null,
  })
  return {
    days: FIGURE_DAYS,
    requests: own.requests,
    answer_time: beside(own.answer_time, network.answer_time),
    answered_in_time: beside(share(own.in_time, own.timed), network.in_time),
    reached: beside(share(own.reached, own.requests), network.reached),
    booked: beside(share(own.booked, own.requests), network.booked),
  }
}
