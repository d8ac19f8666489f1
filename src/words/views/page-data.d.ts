/** What `index.ts` puts before the script of each page. */
declare const pageData: {
  /** The digits of currencies that do not have two. */
  readonly digits: { readonly [currency: string]: number };
  /** The keys of all labels, and the texts of each language in their order, joined by `|`; empty where it says what English says. */
  readonly labels: { readonly keys: string; readonly [language: string]: string };
};
