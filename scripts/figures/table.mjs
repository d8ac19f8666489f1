/** The limits of the figures that `check.mjs` counts. */
export const limits = {
  /** Calls that read a value whose type is not known. */
  readers: 30,
  /** Modules under `src` and `tools` with the same file name. */
  sameName: 4,
  /** Lines of the longest file under `src` and `tools`. */
  lines: 350,
  /** Modules under `src` and `tools` that are shorter than `smallBelow`. */
  small: 50,
  /** Lines of tracked code outside `test`. */
  sourceLines: 80_023,
  /** Lines of tracked code in `test`. */
  testLines: 83_541,
  /** Members of a tool's definition, with those of what is nested in it. */
  members: 22,
};

/** A module with fewer lines has to stand alone for a reason: it breaks a circle, or is loaded or built by itself. */
export const smallBelow = 25;

/** Functions that read a value of any type. The embedded service and the rehearsal are not counted. */
export const readers = {
  pattern: /\b(?:asRecords?|asTexts?|asInteger|membersOf|exactDecimal|numberOf|anyRecords?)\(/g,
  except: ['src/service/', 'src/rehearse/'],
};

/** How many folders and loose files are directly in a folder, and how many pairs of them import each other. */
export const folders = [{ path: 'src/calls/', parts: 8, arrows: 20, inside: { parts: 12, arrows: 25 } }];
