// A linked-partner request whose certificate arrives by webhook; an error on the way is corrected.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRubrica, RubricaError, verifyWebhook, WebhookError, type WebhookEvent } from '@rubrica/sdk';
import { makeReference, person, picture } from './applicant.ts';
import { baseUrl, partner } from './settings.ts';

const rubrica = createRubrica({ baseUrl, ...partner });
const request = { referenceTransaction: makeReference() };

const receiver = createServer(async (call, response) => {
  try {
    const payload = await readBytes(call);
    await handle(await verifyWebhook({ payload, headers: call.headers, secrets: [partner.webhookSecret] }));
    response.writeHead(204).end();
  } catch (error) {
    // A webhook that was not accepted is sent again.
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
});
receiver.listen(0, '127.0.0.1', register);

async function register() {
  const { port } = receiver.address() as AddressInfo;
  try {
    await rubrica.linkedPartner.register({
      ...person,
      ...request,
      // In the sandbox the registry has another fingerprint code for this person.
      identificationNumber: '2450000704',
      fingerCode: 'A1234B5678',
      certificateType: 'TRADITIONAL_SIGNATURE',
      period: 'ONE_YEAR',
      evidences: [{ evidenceFile: picture, evidenceType: 'IDENTITY_DOCUMENT' }],
      password: 'Galapagos 2026',
      callbackUrl: `http://127.0.0.1:${port}/webhooks`,
    });
  } catch (error) {
    if (!(error instanceof RubricaError)) throw error;
    process.stderr.write(`${error.messages.join('\n')}\n(${error.code}, trace ${error.traceId})\n`);
    process.exitCode = 1;
    receiver.close();
  }
}

async function handle(event: WebhookEvent) {
  if (event.type === 'certificate.issued') {
    process.stdout.write(`issued: ${event.body.serialNumber}\n`);
    receiver.close();
  }
  if (event.type === 'request.error') {
    const { correctableFields, retriesRemaining } = await rubrica.linkedPartner.status(request);
    process.stdout.write(
      `${event.code}: ${event.body.message}; correctable: ${correctableFields.join(', ')}\n`,
    );
    if (correctableFields.includes('fingerCode') && retriesRemaining > 0)
      await rubrica.linkedPartner.retry({ ...request, fingerCode: 'V4333V2222' });
  }
}

async function readBytes(call: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of call) chunks.push(chunk);
  return Buffer.concat(chunks);
}
