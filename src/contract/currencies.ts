/** The number of decimals of each currency (service-behaviour §6). General libraries differ for some currencies. */

const withoutDigits = 'BIF CLP DJF GNF HUF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF';
const digitsByCurrency = new Map<string, number>([
  ...withoutDigits.split(' ').map(code => [code, 0] as const),
  ...['BHD', 'JOD', 'KWD'].map(code => [code, 3] as const),
  ['CLF', 4],
]);

/** Decimals of a currency. All currencies that are not listed above have two. */
export function currencyDigits(currency: string): number {
  return digitsByCurrency.get(currency) ?? 2;
}

/** Minor units in one major unit: 100 for USD, 1 for JPY, 5 for MRO. */
export function minorUnits(currency: string): number {
  return currency === 'MRO' ? 5 : 10 ** currencyDigits(currency);
}
