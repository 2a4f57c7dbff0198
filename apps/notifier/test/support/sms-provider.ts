import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TakenSms = {
  headers: IncomingHttpHeaders;
  body: { id: string; to: string; text: string };
  atMs: number;
};

export type SmsProvider = AsyncDisposable & {
  url: string;
  calls: TakenSms[];
  /** How the coming calls are answered, once each; afterwards with 202. */
  faults: ((response: ServerResponse) => void)[];
};

/** An SMS provider on a real port, which can be told to misbehave. */
export async function startSmsProvider(): Promise<SmsProvider> {
  const calls: TakenSms[] = [];
  const faults: SmsProvider['faults'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as TakenSms['body'];
    calls.push({ headers: request.headers, body, atMs: performance.now() });
    const fault = faults.shift();
    if (fault === undefined) response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
    else fault(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/sms`,
    calls,
    faults,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
