/** One working id per resource of the demo account, as text for instructions and hints. */
export function demoIdList(): string {
  return '';
}
