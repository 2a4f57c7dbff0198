import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseOcspRequest, parseOcspResponse } from '@rubrica/pki';
import type { Sample } from './make-samples.ts';
import { addressesIn } from './served/published.ts';

/** Serves the OCSP answers of the samples at the loopback address in their certificates, until it is disposed of. */
export async function serveAnswers(samples: readonly Sample[]): Promise<AsyncDisposable> {
  const bySerial = new Map(
    samples.flatMap(({ ocsp }) => {
      const answer = readFileSync(ocsp);
      const read = parseOcspResponse(answer);
      if (!read.ok || read.value.status !== 'successful') throw new Error(`${ocsp} is no OCSP answer`);
      return read.value.responses.map(({ certId }) => [certId.serial, answer] as const);
    }),
  );
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const read = parseOcspRequest(body);
    const answer = read.ok && bySerial.get(read.value.certIds[0]?.serial ?? '');
    if (answer) response.setHeader('content-type', 'application/ocsp-response').end(answer);
    else response.writeHead(404).end();
  });
  const [first] = samples;
  if (first === undefined) throw new RangeError('there are no samples');
  const { port } = new URL(addressesIn(new X509Certificate(readFileSync(first.certificate)).raw).ocsp);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(Number(port), '127.0.0.1', resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
