import { brand } from './brand.ts'
import type { Texts } from './type.ts'

const { product, study } = brand

const third = study.months / 3

/** The texts of the pages for visitors. Claims about the product are here and in `brand.ts` only. */
export const texts: Texts = {
  microsite: {
    tagline: 'Backed by Science, Loved by Men.',
    headline: 'Get Bigger & Thicker!',
    program: `The ${product}: a six-month, non-surgical program of proven methods`,
    bullets: ['Clinically Proven Results', 'No Surgery, No Side Effects', 'Urologist Recommended'],
    description: (clinic) => `${clinic} offers the ${product}: no surgery, no fillers.`,
  },
  whatIs:
    'A non-surgical program for men who want a measurable increase in size. Four elements work side by side, and a certified provider guides you through each of them. Whether it is right for you is decided in person, after a consultation.',
  elements: [
    {
      name: 'Vacuum therapy',
      text: 'A medical device, used on the schedule that your provider sets for you.',
      drawing: 'gauge',
    },
    {
      name: 'Injections',
      text: 'Given by your provider, in the clinic. There is no operation and no filler.',
      drawing: 'syringe',
    },
    {
      name: 'Stretching exercises',
      text: 'Short routines that you learn once and do at home, in private.',
      drawing: 'arc',
    },
    {
      name: 'Supplements',
      text: 'They go with the program. Your provider tells you which, and when to take them.',
      drawing: 'capsule',
    },
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
  course: {
    visits: [
      {
        month: 0,
        title: 'Measure and start',
        text: 'Your provider goes through your health with you, measures, makes your plan, and shows you what to do at home.',
      },
      {
        month: third,
        title: 'Check',
        text: 'Your provider measures again, and changes the plan if it should be changed.',
      },
      {
        month: 2 * third,
        title: 'Check',
        text: 'The same once more: the numbers, and whatever you want to ask.',
      },
      {
        month: study.months,
        title: 'Measure',
        text: 'Measured as on the first day, so that you see the difference in numbers.',
      },
    ],
    atHome: 'The device, short exercises and supplements, on your own time',
    note: `The study ran for ${study.months} months. Your provider sets the dates of your visits, how many there are, and when injections are given.`,
  },
  firstVisit: (clinic) => [
    { title: 'You talk', text: 'In private, with the provider. Your questions come first, whatever they are.' },
    {
      title: 'Your health is looked at',
      text: 'The provider asks about your health and your medicines, and tells you whether the program suits you.',
    },
    {
      title: 'You hear what it would be',
      text: `What is done at the clinic and at home, for how long, and what the program costs. ${
        clinic?.isFree === false
          ? 'Ask about the fee of this visit when the clinic calls.'
          : 'The consultation is free.'
      }`,
    },
    {
      title: 'You decide, and not on the spot',
      text: 'Nothing is decided or done on that day unless you want it. Ask the clinic how long to plan for when it calls.',
    },
  ],
  discretion: [
    {
      title: 'Emails name no treatment',
      text: 'Subject and preview say that a provider will call, and not what it is about.',
    },
    {
      title: 'The clinic calls you itself',
      text: 'It uses the number that you gave, and only after you have sent the form.',
    },
    {
      title: 'One clinic gets your details',
      text: 'The one that takes your request. If another takes over, an email tells you. We do not sell your information.',
    },
    {
      title: 'Your history stays with you',
      text: 'We do not ask for your medical history here. That is for the provider, in person.',
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
  /** The terms are placeholders. */
  financing: {
    title: 'Affordable, Flexible Payment Plans',
    from: '$199/month',
    cards: [
      { title: 'Affordable & Flexible', text: 'Plans from $199/month, over the time that suits you.' },
      { title: '0% APR Financing*', text: 'What you pay is what the treatment costs.' },
      { title: 'No Hard Credit Check', text: 'Applying does not affect your credit score.' },
      { title: 'Instant Approval', text: 'You know where you stand before you leave the clinic.' },
    ],
    note: '*On approved credit',
  },
}
