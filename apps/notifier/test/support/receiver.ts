import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedCall = { path: string; headers: IncomingHttpHeaders; body: string; atMs: number };

export type Receiver = AsyncDisposable & {
  url: string;
  calls: ReceivedCall[];
  /** How the coming calls are answered: by number, from 1. */
  answer: (response: ServerResponse, number: number) => void;
};

/** A partner's receiver on a real port. */
export async function startReceiver(
  answer: Receiver['answer'] = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    calls: [],
    answer,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    receiver.calls.push({ path: request.url ?? '', headers: request.headers, body, atMs: performance.now() });
    receiver.answer(response, receiver.calls.length);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
