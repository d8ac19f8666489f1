/**
 * Finds the country, currency or time zone code for a word that is not an accepted code: a three-letter code, a name or
 * a common short form. Unknown words are not guessed by spelling, because codes are short: UK is one letter from CK, and
 * MRU one letter from MRO (1 MRU = 10 MRO).
 */

import { only } from '../lib/collections.ts';
import { closest } from '../lib/nearest-word.ts';
import { countries, currencies, runtimeZone, timezones } from './codes.ts';

/** The country code meant by `USA`, `UK`, `el`, `Germany`; null when that is not certain. */
export function meantCountry(word: string): string | null {
  const key = normalized(word);
  return countryWords.get(key) ?? countryNames().get(key) ?? null;
}

/** The currency code meant by `usd`, `US$`, `euro`, `RMB`, `UDS`; null when that is not certain. */
export function meantCurrency(word: string): string | null {
  const key = normalized(word);
  for (const name of [key, key.replace(/s$/, '')]) {
    const code = currencyWords.get(name) ?? currencyNames().get(name);
    if (code !== undefined) return code;
  }
  return withSwappedLetters(key);
}

/** Corrects two swapped letters: `UDS` is USD. A real currency that is not accepted is not corrected: `MRU` is not MUR. */
function withSwappedLetters(word: string): string | null {
  if (!/^[a-z]{3}$/.test(word) || currencyDisplay().of(word.toUpperCase()) !== undefined) return null;
  const [a, b, c] = word;
  const codes = [`${b}${a}${c}`, `${a}${c}${b}`].map(slip => slip.toUpperCase());
  return only(codes.filter(code => currencies.includes(code)));
}

/**
 * The time zone meant by another name of the same zone (`Asia/Calcutta`), by its city (`Paris`), by a typing error
 * (`Europe/Pariss`) or by an abbreviation of one region's time (`CET`). Null for other real zones that are not listed
 * (`Asia/Macau`), and for abbreviations with several meanings (`IST`).
 */
export function meantTimezone(word: string): string | null {
  const wanted = word.trim().replaceAll(' ', '_');
  const customaryZone = zoneWords.get(normalized(word));
  if (customaryZone !== undefined) return customaryZone;
  const exact = timezones.find(zone => zone.toLowerCase() === wanted.toLowerCase());
  if (exact !== undefined) return exact;
  const real = canonicalZone(wanted);
  if (real === 'UTC' || real === 'GMT') return 'UTC';
  if (real !== null) return /\/|^[a-z]{5,}$/i.test(wanted) ? (listedZones().get(real) ?? null) : null;
  const city = only(timezones.filter(zone => zone.split('/').at(-1)?.toLowerCase() === wanted.toLowerCase()));
  if (city !== null) return city;
  return wanted.includes('/') ? misspeltZone(wanted) : null;
}

/** `Asia/Dubai` for `Asia/Dubay`, of which the list has `Asia/Muscat` alone: the real zone that was meant. */
export function realTimezone(word: string): string | null {
  const wanted = word.trim().replaceAll(' ', '_');
  return wanted.includes('/') ? (canonicalZone(wanted) ?? closestZone(wanted)) : null;
}

function closestZone(word: string): string | null {
  return closest(word, [...new Set([...timezones, ...Intl.supportedValuesOf('timeZone')])], 2);
}

function misspeltZone(word: string): string | null {
  const real = closestZone(word);
  if (real === null || timezones.includes(real)) return real;
  return zoneWords.get(normalized(real)) ?? listedZones().get(canonicalZone(real) ?? '') ?? null;
}

