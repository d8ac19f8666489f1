/** Does an answer ask the user something that it needs? */
import { folded } from '../../lib/case-folding.ts';
import { plain } from './plain.ts';

/** Offers of more, which ask nothing: "Anything else?", "How else can I help you?" */
const offers =
  /anything else|what else|how else|something else (?:i|we|you)\b|can i (?:help|assist) (?:you )?(?:with|further)|further (?:questions|help)|sonst noch|autre chose/;
const invitations =
  /if you (?:need|have|want|would like|wish)|if you'd like|(?:help|assist) (?:you )?(?:with|further)|wenn sie (?:noch|weitere)/;
/** In a sentence that also offers something, only these ask. */
const questions =
  /\b(?:which (?!else)|when|who|how much|how many|what (?:is|should|was|day|date|price|amount)|should i|shall i|do you mean|is (?:that|this|it)\b|welche|wann|quel)/;
const requests =
  /\b(?:which (?:one|of)|could you|can you|would you|please (?:tell|confirm|specify|clarify|provide|choose|say|reply|answer|give|share|send|let me know)|do you mean|let me know (?:which|whether|what|when|how|the|if (?:that|this|it|i|you'd like me))|(?:tell|give) me (?:which|whether|what|when|how|the)|should i|shall i|i(?:'ll| will)? need (?:to know|the|a|your|you)|(?:reply|answer|say|confirm) (?:with )?"?(?:yes|ok|that))\b/;

/** A question mark or a usual phrase of asking, outside code and addresses. "Anything else?" asks nothing. */
export function asksBack(answer: string): boolean {
  const words = folded(plain(answer.replace(/```[\s\S]*?```/g, ' ').replace(/https?:\/\/\S+/g, ' ')));
  const sentences = words.match(/[^.?!]+[.?!]*/g) ?? [];
  return sentences.some(asks);
}

function asks(sentence: string): boolean {
  const offersMore = offers.test(sentence) || invitations.test(sentence);
  if (sentence.includes('?')) return !offersMore || questions.test(sentence);
  return !offersMore && requests.test(sentence);
}
