import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRubrica, type Rubrica, verifyWebhook, type WebhookEvent } from '@rubrica/sdk';
import type { StackInfo } from '../stack/stack-info.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { nearest, type Output } from '../terminal/style.ts';
import type { Call } from '../webhooks/receiver.ts';
import { type Applicant, createApplicant } from './applicant.ts';
import { awaitFirstCall } from './first-call.ts';
import { findOpenssl, type OpenedBundle, openBundle } from './pkcs12.ts';

type Partner = Rubrica['linkedPartner'];
type IssuedEvent = Extract<WebhookEvent, { type: 'certificate.issued' }>['body'];

const webhookDeadlineMs = 120_000;

/** Takes one linked-partner request from registration to the opened file, as a partner would, and shows each step. */
export async function runDemo(options: { info: StackInfo; folder: string; output: Output }): Promise<void> {
  const { info, folder, output } = options;
  const { clientId, clientSecret, webhookSecret } = info.partners.sandbox;
  const progress = createProgress(output);
  const webhook = await awaitFirstCall();
  try {
    const { linkedPartner: partner } = createRubrica({ baseUrl: info.baseUrl, clientId, clientSecret });
    const applicant = createApplicant(webhook.url);
    await register({ partner, applicant, progress });
    const [call] = await Promise.all([
      webhook.receive(webhookDeadlineMs),
      watchStatus({ partner, applicant, progress }),
    ]);
    const event = await readEvent({ call, webhookSecret, progress });
    const file = await store({ event, folder, progress });
    await open({ event, file, progress, output, partner });
  } finally {
    progress.close();
    await webhook.close();
  }
}

async function register(context: {
  partner: Partner;
  applicant: Applicant;
  progress: Progress;
}): Promise<void> {
  const { partner, applicant, progress } = context;
  const text = 'Request registered';
  progress.begin(text);
  const { referenceTransaction, status, linkedPartnerRequestId } = await partner.register(applicant);
  progress.done(text, `${referenceTransaction} · ${status} · ${linkedPartnerRequestId}`);
}

/** Shows every state of the request; rejects when it can no longer lead to a certificate. */
async function watchStatus(context: {
  partner: Partner;
  applicant: Applicant;
  progress: Progress;
}): Promise<void> {
  const { partner, applicant, progress } = context;
  const { referenceTransaction } = applicant;
  const text = 'Validated, certificate signed';
  const seen: string[] = [];
  progress.begin(text);
  const { status, observation } = await partner.waitForStatus(
    { referenceTransaction },
    {
      onChange(record) {
        if (seen.at(-1) !== record.status) seen.push(record.status);
        progress.detail(text, seen.join(' → '));
      },
    },
  );
  if (status !== 'GENERATED')
    throw new Error(`The request ended as ${status}: ${observation?.code} ${observation?.message}`);
  progress.done(text, seen.join(' → '));
}

async function readEvent(context: {
  call: Call;
  webhookSecret: string;
  progress: Progress;
}): Promise<IssuedEvent> {
  const { call, webhookSecret, progress } = context;
  progress.done('Webhook received', `${call.headers['x-rubrica-event']} · ${call.headers['webhook-id']}`);
  const event = await verifyWebhook({
    payload: call.body,
    headers: call.headers,
    secrets: [webhookSecret],
    now: call.receivedAt.getTime(),
  });
  progress.done('Signature verified', 'Standard Webhooks v1, HMAC-SHA256');
  if (event.type !== 'certificate.issued') throw new Error(`The webhook tells of ${event.type}.`);
  return event.body;
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
  partner: Partner;
}): Promise<void> {
  const { event, file, progress, output, partner } = context;
  const openssl = await findOpenssl();
  if (openssl === undefined) {
    const { notBefore, notAfter } = await partner.status({
      referenceTransaction: event.referenceTransaction,
    });
    progress.done('OpenSSL is not installed', 'the file was not opened');
    return showRows(output, {
      Serial: event.serialNumber,
      'Valid from': notBefore ?? '',
      'Valid to': notAfter ?? '',
    });
  }
  const { password = '' } = event;
  const bundle = await openBundle(file, password, openssl);
  if (bundle.serialNumber !== event.serialNumber) {
    throw new Error(`The event names serial ${event.serialNumber}, the file holds ${bundle.serialNumber}.`);
  }
  progress.done(
    'Opened and verified',
    `${openssl} · key matches, chain of ${bundle.certificateCount} leads to its root`,
  );
  showBundle(output, bundle, { file, password });
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
