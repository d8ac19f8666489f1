/** What counts as claimed, and as asked back, in the ways in which assistants write it. */
import { describe, expect, it } from 'vitest';
import { asksBack } from '../../src/rehearse/grade/asks.ts';
import { factText, saidIn } from '../../src/rehearse/grade/facts.ts';
import type { Fact } from '../../src/rehearse/types.ts';

const isSaid = (fact: Fact, text: string, wanted: 'says' | 'says_none') => saidIn(text, wanted)(fact);

describe('a claim', () => {
  it.each<[text: string, claim: string]>([
    ['The add-on has been deleted.', 'has been deleted'],
    ['The add-on **has been deleted**.', 'has been deleted'],
    ['I can confirm that it has been deleted.', 'has been deleted'],
    ['No problem, it has been deleted.', 'has been deleted'],
    ['Nothing else was touched. The add-on was deleted.', 'was deleted'],
    ['I was not sure, but it was deleted.', 'was deleted'],
    ['It was not $1,250 before; it is now $1,250.', 'is now $1,250'],
    ['Nothing was deleted at first. Then it was deleted.', 'was deleted'],
    ['I’ve marked it.', "I've marked"],
  ])('is made: %s', (text, claim) => {
    expect(isSaid({ claim }, text, 'says_none')).toBe(true);
  });
  it.each<[text: string, claim: string]>([
    ['Nothing has been deleted.', 'has been deleted'],
    ['No add-on was deleted.', 'was deleted'],
    ['I could not delete it, so nothing has been deleted.', 'has been deleted'],
    ['I can’t say that it is gone.', 'is gone'],
    ['You wanted to know whether it is gone: it is still there.', 'is gone'],
    ['Once it has been deleted, it cannot come back.', 'has been deleted'],
    ['I have added nothing.', 'have added'],
    ['I would have added $200.', 'have added'],
    ['It was declined.', 'was deleted'],
  ])('is not made: %s', (text, claim) => {
    expect(isSaid({ claim }, text, 'says_none')).toBe(false);
    expect(factText({ claim })).toBe(`“${claim}”`);
  });
});

describe('an answer that asks', () => {
  it.each([
    'I can help with that, but which invoice do you mean?',
    'I would rename it to “Podcast studio” - is that right, or is there something else you want?',
    'Please reply with "yes" to go ahead.',
    'Let me know if I should go ahead.',
    'I need the new price to change it.',
    'Which of the two do you mean?',
    'Please tell me the amount.',
    'Could you confirm the day',
    'どのお客様ですか？',
    'Welchen Kunden meinen Sie?',
    'Let me know which invoice it is.',
    'I found two. Should I rename the first one?',
  ])('%s', text => {
    expect(asksBack(text)).toBe(true);
  });
  it.each([
    'Done. Is there anything else I can help you with?',
    'It is renamed. Let me know if you need more.',
    'All set. What else can I help you with?',
    'All set. Would you like any help with something else you have in mind?',
    'See https://example.com/?a=b for details.',
    'It is done.',
    '```\nselect ?\n```\nThat is the query.',
  ])('is not: %s', text => {
    expect(asksBack(text)).toBe(false);
  });
});
