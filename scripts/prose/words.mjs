/** Words and constructions that our prose does not use, each with what to write. At most 30, and at most 20 exceptions. */
export const words = [
  [/\b(?:is|are|was|were|be|been|gets?) told\b/i, 'the server says, reports, shows'],
  [/\btells (?:of|whether|who|what|how|when|it)\b/i, 'says, shows, reports'],
  [/\b(?:stands?|stood) (?:in|for|there|below|above|beside|against|as|open|alone)\b/i, 'is, appears'],
  [/\bbesides?\b/i, 'next to, also, except'],
  [/\banew\b/i, 'again'],
  [/\baltogether\b/i, 'in total'],
  [/\bin force\b/i, 'active, in effect'],
  [/\b(?:goes|go|gone|going|went) off\b/i, 'is triggered'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bas far as\b/i, 'if, where'],
  [/\bof its own\b/i, 'separate, its'],
  [/\b(?:some|no|any)body\b/i, 'the user, the operator, the caller'],
  [/\bwhoever\b/i, 'the user, the operator, the caller'],
  [/\b(?:the|a|by a|without a) persons?\b/i, 'the user'],
  [/\b(?:is|are) asked (?:again|about|first|before|whether|by)\b/i, 'the server asks the user'],
  [/\b(?:takes?|has|have) neither\b/i, 'accepts no … and no …'],
  [/\bfalls? out\b/i, 'is skipped'],
  [/\b(?:says?|said) (?:so|it)\b/i, 'name what it says'],
  [/\bit is what\b/i, 'say it directly'],
  [/\bwhat is (?:so|over|due|left out|gone|wrong)\b/i, 'name the thing'],
  [/\bnot in it\b/i, 'not included'],
  [/\bwherever\b/i, 'where'],
  [/\bin place of\b/i, 'instead of'],
  [/\bplease\b/i, 'leave it out'],
  [/\brecogni[sz]es?d? (?:by|in)\b/i, 'you can recognize'],
  [/\bwithout (?:it|one|them) (?:nothing|none|no)\b/i, 'default: none'],
  [/\b(?:holds?|held) (?:beside|true|back|for)\b/i, 'contains, is true'],
  [/\b(?:colour|behaviour|recognise|licence|honour|favour|catalogue of|cancelled by)\w*\b/, 'American spelling'],
  [/\([^()]*\([^()]*\)[^()]*\)/, 'no parentheses inside parentheses'],
];

/** Parts of a text that stay, because a word means something else there. */
export const exceptions = [
  'service-behaviour',
  // A user's words, and names of tests.
  'Please mark it',
  'nothing beside a proved record',
];
