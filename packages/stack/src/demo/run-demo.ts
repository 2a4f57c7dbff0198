import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StackInfo } from '../stack/stack-info.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { nearest, type Output } from '../terminal/style.ts';
import type { Call } from '../webhooks/receiver.ts';
import { readVerificationKey } from '../webhooks/secrets.ts';
import { verifyCall } from '../webhooks/verify.ts';
import { type Applicant, makeApplicant } from './applicant.ts';
import { createPartnerClient, type PartnerClient } from './partner-client.ts';
import { findOpenssl, type OpenedBundle, openBundle } from './pkcs12.ts';
import { awaitFirstCall } from './receiver.ts';

/** Body of `certificate.issued`. */
interface IssuedEvent {
  readonly referenceTransaction: string;
  readonly file: string;
  readonly password: string;
  readonly serialNumber: string;
}

const webhookDeadlineMs = 120_000;

/** One linked-partner request from registration to the opened file, each step shown as it happens. */
export async function runDemo(options: { info: StackInfo; folder: string; output: Output }): Promise<void> {
  const { info, folder, output } = options;
  const progress = createProgress(output);
  const receiver = await awaitFirstCall();
  try {
    const partner = createPartnerClient(info.baseUrl, info.partners.sandbox);
    const applicant = makeApplicant(receiver.url);
    await register({ partner, applicant, progress });
    const watching = new AbortController();
    const watched = watchStatus({ partner, applicant, progress, stop: watching.signal });
    const call = await Promise.race([receiver.next(webhookDeadlineMs), failureOf(watched)]);
    watching.abort();
    await watched.catch(() => undefined);
    const event = verifiedEvent({ call, secret: info.partners.sandbox.webhookSecret, progress });
    const file = await store({ event, folder, progress });
    await open({ event, file, progress, output, partner });
  } finally {
    progress.close();
    await receiver.close();
  }
}

async function step<T>(
  progress: Progress,
  text: string,
  work: () => Promise<T>,
  note: (result: T) => string,
) {
  progress.begin(text);
  const result = await work();
  progress.done(text, note(result));
  return result;
}

async function register(context: {
  partner: PartnerClient;
  applicant: Applicant;
  progress: Progress;
}): Promise<void> {
  const { partner, applicant, progress } = context;
  await step(
    progress,
    'Access token',
    () => partner.signIn(),
    ({ expiresInSeconds }) => `POST /oauth/token · good for ${expiresInSeconds / 60} minutes`,
  );
  await step(
    progress,
    'Request registered',
    () => partner.register(applicant.body),
    ({ linkedPartnerRequestId, status }) =>
      `${applicant.referenceTransaction} · ${status} · ${linkedPartnerRequestId}`,
  );
}

/** Shows every state the request is seen in; ends by an error when it cannot become a certificate any more. */
async function watchStatus(context: {
  partner: PartnerClient;
  applicant: Applicant;
  progress: Progress;
  stop: AbortSignal;
}): Promise<void> {
  const { partner, applicant, progress, stop } = context;
  const seen: string[] = [];
  const text = 'Validated, certificate signed';
  progress.begin(text);
  while (!stop.aborted) {
    const { status, observation } = await partner.status(applicant.referenceTransaction);
    if (seen.at(-1) !== status) seen.push(status);
    progress.detail(text, seen.join(' → '));
    if (['ERROR', 'REFUSED', 'CANCELLED', 'EXPIRED'].includes(status)) {
      throw new Error(`The request ended as ${status}: ${observation?.code} ${observation?.message}`);
    }
    if (status === 'GENERATED') break;
    await delay(100, undefined, { signal: stop }).catch(() => undefined);
  }
  progress.done(text, seen.join(' → '));
}

/** Settles only when the watched work fails. */
function failureOf(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => work.catch(reject));
}

function verifiedEvent(context: { call: Call; secret: string; progress: Progress }): IssuedEvent {
  const { call, secret, progress } = context;
  progress.done('Webhook received', `${call.headers['x-rubrica-event']} · ${call.headers['webhook-id']}`);
  const keys = [{ name: 'the partner', key: readVerificationKey(secret) }];
  const verdict = verifyCall(call, { keys, nowMs: call.receivedAt.getTime() });
  if (!verdict.valid) throw new Error(`The webhook is not to be trusted: ${verdict.message}`);
  progress.done('Signature verified', 'Standard Webhooks v1, HMAC-SHA256');
  return JSON.parse(call.body.toString('utf8')) as IssuedEvent;
}

async function store(context: { event: IssuedEvent; folder: string; progress: Progress }): Promise<string> {
  const { event, folder, progress } = context;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${event.referenceTransaction}.p12`);
  const bytes = Buffer.from(event.file, 'base64');
  await writeFile(file, bytes, { mode: 0o600 });
  progress.done('Certificate file written', `${nearest(file)} · ${bytes.length} bytes`);
  return file;
}

async function open(context: {
  event: IssuedEvent;
  file: string;
  progress: Progress;
  output: Output;
  partner: PartnerClient;
}): Promise<void> {
  const { event, file, progress, output, partner } = context;
  const openssl = await findOpenssl();
  if (openssl === undefined) {
    const { notBefore, notAfter } = await partner.status(event.referenceTransaction);
    progress.done('OpenSSL is not installed', 'the file was not opened');
    return showRows(output, {
      Serial: event.serialNumber,
      'Valid from': notBefore ?? '',
      'Valid to': notAfter ?? '',
    });
  }
  const bundle = await openBundle(file, event.password, openssl);
  if (bundle.serialNumber !== event.serialNumber) {
    throw new Error(`The event names serial ${event.serialNumber}, the file holds ${bundle.serialNumber}.`);
  }
  progress.done(
    'Opened and verified',
    `${openssl} · key matches, chain of ${bundle.certificateCount} leads to its root`,
  );
  showBundle(output, bundle, { file, password: event.password });
}

function showBundle(output: Output, bundle: OpenedBundle, access: { file: string; password: string }): void {
  showRows(output, {
    Subject: bundle.subject,
    Issuer: bundle.issuer,
    Serial: bundle.serialNumber,
    'Valid from': bundle.notBefore,
    'Valid to': bundle.notAfter,
    Key: bundle.keyDescription,
    File: nearest(access.file),
    Password: access.password,
  });
}

function showRows(output: Output, rows: Record<string, string>): void {
  output.line();
  for (const [name, value] of Object.entries(rows)) {
    output.line(`  ${output.dim(name.padEnd(12))} ${name === 'Subject' ? output.bold(value) : value}`);
  }
}
