/** A tool's answer as JSON, without the object that the SDK would make and serialize. */
import type { ToolAnswer } from '../../calls/result.ts';
import type { JsonWriter } from './json-writer.ts';

/** Writes the same as `resultOf` gives, for an answer without a page. */
export function writeResult(out: JsonWriter, { summary, fields, isError }: ToolAnswer): void {
  const said = JSON.stringify(summary);
  out.write('{"structuredContent":{"summary":');
  out.writeAscii(said);
  const from = out.length;
  out.write(`,${JSON.stringify(fields).slice(1)}`);
  const to = out.length;
  out.write(',"content":[{"type":"text","text":"{\\"summary\\":');
  // Typographic quotes belong to the text: their `\u` escapes must not be escaped a second time.
  out.writeAscii(JSON.stringify(said).slice(1, -1));
  out.writeInString(from, to);
  out.write(isError ? '"}],"isError":true}' : '"}]}');
}