/** ISO 3166-1 country codes: three letters, then two. */
const alpha3 = `
ABW:AW AFG:AF AGO:AO AIA:AI ALA:AX ALB:AL AND:AD ARE:AE ARG:AR ARM:AM ASM:AS ATA:AQ ATF:TF ATG:AG AUS:AU AUT:AT
AZE:AZ BDI:BI BEL:BE BEN:BJ BES:BQ BFA:BF BGD:BD BGR:BG BHR:BH BHS:BS BIH:BA BLM:BL BLR:BY BLZ:BZ BMU:BM BOL:BO
BRA:BR BRB:BB BRN:BN BTN:BT BVT:BV BWA:BW CAF:CF CAN:CA CCK:CC CHE:CH CHL:CL CHN:CN CIV:CI CMR:CM COD:CD COG:CG
COK:CK COL:CO COM:KM CPV:CV CRI:CR CUB:CU CUW:CW CXR:CX CYM:KY CYP:CY CZE:CZ DEU:DE DJI:DJ DMA:DM DNK:DK DOM:DO
DZA:DZ ECU:EC EGY:EG ERI:ER ESH:EH ESP:ES EST:EE ETH:ET FIN:FI FJI:FJ FLK:FK FRA:FR FRO:FO FSM:FM GAB:GA GBR:GB
GEO:GE GGY:GG GHA:GH GIB:GI GIN:GN GLP:GP GMB:GM GNB:GW GNQ:GQ GRC:GR GRD:GD GRL:GL GTM:GT GUF:GF GUM:GU GUY:GY
HKG:HK HMD:HM HND:HN HRV:HR HTI:HT HUN:HU IDN:ID IMN:IM IND:IN IOT:IO IRL:IE IRN:IR IRQ:IQ ISL:IS ISR:IL ITA:IT
JAM:JM JEY:JE JOR:JO JPN:JP KAZ:KZ KEN:KE KGZ:KG KHM:KH KIR:KI KNA:KN KOR:KR KWT:KW LAO:LA LBN:LB LBR:LR LBY:LY
LCA:LC LIE:LI LKA:LK LSO:LS LTU:LT LUX:LU LVA:LV MAC:MO MAF:MF MAR:MA MCO:MC MDA:MD MDG:MG MDV:MV MEX:MX MHL:MH
MKD:MK MLI:ML MLT:MT MMR:MM MNE:ME MNG:MN MNP:MP MOZ:MZ MRT:MR MSR:MS MTQ:MQ MUS:MU MWI:MW MYS:MY MYT:YT NAM:NA
NCL:NC NER:NE NFK:NF NGA:NG NIC:NI NIU:NU NLD:NL NOR:NO NPL:NP NRU:NR NZL:NZ OMN:OM PAK:PK PAN:PA PCN:PN PER:PE
PHL:PH PLW:PW PNG:PG POL:PL PRI:PR PRK:KP PRT:PT PRY:PY PSE:PS PYF:PF QAT:QA REU:RE ROU:RO RUS:RU RWA:RW SAU:SA
SDN:SD SEN:SN SGP:SG SGS:GS SHN:SH SJM:SJ SLB:SB SLE:SL SLV:SV SMR:SM SOM:SO SPM:PM SRB:RS SSD:SS STP:ST SUR:SR
SVK:SK SVN:SI SWE:SE SWZ:SZ SXM:SX SYC:SC SYR:SY TCA:TC TCD:TD TGO:TG THA:TH TJK:TJ TKL:TK TKM:TM TLS:TL TON:TO
TTO:TT TUN:TN TUR:TR TUV:TV TWN:TW TZA:TZ UGA:UG UKR:UA UMI:UM URY:UY USA:US UZB:UZ VAT:VA VCT:VC VEN:VE VGB:VG
VIR:VI VNM:VN VUT:VU WLF:WF WSM:WS YEM:YE ZAF:ZA ZMB:ZM ZWE:ZW
`;

const customaryCountries = `
AE: UAE, Emirates
CD: DRC
CH: SUI
CN: PRC
CZ: Czech Republic
DE: GER
GB: UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland
GR: EL, GRE
KR: ROK, Republic of Korea
KP: DPRK
MM: Burma
NL: NED, Holland
SA: KSA
SZ: Swaziland
TR: Turkey
US: United States of America, America
ZA: RSA
`;

