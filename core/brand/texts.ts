import { brand } from './brand.ts'
import type { Texts } from './type.ts'

const { product, study } = brand

/** The texts of the pages for visitors. Claims are here and in `brand.study` only. */
export const texts: Texts = {
  benefits: [
    { claim: 'Clinically Proven', why: `All ${study.participants} men in the study had a measurable increase.` },
    { claim: 'Urologist Recommended', why: 'Overseen by certified, independent providers.' },
    { claim: '100% Non-Surgical', why: 'No operation, no fillers, no adverse events in the study.' },
  ],
  elements: [
    { name: 'Vacuum therapy', text: 'A medical device, used on the schedule that your provider sets for you.' },
    { name: 'Injections', text: 'Given by your provider, in the clinic. There is no operation and no filler.' },
    { name: 'Stretching exercises', text: 'Short routines that you learn once and do at home, in private.' },
    { name: 'Supplements', text: 'They go with the program. Your provider tells you which, and when to take them.' },
  ],
  reasonsToTrust: [
    {
      title: 'Clinically Proven',
      text: `In the study, all ${study.participants} participants had a measurable increase, and ${study.satisfaction} of them were satisfied.`,
    },
    {
      title: 'Urologist Recommended',
      text: 'Created by a urologist, and carried out by certified, independent providers whom you meet in person.',
    },
    {
      title: '100% Non-Surgical',
      text: 'No operation and no fillers. There were no adverse events in the study.',
    },
  ],
  toAsk: [
    'What would you do with me, how many visits does it take, and what do I do at home?',
    'Does anything about my health or the medicines that I take speak against it?',
    'What does it cost in all, and when do I have to decide?',
  ],
  steps: (clinic) => [
    {
      title: clinic?.isFree === false ? 'Consultation' : 'Free Consultation',
      text: `Leave your name, how to reach you and a zip code. ${clinic?.name ?? 'The certified provider nearest to you'} calls, and your questions come first.`,
    },
    {
      title: `Get ${product}`,
      text: 'If you qualify, your provider starts you on the program: at the clinic, and at home on your own time.',
    },
    {
      title: 'Enjoy Results',
      text: 'Your provider measures at the start and as you go, so that you see the difference in numbers.',
    },
  ],
  questions: (clinic = 'The certified provider nearest to you') => [
    {
      question: `What is the ${product}?`,
      answer: `The ${product} is a non-surgical program for men who want a measurable increase in size. A certified, independent provider guides you through it. There is no operation, and no fillers are used.`,
    },
    {
      question: 'How does it work?',
      answer:
        'It combines vacuum therapy, injections, stretching exercises and supplements. Your provider makes the plan, gives the injections at the clinic, and shows you what to do at home.',
    },
    {
      question: 'Is it safe?',
      answer: `There were no adverse events among the ${study.participants} participants of the study. Your provider goes through your health with you before anything starts, and decides with you whether the program is suitable.`,
    },
    {
      question: 'How much improvement can I expect?',
      answer: `Up to nearly an inch in length and half an inch in girth. All ${study.participants} participants of the study had a measurable increase. Individual results vary and are not guaranteed.`,
    },
    {
      question: 'How do I get started?',
      answer: `Leave your name, how to reach you and your zip code in the form on this page. ${clinic} contacts you for a private consultation and tells you whether you qualify.`,
    },
  ],
}
