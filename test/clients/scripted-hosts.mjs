/**
 * Chat hosts that answer a question as some are known to. `answer` gives the result of `elicitation/create`; it can give the
 * host's own call up, and wait until the server has reported so often that the call is alive.
 */

/**
 * The limit of a host for an answer to its call, and how often the server that it meets reports progress: so much more often
 * that a busy machine, too, reports in time. Twice the limit is waited for, so that it cannot be as far away as others.
 */
export const limitMs = 15_000;
export const progressMs = 1000;
/** So many reports take twice the limit at least. */
const twiceTheLimit = (2 * limitMs) / progressMs;

const accept = content => ({ action: 'accept', ...(content && { content }) });
const yes = accept({ answer: 'yes' });
const no = accept({ answer: 'no' });
const decline = { action: 'decline' };
export const revisions = ['2025-11-25', '2026-07-28'];
const [older, newer] = revisions;
const givesUp = ({ giveUp }) => {
  giveUp();
  return new Promise(() => {});
};

export const hosts = [
  { title: 'supports nothing; its user clicks Approve', clicks: 'approve' },
  { title: 'supports nothing; its user clicks Decline', clicks: 'decline' },
  { title: 'answers yes', answer: () => yes },
  { title: 'answers no', answer: () => no },
  { title: 'accepts nothing', answer: () => accept() },
  { title: 'accepts {}', answer: () => accept({}) },
  { title: 'accepts another field', answer: () => accept({ confirm: true }) },
  { title: 'accepts another word', answer: () => accept({ answer: 'maybe' }) },
  { title: 'accepts {}, then sends the token', answer: () => accept({}), sendsToken: true },
  { title: 'accepts {}, then calls again', answer: () => accept({}), callsAgain: true },
  { title: 'declines at once', answer: () => decline },
  { title: 'cancels', answer: () => ({ action: 'cancel' }) },
  { title: 'gives its call up', answer: givesUp },
  // In the newer revision this is the normal way: the answer comes with the next request.
  { title: 'gives its call up, then answers yes', revisions: [older], answer: givesUp, afterwards: yes },
  {
    // Progress extends it.
    title: 'answers yes after its time limit',
    ...{ revisions: [older], limited: true },
    answer: ({ reports }) => reports(twiceTheLimit).then(() => yes),
  },
  {
    // The question has ended the request: there is nothing to extend.
    title: 'answers yes after its time limit',
    ...{ revisions: [newer], limited: true },
    answer: () => new Promise(resolve => setTimeout(resolve, 2 * limitMs)).then(() => yes),
  },
  { title: 'answers yes twice', answer: () => yes, afterwards: yes },
  { title: 'answers no, then yes', answer: () => no, afterwards: yes },
  { title: 'declines, then answers yes', answer: () => decline, afterwards: yes },
].map(host => ({ revisions, ...host }));
