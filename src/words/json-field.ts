/** JSON of one field, without the outer braces: `"code":"basic"`. */
export function field(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}
