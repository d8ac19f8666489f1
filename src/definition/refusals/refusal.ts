/** What an entry of the table of refusals (failure.ts) is, and what several entries know and say. */

/** Did the account change? `unknown`: a write was sent and no clear answer came back. */
export type Changed = false | 'unknown';

/** Most facts have the tool that was called. */
export interface Tool {
  tool: string;
}

/** A request that may have been sent. `readBack`: how to find out whether a write was carried out. */
export interface Sent extends Tool {
  changed: Changed;
  readBack: string;
}

export interface OthersOfCustomer {
  customer: string | null;
  choices: string | null;
}

/** What an entry says of one refusal. Without `changed`, nothing was changed; without `status`, nothing was answered. */
export interface Said {
  message: string;
  hint: string;
  details?: unknown;
  changed?: Changed;
  status?: number | null;
}

interface Refusal {
  /** What happened, and whether anything was sent. */
  meaning: string;
  whatToDo: string;
  say: (facts: never) => Said;
}

export type Refusals = Record<string, Refusal>;

type Cases = Record<string, (facts: never) => Said>;
type FactsOfCase<Of extends Cases> = { [Case in keyof Of]: { case: Case } & Parameters<Of[Case]>[0] }[keyof Of];

/** An entry for several situations, which `case` tells apart. */
export function cases<Of extends Cases>(of: Of): (facts: FactsOfCase<Of>) => Said {
  return facts => (of[(facts as { case: keyof Of }).case] as (facts: object) => Said)(facts);
}

export function sent({ tool, changed, readBack }: Sent, what: string, hint: string): Said {
  return {
    message: `${tool}: ${what}`,
    hint: changed === 'unknown' ? afterReadingBack(readBack, hint) : hint,
    changed,
  };
}

/** The hint of a write whose outcome is not known. */
export function afterReadingBack(readBack: string, hint: string): string {
  return `Do not repeat it yet: ${readBack}. ${hint}`;
}
