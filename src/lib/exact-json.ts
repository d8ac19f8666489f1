/** Reads JSON without rounding: a number that JavaScript cannot hold comes as the text of its digits. */

/** A number that may be beyond 2^53, outside or inside a string. */
const maybeLarge = /[:[,\s]-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d)/;
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Throws like `JSON.parse`. A total of 9007199254740993 is `"9007199254740993"`, never its neighbor. */
export function parseExactly(text: string): unknown {
  if (!maybeLarge.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(token, each => (isHeld(each) ? each : `"${each}"`)));
}

function isHeld(each: string): boolean {
  return each.startsWith('"') || Math.abs(Number(each)) <= Number.MAX_SAFE_INTEGER;
}
