/** Texts of one scene in which what is random has numbers, in the order of its appearance. */

/** The first group, or all of it, is what is random. */
const random: readonly [kind: string, pattern: RegExp][] = [
  ['link', /\beyJ[\w-]{20,}\.[\w-]{20,}/g],
  ['token', /\bv1\.[\w-]{20,}\.[\w-]{20,}/g],
  ['question', /(?:\/approve\/|"id":")([\w-]{22})(?![\w-])/g],
  ['proof', /name="proof" value="([^"]+)"/g],
  ['port', /\b(?:127\.0\.0\.1|localhost):(\d{2,5})\b/g],
  ['id', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['series', /\b[A-Z]{3}-([0-9A-F]{4})(?![-\dA-Z])/g],
];

/** Ids of the demo account that are the same in every run: one letter alone. */
const chosen = /^([0-9a-f])\1{7}-/i;
const times = /(?<="(?:duration_?ms|durationMs)":|within |Call again in )\d+(?:\.\d+)?|\d+(?= s (?:behind|ahead))/gi;

export class Numbers {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #folders: readonly string[];

  /** `folders`: paths that differ from run to run. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  in(text: string): string {
    let said = text.replace(times, '0').replaceAll(process.versions.node, '<node>');
    for (const [at, folder] of this.#folders.entries()) said = said.replaceAll(folder, `<folder ${at + 1}>`);
    for (const [kind, pattern] of random)
      said = said.replace(pattern, (whole: string, group: unknown) => {
        const value = typeof group === 'string' ? group : whole;
        return chosen.test(value) ? whole : whole.replace(value, this.#nameOf(kind, value));
      });
    return said;
  }

  #nameOf(kind: string, value: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    this.#names.set(value, name);
    return name;
  }
}
