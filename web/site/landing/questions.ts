import { brand } from '../../../core/brand/brand.ts'

/**
 * The questions of the FAQ, as plain text: for the page, and for what search engines are told about it. On the site of a
 * clinic they name it.
 */
export const questionsWith = (clinic = 'The certified provider nearest to you') => [
  {
    question: `What is the ${brand.product}?`,
    answer: `The ${brand.product} is a non-surgical program for men who want a measurable increase in size. A certified, independent provider guides you through it. There is no operation, and no fillers are used.`,
  },
  {
    question: 'How does it work?',
    answer:
      'It combines vacuum therapy, injections, stretching exercises and supplements. Your provider makes the plan, gives the injections at the clinic, and shows you what to do at home.',
  },
  {
    question: 'Is it safe?',
    answer: `There were no adverse events among the ${brand.study.participants} participants of the study. Your provider goes through your health with you before anything starts, and decides with you whether the program is suitable.`,
  },
  {
    question: 'How much improvement can I expect?',
    answer: `Up to nearly an inch in length and half an inch in girth. All ${brand.study.participants} participants of the study had a measurable increase. Individual results vary and are not guaranteed.`,
  },
  {
    question: 'How do I get started?',
    answer: `Leave your name, how to reach you and your zip code in the form on this page. ${clinic} contacts you for a private consultation and tells you whether you qualify.`,
  },
]
