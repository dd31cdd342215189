import { brand } from './brand.ts'
import type { ClinicTexts } from './type.ts'

const { company, study } = brand

/** The promises of the page for clinics, besides the results of the study (`brand.study`). */
export const promises = {
  revenuePerPatient: '$2K-8K',
  revenuePerPatientInFull: '$2,000-$8,000',
  newPatientsPerMonth: '8-12',
  reviewTime: '24-48 hours',
  adverseEvents: '0',
  measurableIncreases: '100%',
}

export const clinicTexts: ClinicTexts = {
  hero: 'A non-surgical program for men, guided by independent physicians and clinics. You are trained and certified; men near you who ask for a consultation are introduced to you.',
  cards: [
    {
      title: 'A Program You Can Explain',
      text: `Four elements that work side by side over ${study.months} months, each with a place in your plan. You give the injections; the rest your patient learns from you and does at home.`,
    },
    {
      title: 'Results You Can Measure',
      text: `You measure at the start and as you go. In the study the average size increase was ${study.averageIncrease}. Individual results vary.`,
    },
    {
      title: 'Patients Who Come to You',
      text: `Men ask for a consultation on ${company}’s site, and the certified provider nearest to them gets the request. Your fees are your own; patients pay you, not us.`,
    },
  ],
  mainReasons: [
    {
      title: 'Revenue per Patient',
      text: 'What a patient brings depends on the plan that you agree on. Results vary by practice.',
    },
    {
      title: 'New Patients per Month',
      text: 'From referrals: a man who asks for a consultation is introduced to the certified provider nearest to him. Numbers vary by region.',
    },
  ],
  reasons: [
    {
      title: 'Non-Surgical',
      text: 'No operation and no fillers: vacuum therapy, injections, stretching exercises and supplements.',
    },
    {
      title: 'Backed by a Study',
      text: `${study.participants} participants, ${promises.measurableIncreases} with a measurable increase, ${promises.adverseEvents} adverse events.`,
    },
    {
      title: 'Training and Certificate',
      text: 'A one-day virtual session plus a hands-on workshop, and you are certified.',
    },
    {
      title: 'Your Practice Stays Yours',
      text: 'You remain independent. Consultations, fees and refunds are between you and your patients.',
    },
  ],
  steps: [
    {
      title: 'Apply Online',
      text: 'A short form about you and your practice. Nothing is signed and nothing is paid on this page.',
      fact: `Application reviewed within ${promises.reviewTime}`,
    },
    {
      title: 'Train and Get Certified',
      text: 'You learn the protocol online, then practice it hands-on.',
      fact: 'A one-day virtual session plus a hands-on workshop',
    },
    {
      title: 'Offer the Protocol',
      text: 'Your practice appears on the provider map, and men near you who ask for a consultation are introduced to you.',
      fact: `${promises.newPatientsPerMonth} new patients per month from referrals; numbers vary`,
    },
  ],
  statistics: [
    { value: promises.adverseEvents, label: 'adverse events' },
    { value: study.satisfaction, label: 'satisfaction' },
    { value: String(study.participants), label: 'participants' },
    { value: promises.measurableIncreases, label: 'measurable increases' },
  ],
  questions: [
    {
      question: 'How much revenue can I expect per patient?',
      answer: `${promises.revenuePerPatientInFull} per patient, depending on the plan that you and your patient agree on. Results vary by practice and are not guaranteed.`,
    },
    {
      question: 'Where do the patients come from?',
      answer: `Men ask for a consultation on our site and are introduced to the certified provider nearest to them. Providers see ${promises.newPatientsPerMonth} new patients per month from referrals; how many it is for you depends on your region.`,
    },
    {
      question: 'What is the training like?',
      answer:
        'A one-day virtual session plus a hands-on workshop. After both you are certified and your practice appears on the provider map.',
    },
    {
      question: 'How long does it take to hear from you?',
      answer: `Your application is reviewed within ${promises.reviewTime}. Then we contact you about the next steps.`,
    },
    {
      question: 'What is the evidence?',
      answer: `An internal study of ${study.participants} participants: all of them had a measurable increase, ${study.averageIncrease} on average, ${study.satisfaction} were satisfied, and there were no adverse events. Individual results vary.`,
    },
    {
      question: 'Is surgery involved?',
      answer:
        'No. The protocol combines vacuum therapy, injections, stretching exercises and supplements. There is no operation, and no fillers are used.',
    },
    {
      question: 'Who handles fees and refunds?',
      answer: `You do. Providers are independent: consultations, payments, cancellations and refunds are between you and your patients. ${company} charges patients nothing.`,
    },
  ],
  /** Placeholder: an invented person. */
  certifiedProvider: {
    name: 'Dr. Maren Ostavik',
    role: 'Certified provider, Ostavik Men’s Health',
    quote:
      'Patients asked me about this for years, and all I could offer them was a referral to a surgeon. Now I measure on the first day, I measure as we go, and we look at the numbers together.',
    portrait: '/art/recruitment/provider.svg',
  },
}
