/** What the page for clinics promises them, besides what the study found (`brand.study`). Nothing else is claimed. */
export const claims = {
  revenuePerPatient: '$2K-8K',
  revenuePerPatientInFull: '$2,000-$8,000',
  newPatientsPerMonth: '8-12',
  reviewTime: '24-48 hours',
  adverseEvents: '0',
  measurableIncreases: '100%',
} as const
