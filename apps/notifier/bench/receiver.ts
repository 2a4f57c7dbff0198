import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A partner's receiver in a process of its own: takes everything and tells when each call had come in whole. */
const server = createServer(async (request, response) => {
  for await (const _ of request) {
    // Read to the end, as a receiver that verifies would.
  }
  response.writeHead(204).end();
  process.send?.({ id: request.headers['webhook-id'], at: performance.timeOrigin + performance.now() });
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
