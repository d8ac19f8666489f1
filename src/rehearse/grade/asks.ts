/** Does an answer ask the person something that it needs? */
import { folded } from '../../lib/folded.ts';
import { plain } from './plain.ts';

const politeness =
  /anything else|something else|(?:help|assist) (?:you )?(?:with|further)|further (?:questions|help)|if you (?:need|have|want|would like|wish)|wenn sie (?:noch|weitere)|sonst noch|autre chose/;
const requests =
  /\b(?:which (?:one|of)|could you|can you|would you|please (?:tell|confirm|specify|clarify|provide|choose|say|let me know)|do you mean|let me know (?:which|whether|what|when|how|the|if (?:that|this|it))|should i|shall i|i need to know)\b/;

/** A question mark or a usual phrase of asking, outside code and addresses. "Anything else?" asks nothing. */
export function asksBack(answer: string): boolean {
  const words = folded(plain(answer.replace(/```[\s\S]*?```/g, ' ').replace(/https?:\/\/\S+/g, ' ')));
  const sentences = words.match(/[^.?!]+[.?!]*/g) ?? [];
  return sentences.some(sentence => !politeness.test(sentence) && (sentence.includes('?') || requests.test(sentence)));
}
