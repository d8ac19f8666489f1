/** A billing API that records what it is sent, byte for byte, and refuses it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Recorder {
  url: string;
  /** What was sent since the last call of this function: `PUT /api/v1/wallets/… {"wallet":{…}}`. */
  taken(): string[];
  close(): void;
}

export async function startRecorder(): Promise<Recorder> {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    sent.push(`${request.method} ${request.url} ${await text(request)}`);
    response.writeHead(400, { 'content-type': 'application/problem+json' });
    response.end('{"title":"Recorded","detail":"Nothing is done here."}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => sent.splice(0),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
