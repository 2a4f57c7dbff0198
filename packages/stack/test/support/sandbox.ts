import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { identifyProcess } from '@rubrica/testkit/processes';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { homeAt } from '../../src/setup/home.ts';
import type { PartnerInfo } from '../../src/stack/stack-info.ts';
import { temporaryHome } from '../helpers.ts';

export interface Sandbox {
  readonly home: string;
  readonly partners: Readonly<Record<'sandbox' | 'otp', PartnerInfo>>;
  /** Bodies of the registrations that came. */
  readonly registered: Array<Record<string, unknown>>;
}

/**
 * A data folder in which a stack seems to run, and a REST end that signs partners in, takes registrations and
 * calls back at once.
 */
export async function startSandbox(): Promise<Sandbox> {
  const home = await temporaryHome();
  const partners = { sandbox: makePartner(), otp: makePartner() };
  const registered: Sandbox['registered'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const partner = Object.values(partners).find(
      (one) => isFrom(one, request.headers.authorization) || isSecretOf(one, text),
    );
    if (partner === undefined) return void response.writeHead(401).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url === '/oauth/token') {
      return void response.end(
        `{"access_token":"${partner.clientId}","token_type":"Bearer","expires_in":1800}`,
      );
    }
    const body = JSON.parse(text) as Record<string, string>;
    registered.push(body);
    response.end('{"linkedPartnerRequestId":"019ab1c2-0000-7000-8000-000000000001","status":"REGISTERED"}');
    await post(String(body.callbackUrl), {
      secret: partner.webhookSecret,
      body: issuedBody({ referenceTransaction: body.referenceTransaction }),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await home[Symbol.asyncDispose]();
  });
  const { infoFile, lockFile, keys } = homeAt(home.path);
  await mkdir(keys, { recursive: true });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(infoFile, JSON.stringify({ baseUrl, partners }));
  await writeFile(lockFile, JSON.stringify(identifyProcess(process.pid)));
  return { home: home.path, partners, registered };
}

function makePartner(): PartnerInfo {
  const random = () => randomBytes(12).toString('hex');
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  return { clientId: random(), clientSecret: random(), webhookSecret, passwordConfiguration: 'PARTNER' };
}

function isFrom({ clientId, clientSecret }: PartnerInfo, authorization = ''): boolean {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return authorization === `Basic ${basic}` || authorization === `Bearer ${clientId}`;
}

/** Checks the form of a token request that brings the secret in its body (`client_secret_post`). */
function isSecretOf({ clientId, clientSecret }: PartnerInfo, form: string): boolean {
  const fields = new URLSearchParams(form);
  return fields.get('client_id') === clientId && fields.get('client_secret') === clientSecret;
}

export const bundle = Buffer.concat([Buffer.from([0x30, 0x82]), Buffer.alloc(400, 1)]);

export function issuedBody(overrides: Record<string, unknown> = {}): string {
  const fields = {
    referenceTransaction: 'TX-1',
    file: bundle.toString('base64'),
    password: 'Cuyabeno 7',
    serialNumber: '3F',
  };
  return JSON.stringify({ ...fields, ...overrides });
}

interface Delivery {
  readonly secret: string;
  readonly id?: string;
  readonly at?: Date;
  readonly body?: string;
  readonly event?: string;
  /** How long the sender waits; short only where no answer is expected. */
  readonly patienceMs?: number;
}

/** A delivery as the notifier sends it, signed by a library that is not ours. */
export function post(url: string, options: Delivery): Promise<Response> {
  const {
    secret,
    id = 'msg-1',
    at = new Date(),
    body = issuedBody(),
    event = 'certificate.issued',
    patienceMs = 30_000,
  } = options;
  return fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
      'x-rubrica-event': event,
      'x-rubrica-occurred-at': '2026-11-20T19:22:40.123',
    },
    signal: AbortSignal.timeout(patienceMs),
  });
}
