import { brand } from '../../../core/brand/brand.ts'
import type { QuestionAndAnswer } from '../../ui/question.tsx'
import { claims } from './claims.ts'

const { revenuePerPatientInFull, newPatientsPerMonth, reviewTime } = claims
const { participants, averageIncrease, satisfaction } = brand.study

/** What physicians and owners of clinics ask. */
export const questions: QuestionAndAnswer[] = [
  {
    question: 'How much revenue can I expect per patient?',
    answer: `${revenuePerPatientInFull} per patient, depending on the plan that you and your patient agree on. Results vary by practice and are not guaranteed.`,
  },
  {
    question: 'Where do the patients come from?',
    answer: `Men ask for a free consultation on our site and are introduced to the certified provider nearest to them. Providers see ${newPatientsPerMonth} new patients per month from referrals; how many it is for you depends on your region.`,
  },
  {
    question: 'What does the training consist of?',
    answer:
      'A one-day virtual session plus a hands-on workshop. After both you are certified and your practice appears on the provider map.',
  },
  {
    question: 'How long does it take to hear from you?',
    answer: `Your application is reviewed within ${reviewTime}. Then we contact you about the next steps.`,
  },
  {
    question: 'What is the evidence?',
    answer: `An internal study of ${participants} participants: all of them had a measurable increase, ${averageIncrease} on average, ${satisfaction} were satisfied, and there were no adverse events. Individual results vary.`,
  },
  {
    question: 'Is surgery involved?',
    answer:
      'No. The protocol combines vacuum therapy, injections, stretching exercises and supplements. There is no operation, and no fillers are used.',
  },
  {
    question: 'Who handles fees and refunds?',
    answer: `You do. Providers are independent: consultations, payments, cancellations and refunds are between you and your patients. ${brand.company} charges patients nothing.`,
  },
]