/** Abbreviations that mean the time of one region, each with a city that has it; and a zone of which the listed one is a copy. */
const customaryZones = `
America/Los_Angeles: PDT
America/New_York: EDT
Asia/Hong_Kong: HKT
Asia/Muscat: Asia/Dubai, Dubai, Abu Dhabi
Asia/Seoul: KST
Asia/Singapore: SGT
Asia/Tokyo: JST
Australia/Sydney: AEST, AEDT
Europe/Athens: EET, EEST
Europe/Berlin: CET, CEST
Europe/Lisbon: WET, WEST
Europe/Moscow: MSK
Pacific/Auckland: NZST, NZDT
`;

/** Signs and words that mean exactly one currency. Dollar, pound, crown and peso alone mean several. */
const customaryCurrencies = `
AUD: A$, AU$
BRL: R$, Real, Reais
CAD: C$, CA$
CHF: SFR
CNY: RMB, CNH, Renminbi, Yuan, CN¥
EUR: €
GBP: STG, Sterling, Pound Sterling, UK Pound
HKD: HK$
ILS: NIS, ₪, Shekel
INR: ₹
JPY: Yen, JP¥
KRW: ₩
KZT: ₸
MXN: MX$
NGN: ₦
NZD: NZ$
PHP: ₱
PLN: Zloty
SGD: S$, SG$
THB: Baht
TWD: NTD, NT$
UAH: ₴
USD: US$
VND: ₫
ZAR: Rand
`;

const countryWords = new Map([
  ...threeLetterCodes(alpha3),
  ...customaryWords(customaryCountries),
  ...codesAsWords(countries),
]);
const zoneWords = new Map(customaryWords(customaryZones));
const currencyWords = new Map([...customaryWords(customaryCurrencies), ...codesAsWords(currencies)]);
const countryNames = once(() => namesOf('region', countries));
const currencyDisplay = once(() => displayNames('currency'));
const currencyNames = once(() => namesOf('currency', currencies));
const listedZones = once(() => {
  const zones = new Map<string, string>();
  for (const zone of timezones) {
    const canonical = canonicalZone(runtimeZone(zone));
    if (canonical !== null && (zone === canonical || !zones.has(canonical))) zones.set(canonical, zone);
  }
  return zones;
});

/** The runtime's canonical name of the zone; null for unknown zones and plain offsets. */
function canonicalZone(zone: string): string | null {
  if (!/^[a-z][\w+/-]{1,40}$/i.test(zone)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Codes by English name, from the runtime's tables. A name that two codes share gives undefined. */
function namesOf(type: 'region' | 'currency', codes: readonly string[]): ReadonlyMap<string, string | undefined> {
  const names = new Map<string, string | undefined>();
  const english = displayNames(type);
  for (const code of codes) {
    const name = english.of(code);
    if (name !== undefined) names.set(normalized(name), names.has(normalized(name)) ? undefined : code);
  }
  return names;
}

function displayNames(type: 'region' | 'currency'): Intl.DisplayNames {
  return new Intl.DisplayNames('en', { type, fallback: 'none' });
}

/** The word in lower case, without accents, dots and leading "the": `U.S.A.` becomes `usa`. */
function normalized(word: string): string {
  return word
    .slice(0, 100)
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .replaceAll('&', 'and')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^the /, '');
}

function codesAsWords(codes: readonly string[]): [string, string][] {
  return codes.map(code => [normalized(code), code]);
}

function threeLetterCodes(table: string): [string, string][] {
  return table
    .trim()
    .split(/\s+/)
    .map(entry => [normalized(entry.slice(0, 3)), entry.slice(4)]);
}

function customaryWords(table: string): [string, string][] {
  const lines = table.trim().split('\n');
  return lines.flatMap(line => {
    const [code = '', names = ''] = line.split(': ');
    return names.split(', ').map((name): [string, string] => [normalized(name), code]);
  });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
