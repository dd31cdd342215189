/** The section anchors of the page for clinics. The anchor of its form is `PROVIDER_FORM`. */
export const anchors = {
  video: 'video-section',
  keyPoints: 'key-points',
  testimonials: 'testimonials',
  research: 'research',
  network: 'provider-network',
  whatIs: 'what-is',
  getStarted: 'get-started',
  offer: 'special-offer',
  faq: 'faq',
} as const
