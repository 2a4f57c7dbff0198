import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@rubrica/contracts/rest/operations';
import { disposeAfterAll, makePng, makeTransactionalRequest } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { queryStack, withJetStream } from '../support/ledger.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { startSpanCollector } from '../support/span-collector.ts';
import { findSecrets, listSpellings } from '../support/spellings.ts';
import { startWiretap } from '../support/wiretap.ts';

const secrets: Record<string, string | Buffer> = {};
/** Things that must be found where they belong: they show that the search would find a secret, too. */
const controls: { reference: string; requestId: string }[] = [];

const middleOf = (bytes: Buffer) => bytes.subarray(bytes.length >> 1, (bytes.length >> 1) + 24);

const collector = await disposeAfterAll(startSpanCollector());
const scene = await disposeAfterAll(openScene({ env: { ...collector.env, LOG_LEVEL: 'trace' } }));
const wiretap = await disposeAfterAll(startWiretap(scene.stack));
await plant();

/** One of everything secret that this interface carries, small and large. */
async function plant(): Promise<void> {
  const { sandbox, otp } = scene.partners;
  const { partners, operators } = scene.stack.info();
  secrets.clientSecret = partners.sandbox.clientSecret;
  secrets.webhookSecret = partners.sandbox.webhookSecret;
  secrets.webhookSecretBytes = Buffer.from(partners.sandbox.webhookSecret.replace('whsec_', ''), 'base64');
  secrets.operatorPassword = operators.admin.password;
  secrets.accessToken = sandbox.token;
  secrets.password = `Canario-%-${randomBytes(9).toString('hex')}`;
  for (const [size, name] of [
    [4_000, 'smallEvidence'],
    [3_000_000, 'largeEvidence'],
  ] as const) {
    const picture = makePng(size);
    secrets[name] = middleOf(picture);
    const evidences = [{ evidenceFile: picture.toString('base64') }];
    const { reference, requestId } = await sandbox.accepted({ password: secrets.password, evidences });
    const { body } = await sandbox.hears(reference, 'certificate.issued');
    secrets[`${name}Bundle`] = middleOf(Buffer.from(String(body.file), 'base64'));
    controls.push({ reference, requestId });
  }
  const served = await sandbox.accepted({
    certificateType: 'TRANSACTIONAL_SIGNATURE',
    period: undefined,
    password: undefined,
  });
  secrets.madePassword = String((await sandbox.hears(served.reference, 'certificate.issued')).body.password);
  const retrieved = makeTransactionalRequest();
  const { token } = sandbox;
  await scene.call({ path: operations.registerTransactional.path, body: retrieved, token });
  const certificate = await until('a certificate to retrieve', async () => {
    const query = { referenceTransaction: retrieved.referenceTransaction };
    const answer = await scene.call({ path: operations.transactionalCertificate.path, query, token });
    return answer.status === 200 ? (answer.body as { file: string; password: string }) : undefined;
  });
  secrets.retrievedPassword = certificate.password;
  secrets.retrievedBundle = middleOf(Buffer.from(certificate.file, 'base64'));
  const email = 'canario@correo.example';
  await otp.accepted({ email, password: undefined });
  const mail = await until('the claim mail', async () => {
    const response = await fetch(`${scene.stack.info().mailUrl}/messages?to=${email}`);
    return ((await response.json()) as { text: string }[])[0];
  });
  secrets.claimToken = /\/claim\/([A-Za-z0-9_-]+)/.exec(mail.text)?.[1] ?? '';
  await scene.call({ path: '/trpc/auth.signIn', body: operators.admin });
  // Refused ones too: an error message is where a value likes to be quoted.
  const refusedPassword = `Rechazada-${randomBytes(40).toString('hex')}`;
  secrets.refusedPassword = refusedPassword;
  await sandbox.register({ password: refusedPassword, email: 'no-address' });
  await scene.call({
    path: operations.token.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'other',
      client_id: partners.sandbox.clientId,
      client_secret: partners.sandbox.clientSecret,
    }).toString(),
  });
}

describe('planted secrets', () => {
  it('are all there and long enough to be found', () => {
    expect(Object.values(secrets).every((secret) => secret.length >= 15)).toBe(true);
    expect(Object.keys(secrets)).toHaveLength(15);
  });

  it('would be found in any spelling, wherever they stand in longer bytes', () => {
    const secret = Buffer.from('a secret of 24 bytes, ok');
    for (const before of [0, 1, 2, 3]) {
      const bytes = Buffer.concat([randomBytes(before), secret, randomBytes(5)]);
      for (const form of ['base64', 'base64url', 'hex', 'latin1'] as const) {
        expect(findSecrets({ secret }, bytes.toString(form))).toEqual(['secret']);
      }
    }
    expect(listSpellings('ñ"').length).toBeGreaterThan(4);
    expect(findSecrets({ secret }, randomBytes(4_000).toString('base64'))).toEqual([]);
  });

  it('are not on the bus: no call, answer, job, event, object or dead letter', async () => {
    const text = wiretap.text();
    expect(findSecrets(secrets, text)).toEqual([]);
    for (const { requestId } of controls) expect(text).toContain(requestId);
    const subjects = [...wiretap.subjects()];
    for (const prefix of ['rpc.v2.', 'jobs.', 'events.', '_INBOX_gateway.']) {
      expect(subjects.some((subject) => subject.startsWith(prefix))).toBe(true);
    }
  });

  it('are not in any stream', async () => {
    const { stack } = scene;
    const texts = await withJetStream(stack, async (manager) => {
      const found: string[] = [];
      for await (const { config, state } of manager.streams.list()) {
        for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
          const message = await manager.streams.getMessage(config.name, { seq }).catch(() => undefined);
          if (message)
            found.push(
              `${message.subject}\n${message.header}\n${Buffer.from(message.data).toString('latin1')}`,
            );
        }
      }
      return found;
    });
    expect(texts.length).toBeGreaterThan(0);
    expect(findSecrets(secrets, texts.join('\n'))).toEqual([]);
  });

  it('are in no table of any schema', async () => {
    const tables = await queryStack<{ name: string }>(
      scene.stack,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    expect(tables.length).toBeGreaterThan(15);
    const leaks: Record<string, string[]> = {};
    let everything = '';
    for (const { name } of tables) {
      const rows = await queryStack<{ row: string }>(scene.stack, `select t::text as row from ${name} t`);
      // A row as text doubles quotes and backslashes; nothing that is searched for holds either.
      const text = rows.map(({ row }) => row).join('\n');
      const found = findSecrets(secrets, text);
      if (found.length > 0) leaks[name] = found;
      everything += text;
    }
    expect(leaks).toEqual({});
    for (const { reference } of controls) expect(everything).toContain(reference);
  });

  it('are in no log, at the most talkative level', async () => {
    const folder = join(scene.stack.home, 'logs');
    const files = (await readdir(folder)).filter((file) => file !== 'mail.log');
    const leaks: Record<string, string[]> = {};
    let everything = '';
    for (const file of files) {
      const text = await readFile(join(folder, file), 'latin1');
      const found = findSecrets(secrets, text);
      if (found.length > 0) leaks[file] = found;
      everything += text;
    }
    expect(leaks).toEqual({});
    expect(everything).toContain('"service":"gateway"');
  });

  it('are in no trace', async () => {
    const text = await until('spans of every service', () => {
      const spans = collector.text();
      const services = ['gateway', 'intake', 'generation', 'notifier'];
      return services.every((service) => spans.includes(service)) ? spans : undefined;
    });
    expect(findSecrets(secrets, text)).toEqual([]);
  });
});
